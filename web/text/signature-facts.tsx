import type { SignatureFound } from '../../contract/document-report.ts'
import type { Text } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import { DateTimeText } from './date-text.tsx'

/** `isMet` is undefined where it is not known. */
export type Fact = { isMet: boolean | undefined; text: Text }

export const fact = (holds: boolean, yes: Text, no: Text): Fact => ({ isMet: holds, text: holds ? yes : no })

type CheckedFacts = Pick<SignatureFound, 'intact' | 'coversWholeDocument' | 'trusted' | 'revocation'>

/** Returns what was found of a signature; `unknown` says that nothing is known of a revocation, where that is to be said. */
export const signatureFacts = (
  { intact, coversWholeDocument, trusted, revocation }: CheckedFacts,
  unknown?: Text,
): Fact[] => [
  fact(
    intact,
    { pl: 'Podpis jest nienaruszony', en: 'The signature is intact' },
    { pl: 'Podpis jest naruszony', en: 'The signature isn’t intact' },
  ),
  fact(
    coversWholeDocument,
    { pl: 'Podpis obejmuje cały dokument', en: 'It covers the whole document' },
    { pl: 'Podpis nie obejmuje całego dokumentu', en: 'It doesn’t cover the whole document' },
  ),
  fact(
    trusted,
    { pl: 'Certyfikat jest zaufany', en: 'The certificate is trusted' },
    { pl: 'Certyfikat nie jest zaufany', en: 'The certificate isn’t trusted' },
  ),
  ...(trusted ? revocationFacts(revocation, unknown) : []),
]

function revocationFacts(revocation: CheckedFacts['revocation'], unknown: Text | undefined): Fact[] {
  if (revocation === 'unknown') return unknown ? [{ isMet: undefined, text: unknown }] : []
  const notRevoked = { pl: 'Certyfikat nie był unieważniony', en: 'The certificate wasn’t revoked' }
  return [
    fact(revocation === 'good', notRevoked, { pl: 'Certyfikat był unieważniony', en: 'The certificate was revoked' }),
  ]
}

type TimeProps = { signature: Pick<SignatureFound, 'provenAt' | 'claimedAt'>; unknown: string }

/** Shows the time of a signature. Only a timestamp proves a time; a time from the signer's own program is marked as such. */
export function SignatureTime({ signature: { provenAt, claimedAt }, unknown }: TimeProps) {
  const t = useText()
  const at = provenAt ?? claimedAt
  if (!at) return unknown
  return (
    <>
      <DateTimeText at={at} />{' '}
      <span className="soft">
        {provenAt
          ? t({ pl: '(potwierdza to znacznik czasu)', en: '(confirmed by a timestamp)' })
          : t({ pl: '(według zegara podpisującego)', en: '(by the signer’s clock)' })}
      </span>
    </>
  )
}
