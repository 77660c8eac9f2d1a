import { isBeingStopped } from '../../contract/rules/being-stopped.ts'
import type { Signature } from '../../contract/signatures.ts'
import { useText } from '../app/locale.tsx'
import { useSession } from '../app/session.tsx'
import { DateText, DateTimeText } from '../text/date-text.tsx'
import { endsSoon, type validityOf } from '../text/validity.ts'
import { isRenewed } from './signature-validity.ts'

type Props = { signature: Signature; validity: ReturnType<typeof validityOf> }

/** When a signature can be renewed, and what happens if it is not; or that it is renewed. */
export function RenewalLine({ signature, validity }: Props) {
  const t = useText()
  const { renewable, renewalOpensAt } = validity
  if (isBeingStopped(signature)) return null
  if (isRenewed(signature)) return <RenewedLine signature={signature} />
  if (!renewable)
    return (
      <p className="cert__why">
        {t({ pl: 'Możesz go odnowić od ', en: 'You can renew it from ' })}
        <DateText at={renewalOpensAt} />.
      </p>
    )
  return (
    <p className="cert__why">
      {t({ pl: 'Odnów go, zanim wygaśnie.', en: 'Renew it before it expires.' })}{' '}
      {endsSoon(validity) &&
        t({
          pl: 'Potem trzeba kupić nowy podpis i\u00a0ponownie potwierdzić tożsamość.',
          en: 'After that you’ll have to buy a new signature and confirm your identity again.',
        })}
    </p>
  )
}

/** When the certificate begins that replaces it. */
function RenewedLine({ signature: { renewedFrom } }: Pick<Props, 'signature'>) {
  const t = useText()
  const { now } = useSession()
  const from = renewedFrom && <DateTimeText at={renewedFrom} />
  return (
    <p className="cert__why">
      {!renewedFrom ? (
        t({
          pl: 'Umowa jest podpisana. Za chwilę wydamy nowy certyfikat.',
          en: 'The agreement is signed. We’ll issue the new certificate in a moment.',
        })
      ) : renewedFrom > now ? (
        <>
          {t({ pl: 'Nowy certyfikat zacznie działać ', en: 'The new certificate starts on ' })}
          {from}. {t({ pl: 'Do tego czasu podpisuj dotychczasowym.', en: 'Until then, sign with this one.' })}
        </>
      ) : (
        <>
          {t({ pl: 'Nowy certyfikat działa od ', en: 'The new certificate has worked since ' })}
          {from}.
        </>
      )}
    </p>
  )
}
