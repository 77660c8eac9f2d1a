import type { Signature } from '../../contract/signatures.ts'
import { useLocale, useText } from '../locale.tsx'
import { formatDate } from '../text/format.ts'
import type { validityOf } from '../text/validity.ts'

type Props = { signature: Signature; validity: ReturnType<typeof validityOf> }

/** When an active signature can be renewed, and what happens if it is not. */
export function RenewalLine({ signature: { renewal }, validity: { renewable, renewalOpensAt, urgency } }: Props) {
  const t = useText()
  const locale = useLocale()
  if (!renewable)
    return (
      <p className="cert__why">
        {t({ pl: 'Odnowisz go od ', en: 'You can renew it from ' })}
        <time dateTime={renewalOpensAt.toISOString()}>{formatDate(locale, renewalOpensAt)}</time>.
      </p>
    )
  if (renewal === 'signed')
    return (
      <p className="cert__why">
        <b>{t({ pl: 'Ten podpis jest już odnowiony.', en: 'You’ve already renewed this signature.' })}</b>{' '}
        {t({
          pl: 'W\u00a0odnowieniu sprawdzisz, od kiedy działa nowy.',
          en: 'The renewal shows when the new one becomes valid.',
        })}
      </p>
    )
  return (
    <p className="cert__why">
      {t({ pl: 'Odnów go, zanim wygaśnie.', en: 'Renew it before it expires.' })}{' '}
      {urgency !== 'none' &&
        t({
          pl: 'Potem trzeba kupić nowy podpis i\u00a0ponownie potwierdzić tożsamość.',
          en: 'After that you’ll have to buy a new signature and confirm your identity again.',
        })}
    </p>
  )
}
