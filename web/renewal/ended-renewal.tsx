import { useEffect } from 'react'
import type { Text } from '../../contract/enums.ts'
import type { Renewal } from '../../contract/renewal.ts'
import { config } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { focusHeading } from '../app/page-title.ts'
import { HelpLine } from '../app/support-line.tsx'
import { BuyLink } from '../certificates/buy-link.tsx'
import { formatDate } from '../text/format.ts'
import { CallButton } from '../ui/call-button.tsx'
import { Notice } from '../ui/notice.tsx'
import { MailLink } from '../ui/verbatim.tsx'
import './issuance-step.css'
import { RenewalSummary } from './renewal-summary.tsx'
import { SignaturesButton } from './step-buttons.tsx'

type Props = { renewal: Renewal; onChanged: (renewal: Renewal) => void }

type EndedState = 'declined' | 'expired' | 'failed'

const texts: Record<EndedState, { heading: Text; what: Text }> = {
  declined: {
    heading: { pl: 'Umowa nie została podpisana', en: 'You declined the agreement' },
    what: {
      pl: 'Zapisaliśmy Twoją odmowę. Odnowienie jest zakończone, a\u00a0kod odnowienia został wykorzystany.',
      en: 'We’ve recorded your decision. This renewal has ended, and the renewal code is used up.',
    },
  },
  expired: {
    heading: { pl: 'To odnowienie wygasło', en: 'This renewal has expired' },
    what: {
      pl: 'Rozpoczęte odnowienie przechowujemy 14\u00a0dni, ale nie dłużej niż do wygaśnięcia certyfikatu. Jeśli certyfikat jeszcze działa, zaczniesz od\u00a0nowa tym samym kodem.',
      en: 'We keep a renewal you’ve started for 14\u00a0days, but not beyond the certificate’s expiry. If the certificate still works, you can start again with the same code.',
    },
  },
  failed: {
    heading: { pl: 'Nie udało się wydać certyfikatu', en: 'We couldn’t issue the certificate' },
    what: {
      pl: 'Podpisana umowa jest zapisana. Zadzwoń do nas: powiemy, co dalej z\u00a0kodem i\u00a0umową.',
      en: 'We’ve kept the signed agreement. Call us and we’ll tell you what happens to your code and agreement.',
    },
  },
}

/** Shows why a renewal ended without a certificate, what still works, and who helps. */
export function EndedRenewal({ renewal }: Props) {
  const t = useText()
  const { state, certificate, note, now } = renewal
  const ending = state === 'declined' || state === 'expired' ? state : 'failed'
  const isFailed = ending === 'failed'
  const { heading, what } = texts[ending]
  const isValid = Date.parse(certificate.validTo) > Date.parse(now)
  // A customer who has just declined was in a dialog that is gone now.
  useEffect(() => focusHeading(), [state])
  return (
    <div className="wizard wizard--wide">
      <div className={isFailed ? 'issuance issuance--pair' : 'issuance'}>
        <h1 tabIndex={-1}>{t(heading)}</h1>
        <div className="card block stack stack--small">
          {note && <Notice kind="error" title={t(note)} />}
          {!isFailed && <p>{t(what)}</p>}
          <p>
            {isValid
              ? t({
                  pl: `Obecny certyfikat działa bez zmian do ${formatDate(t.locale, certificate.validTo)}.`,
                  en: `Your current certificate works as before until ${formatDate(t.locale, certificate.validTo)}.`,
                })
              : t({
                  pl: 'Certyfikat wygasł. Nowy podpis wymaga ponownego potwierdzenia tożsamości.',
                  en: 'The certificate has expired. For a new signature, you’ll have to confirm your identity again.',
                })}
          </p>
          {isFailed ? (
            <>
              <p>{t(what)}</p>
              <CallButton variant="primary" />
            </>
          ) : (
            <HelpLine>
              {', '}
              <MailLink to={config.brand.email} />
            </HelpLine>
          )}
        </div>
        {isFailed && <RenewalSummary renewal={renewal} hidesDates />}
        <div className="buttons block">
          <SignaturesButton variant={isFailed ? 'secondary' : 'primary'} />
          {!isValid && <BuyLink product="newSignature" />}
        </div>
      </div>
    </div>
  )
}
