import { useEffect, useRef, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { Text } from '../../contract/enums.ts'
import { pages } from '../../contract/pages.ts'
import { finishRenewal, readRenewal, type Renewal, downloadRenewalCalendar } from '../../contract/renewal.ts'
import { isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { focusHeading } from '../app/page-title.ts'
import { Icon } from '../art/icons.tsx'
import { Medallion } from '../art/medallion.tsx'
import { SuccessMark } from '../art/success-mark.tsx'
import { call, downloadUrl } from '../calls/api.ts'
import { refetch } from '../calls/reads.ts'
import { LifeBar } from '../certificates/certificate-end.tsx'
import { useOnPhone } from '../pairing/on-phone.ts'
import { PairButton } from '../pairing/pair-button.tsx'
import { formatDate, formatTime } from '../text/format.ts'
import { validityOf } from '../text/validity.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { RetryButton } from '../ui/retry-button.tsx'
import { Verbatim } from '../ui/verbatim.tsx'
import { CertificateHead } from './certificate-preview.tsx'
import '../ui/path.css'
import './issuance-step.css'
import { useRenewalCall, useMoveAction } from './renewal-move.ts'
import { RenewalSummary } from './renewal-summary.tsx'
import { useRenewalWatch } from './renewal-watch.tsx'
import { BackToSignatures, SignaturesButton, StepHeading } from './step-buttons.tsx'

type Props = { renewal: Renewal; onChanged: (renewal: Renewal) => void }

function phaseOf({ state, signature }: Renewal) {
  if (state === 'finished') return 'done'
  if (state !== 'issued' || !signature) return 'issuing'
  if (signature.pairedAt) return 'paired'
  return signature.canPair ? 'ready' : 'waiting'
}

/** Shows step 4 (REN-9): the provider issues the certificate, and the QR code is shown once the certificate has begun. */
export function IssuanceStep({ renewal, onChanged }: Props) {
  const phase = phaseOf(renewal)
  // The expected phase has begun; the heading names it.
  const before = useRef(phase)
  useEffect(() => {
    if (before.current !== phase) focusHeading()
    before.current = phase
  }, [phase])

  if (phase === 'issuing') return <Issuing renewal={renewal} />
  if (phase === 'waiting') return <NotYet renewal={renewal} onChanged={onChanged} />
  if (phase === 'ready') return <Ready renewal={renewal} onChanged={onChanged} />
  return <RenewalCompleted renewal={renewal} onChanged={onChanged} />
}

function Frame({ heading, children }: { heading: Text; children: ReactNode }) {
  return (
    <div className="wizard wizard--wide">
      <div className="issuance issuance--pair">
        <StepHeading step={4} title={heading} />
        {children}
      </div>
    </div>
  )
}

function Issuing({ renewal }: { renewal: Renewal }) {
  const t = useText()
  const { isLate, again } = useRenewalWatch(renewal.uid, true)
  return (
    <Frame heading={{ pl: 'Wydajemy Twój certyfikat', en: 'We’re issuing your certificate' }}>
      <div className="card diploma block issuance__now" role="status" aria-busy={!isLate}>
        <Medallion family="signature" size={104} />
        <ol className="path">
          <li>
            <Icon name="check-circle" />
            {t({ pl: 'Umowa podpisana i\u00a0zapisana', en: 'Agreement signed and saved' })}
          </li>
          <li aria-current="step">
            {isLate ? <Icon name="hourglass" /> : <span className="spin" aria-hidden="true" />}
            <div>
              <b>{t({ pl: 'Wydajemy certyfikat', en: 'Issuing the certificate' })}</b>
              <p>
                {isLate
                  ? t({ pl: 'To trwa dłużej niż zwykle.', en: 'This is taking longer than usual.' })
                  : t({ pl: 'Zwykle trwa to kilka sekund.', en: 'This usually takes a few seconds.' })}
              </p>
            </div>
          </li>
          <li>
            <span className="path__next" aria-hidden="true" />
            {t({ pl: 'Certyfikat gotowy', en: 'Certificate ready' })}
          </li>
        </ol>
        <p className="issuance__close">
          {t({
            pl: 'Możesz zamknąć tę stronę. Napiszemy, gdy certyfikat będzie gotowy.',
            en: 'You can close this page. We’ll e-mail you when the certificate is ready.',
          })}
        </p>
      </div>
      <RenewalSummary renewal={renewal} />
      <NextSteps renewal={renewal} />
      <div className="buttons block">
        <BackToSignatures />
        {isLate && <RetryButton isCheck variant="quiet" onClick={again} />}
      </div>
    </Frame>
  )
}

/** Shows what follows the issuing: when the certificate starts to work, and what is left to do. */
function NextSteps({ renewal: { terms, now } }: { renewal: Renewal }) {
  const t = useText()
  const from = terms?.from && Date.parse(terms.from) > Date.parse(now) ? terms.from : undefined
  return (
    <section className="card block" aria-labelledby="next-title">
      <h2 className="small-heading" id="next-title">
        {t({ pl: 'Co dalej', en: 'What happens next' })}
      </h2>
      <ol className="ordered-list">
        <li>
          {from
            ? t({
                pl: `Nowy certyfikat zacznie działać ${formatDate('pl', from)}. Do tego czasu podpisuj obecnym.`,
                en: `Your new certificate starts on ${formatDate('en', from)}. Until then, sign with your current one.`,
              })
            : t({
                pl: 'Nowy certyfikat zacznie działać, gdy tylko go wydamy.',
                en: 'Your new certificate works as soon as it’s issued.',
              })}
        </li>
        <li>
          {t({
            pl: 'Wtedy połączysz go z\u00a0aplikacją na telefonie: zeskanujesz kod QR. Potrwa to minutę.',
            en: 'Then you connect it to the app on your phone by scanning a QR code. It takes a minute.',
          })}
        </li>
        <li>
          {t({
            pl: 'Kod QR znajdziesz tutaj i\u00a0na liście podpisów.',
            en: 'You’ll find the QR code here and in the list of signatures.',
          })}
        </li>
      </ol>
    </section>
  )
}

/** Shows the day from which the certificate is valid and has a QR code, and offers it for the calendar (REN-9). */
function CertificateStart({ uid, from }: { uid: string; from: string }) {
  const t = useText()
  const [day, time] = [formatDate(t.locale, from), formatTime(t.locale, from)]
  return (
    <div className="issuance__seal">
      <SuccessMark />
      <p className="issuance__when">
        <time dateTime={from}>
          {t({ pl: `Certyfikat zacznie działać ${day}, ${time}`, en: `Your certificate starts on ${day}, ${time}` })}
        </time>
      </p>
      <p className="soft">
        {t({
          pl: 'Wtedy połączysz go z\u00a0aplikacją. Do tego czasu podpisuj obecnym.',
          en: 'You can connect it to the app then. Until then, sign with your current one.',
        })}
      </p>
      <a className="button button--secondary" href={downloadUrl(downloadRenewalCalendar, { uid })} download>
        <Icon name="calendar" />
        {t({ pl: 'Dodaj do kalendarza', en: 'Add to calendar' })}
      </a>
    </div>
  )
}

function NotYet({ renewal, onChanged }: Props) {
  const { uid, signature, now } = renewal
  const { validFrom } = signature!
  const navigate = useNavigate()
  useRefetchWhenValid(uid, Date.parse(validFrom) - Date.parse(now))
  return (
    <Frame heading={{ pl: 'Certyfikat jest gotowy', en: 'Your certificate is ready' }}>
      <div className="card diploma block">
        <CertificateStart uid={uid} from={validFrom} />
      </div>
      <RenewalSummary renewal={renewal} />
      <Finish
        renewal={renewal}
        onChanged={(next) => {
          onChanged(next)
          void navigate(pages.home.path)
        }}
        variant="primary"
        label={{ pl: 'Wróć do strony Start', en: 'Back to Home' }}
      />
    </Frame>
  )
}

/**
 * Reads the renewal again when the certificate becomes valid within a day, because the page may be open then; a browser timer is limited to
 * 24 days.
 */
function useRefetchWhenValid(uid: string, wait: number) {
  useEffect(() => {
    if (wait > 86_400_000) return
    const timer = setTimeout(() => void refetch(readRenewal, { params: { uid } }), Math.max(1000, wait + 1000))
    return () => clearTimeout(timer)
  }, [uid, wait])
}

function Ready({ renewal, onChanged }: Props) {
  const t = useText()
  const { uid, state, version, signature, certificate, person, parameters, now } = renewal
  const move = useRenewalCall()
  const isOnPhone = useOnPhone()

  /** Finishes the renewal: once the app is connected, nothing is left to do here. */
  const finish = () =>
    move(() => call(finishRenewal, { params: { uid }, body: { expected: { state, version } } })).then(onChanged, () =>
      refetch(readRenewal, { params: { uid } }),
    )

  return (
    <Frame heading={{ pl: 'Nowy certyfikat jest gotowy', en: 'Your new certificate is ready' }}>
      <div className="card diploma block issuance__new">
        <CertificateHead name={person.commonName} company={parameters.company} size={104} />
        <LifeBar
          certificate={signature!}
          validity={validityOf(signature!, Date.parse(now))}
          from={{ pl: 'Ważny od ', en: 'Valid from ' }}
        />
        <p>
          {isOnPhone
            ? t({
                pl: 'Jest już ważny. Aby nim podpisywać, otwórz go w\u00a0aplikacji na tym telefonie albo zeskanuj kod QR innym.',
                en: 'It’s already valid. To sign with it, open it in the app on this phone, or scan the QR code with another one.',
              })
            : t({
                pl: 'Jest już ważny. Aby nim podpisywać, zeskanuj kod QR aplikacją na telefonie.',
                en: 'It’s already valid. To sign with it, scan the QR code with the app on your phone.',
              })}
        </p>
        <Finish
          renewal={renewal}
          onChanged={onChanged}
          variant="secondary"
          label={{ pl: 'Połącz później', en: 'Connect later' }}
        >
          <PairButton
            product="signature"
            id={signature!.id}
            nameSuffix={t({ pl: ' nowego podpisu', en: ' of the new signature' })}
            description={<Verbatim>{certificate.name}</Verbatim>}
            isPaired={false}
            variant="primary"
            onPaired={finish}
          />
        </Finish>
      </div>
      <RenewalSummary renewal={renewal} hidesDates />
    </Frame>
  )
}

function RenewalCompleted({ renewal, onChanged }: Props) {
  const t = useText()
  const { uid, state, signature, now } = renewal
  const end = signature && formatDate(t.locale, signature.validTo)
  const isPaired = !!signature?.pairedAt
  const isWaiting = signature && !isPaired && Date.parse(signature.validFrom) > Date.parse(now)
  const isOver = state !== 'issued'
  return (
    <Frame
      heading={
        isPaired
          ? { pl: 'Podpis jest odnowiony', en: 'Your signature is renewed' }
          : isWaiting
            ? { pl: 'Umowa podpisana', en: 'Agreement signed' }
            : { pl: 'Odnowienie jest zakończone', en: 'The renewal is complete' }
      }
    >
      <div className="card diploma block">
        {isWaiting ? (
          <CertificateStart uid={uid} from={signature.validFrom} />
        ) : (
          <div className="issuance__seal">
            <SuccessMark />
            <p className="issuance__what">
              {isPaired
                ? t({
                    pl: `Gotowe! Od teraz podpisujesz nowym certyfikatem, ważnym do ${end}. Zanim wygaśnie, przypomnimy Ci e-mailem.`,
                    en: `All done! From now on you sign with your new certificate, valid until ${end}. We’ll remind you by e-mail before it expires.`,
                  })
                : t({
                    pl: `Nowy certyfikat już działa, do ${end}. Został ostatni krok: połącz go z\u00a0aplikacją na liście podpisów.`,
                    en: `Your new certificate is ready, valid until ${end}. One last step: connect it to the app in the list of signatures.`,
                  })}
            </p>
            {isOver && (
              <div className="buttons">
                <SignaturesButton />
                {isPaired && !isOff('sign') && (
                  <ButtonLink to={pages.sign.path} icon="sign">
                    {t({ pl: 'Podpisz plik', en: 'Sign a file' })}
                  </ButtonLink>
                )}
              </div>
            )}
          </div>
        )}
      </div>
      <RenewalSummary renewal={renewal} />
      {!isOver && (
        <Finish renewal={renewal} onChanged={onChanged} variant="primary" label={{ pl: 'Zakończ', en: 'Finish' }} />
      )}
      {isOver && isWaiting && (
        <div className="buttons block">
          <SignaturesButton />
        </div>
      )}
    </Frame>
  )
}

type FinishProps = Props & {
  variant: 'primary' | 'secondary'
  label: Text
  /** Alternative action, shown before the button. */
  children?: ReactNode
}

/** Shows the button that finishes the renewal: pairing is done or postponed, and in both cases nothing is left to do here. */
function Finish({ renewal: { uid, state, version }, onChanged, variant, label, children }: FinishProps) {
  const t = useText()

  const { run, isBusy, failureText } = useMoveAction(
    () => call(finishRenewal, { params: { uid }, body: { expected: { state, version } } }),
    onChanged,
  )

  return (
    <>
      <FailureNotice text={failureText} className="block" />
      <div className="buttons block">
        {children}
        <Button variant={variant} isBusy={isBusy} busyText={t({ pl: 'Zapisujemy…', en: 'Saving…' })} onClick={run}>
          {t(label)}
        </Button>
      </div>
    </>
  )
}
