import type { Text } from '../../contract/enums.ts'
import { formatDaysLeft } from '../text/format.ts'
import { endsSoon, type validityOf } from '../text/validity.ts'
import { LookBadge } from '../ui/badge.tsx'
import { Verbatim } from '../ui/verbatim.tsx'
import { certificateLooks, endLooks, validFromText, type Reason } from './certificate-looks.ts'

type State = 'active' | Exclude<Reason, 'not-yet-valid'>

type Props = {
  certificate: { reason: Reason | null; validFrom: string }
  validity: Pick<ReturnType<typeof validityOf>, 'days' | 'urgency'>
  /** Text of each state, in the grammatical gender of the product. */
  words: Record<State, Text>
  /** Text for a certificate that is renewed. */
  renewed?: Text | undefined
  /** Text for a certificate that can be renewed already, shown until its end is near. */
  renewable?: Text | undefined
}

/** Shows whether a product is active and how soon it ends, or why it is not active. */
export function CertificateBadge({ certificate, validity, words, renewed, renewable }: Props) {
  const { reason, validFrom } = certificate
  if (reason === 'not-yet-valid')
    return <LookBadge look={{ ...certificateLooks[reason], text: validFromText(validFrom) }} />
  if (reason) return <LookBadge look={{ ...certificateLooks[reason], text: words[reason] }} />
  if (renewed) return <LookBadge look={{ ...certificateLooks.renewed, text: renewed }} />
  if (!endsSoon(validity))
    return renewable ? (
      <LookBadge look={{ ...certificateLooks.renewable, text: renewable }} />
    ) : (
      <LookBadge look={{ ...certificateLooks.active, text: words.active }} />
    )
  const { days, urgency } = validity
  const text = { pl: `Wygasa ${formatDaysLeft('pl', days)}`, en: `Expires ${formatDaysLeft('en', days)}` }
  return <LookBadge look={{ ...endLooks[urgency === 'none' ? 'strong' : urgency], text }} />
}

/** Shows which signature or seal it is: its product, and the name in its certificate. */
export const CertificateName = ({ product, name }: { product: string; name: string }) => (
  <>
    {product}, <Verbatim>{name}</Verbatim>
  </>
)
