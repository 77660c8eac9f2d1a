import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { Reply } from '../../contract/endpoint.ts'
import { readMyData, type MyData } from '../../contract/personal-data.ts'
import { readPhoneChange, startPhoneChange } from '../../contract/phone-change.ts'
import { isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { focusHeading } from '../app/page-title.ts'
import { SupportLine } from '../app/support-line.tsx'
import { call, hasFailedWith } from '../calls/api.ts'
import { invalidate } from '../calls/reads.ts'
import { groupedPhone, MaskedPhone } from '../phone/masked-phone.tsx'
import { AnswerLink } from '../text/answer-link.tsx'
import { failureText } from '../text/failure-text.ts'
import { formatDateTime } from '../text/format.ts'
import { toast } from '../toast/toast.tsx'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { CallButton } from '../ui/call-button.tsx'
import { DescriptionList, Row, VerbatimRow } from '../ui/description-list.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { Fold } from '../ui/fold.tsx'
import { HiddenNumber } from '../ui/hidden-number.tsx'
import { Notice } from '../ui/notice.tsx'
import { SectionCard } from '../ui/section-card.tsx'
import { MailAddress } from '../ui/verbatim.tsx'
import { PhoneChangeDone } from './phone-change-done.tsx'

const PhoneChangeTask = partOnDemand(() => import('./phone-change-task.tsx').then((file) => file.PhoneChangeTask))

type State = Reply<typeof readPhoneChange>
type Props = { data: MyData; state: State }
/** The new number, masked, once the change is made on this page. */
type DoneProps = { done: string | undefined; onDone: (phone: string) => void }

const goneOn = {
  pl: 'Zmiana numeru poszła dalej w\u00a0innej karcie. To jej obecny stan.',
  en: 'This change went on in another tab. This is its current state.',
}

/** The task, as its button and as the heading of the page while it is under way. */
export const changePhoneText = { pl: 'Zmień numer telefonu', en: 'Change phone number' }

/** Returns the change that can be continued now. */
export const openChange = (state: State | undefined) => (state?.blockedUntil ? null : state?.change)

/**
 * Shows the contact data, or in their place the phone change while it is under way, and above them the result of the change (DAT-2…DAT-4,
 * DAT-9).
 */
export function PhoneChangePart({ data, state, done, onDone }: Props & DoneProps) {
  const t = useText()
  const [isSubmitted, setIsSubmitted] = useState(false)
  const { blockedUntil } = state
  const change = openChange(state)

  /** Sends a request, and reads the state of the change again, so that two tabs never disagree. */
  async function submit(request: () => Promise<unknown>) {
    setIsSubmitted(true)
    try {
      await request()
    } catch (error) {
      if (!hasFailedWith(error, 'phone-change-blocked', 'state-passed')) throw error
      // The block has a notice of its own.
      if (error.code === 'state-passed') {
        toast({ title: t(goneOn), variant: 'destructive' })
        // Only an open change has a heading of its own to take the focus.
        focusHeading()
      }
    }
    await invalidate(readPhoneChange)
  }

  return (
    <>
      {done !== undefined && <PhoneChangeDone phone={done} />}
      {change && done === undefined && (
        <PhoneChangeTask
          key={change.step}
          change={change}
          takesFocus={isSubmitted}
          submit={submit}
          onDone={(phone) => {
            onDone(phone)
            void invalidate(readMyData)
          }}
        />
      )}
      {(!change || done !== undefined) && (
        <ContactCard data={data}>
          {blockedUntil && <Blocked until={blockedUntil} takesFocus={isSubmitted} />}
          {!blockedUntil && done === undefined && <Begin data={data} state={state} submit={submit} />}
        </ContactCard>
      )}
    </>
  )
}

/** Shows how the portal reaches the customer; `children` changes the number. */
export function ContactCard({ data, children }: { data: MyData; children?: ReactNode }) {
  const t = useText()
  const { login, email, phone, maskedPhone } = data
  return (
    <SectionCard id="contact-title" title={t({ pl: 'Kontakt', en: 'Contact' })}>
      <DescriptionList>
        <Row name="E-mail">
          <MailAddress>{email}</MailAddress>
        </Row>
        {login !== email && <VerbatimRow name={t({ pl: 'Login', en: 'Username' })}>{login}</VerbatimRow>}
        <Row name={t({ pl: 'Telefon', en: 'Phone' })}>
          <HiddenNumber
            key={phone}
            what={t({ pl: 'telefon', en: 'phone' })}
            value={groupedPhone(phone, maskedPhone)}
            masked={maskedPhone}
          />
        </Row>
      </DescriptionList>
      {children}
    </SectionCard>
  )
}

/** Shows, next to the steps, which number works until they are done, and who helps. */
export function PhoneChangeHelp({ phone }: { phone: string }) {
  const t = useText()
  return (
    <SectionCard id="phone-help" title={t({ pl: 'Do czasu zmiany numeru', en: 'Until the change is complete' })}>
      <p className="soft">
        {t({ pl: 'Dotychczasowy numer ', en: 'Your current number ' })}
        <MaskedPhone number={phone} />
        {t({ pl: ' działa bez zmian.', en: ' works as before.' })}
      </p>
      <p className="task__help">{t({ pl: 'Coś się nie udaje? Zadzwoń do nas.', en: 'Stuck? Call us.' })}</p>
      <CallButton />
    </SectionCard>
  )
}

/** Shows that the change is blocked (DAT-4), until when, and what to do until then. */
function Blocked({ until, takesFocus }: { until: string; takesFocus: boolean }) {
  const t = useText()
  const notice = useRef<HTMLDivElement>(null)
  const wasSubmitted = useRef(takesFocus)
  useEffect(() => {
    if (wasSubmitted.current) notice.current?.focus()
  }, [])
  return (
    <Notice kind="error" title={t(failureText['phone-change-blocked'])} role="alert" ref={notice} tabIndex={-1}>
      <p>
        {t({ pl: 'Możesz to zrobić od ', en: 'You can do this from ' })}
        <time className="nowrap" dateTime={until}>
          {formatDateTime(t.locale, until)}
        </time>
        {t({
          pl: '. Dotychczasowy numer działa bez zmian. Jeśli to pilne, zadzwoń do nas.',
          en: '. Your current number works as before. If it’s urgent, call us.',
        })}{' '}
        <AnswerLink to="number-change-refused" />
      </p>
      <CallButton />
    </Notice>
  )
}

/** Returns the steps of the change, which are shown before the first message is sent (DAT-8). */
const planOf = () => [
  isOff('passkeys')
    ? { pl: 'Wpisz kod SMS wysłany na obecny numer', en: 'Enter the code texted to your current number' }
    : {
        pl: 'Wpisz kod SMS wysłany na obecny numer albo użyj klucza dostępu',
        en: 'Enter the code texted to your current number, or use a passkey',
      },
  { pl: 'Podaj numer dokumentu tożsamości', en: 'Enter the number of your identity document' },
  { pl: 'Wpisz kod z\u00a0e-maila', en: 'Enter the code we e-mail you' },
  { pl: 'Podaj nowy numer', en: 'Enter your new number' },
  { pl: 'Wpisz kod SMS wysłany na nowy numer', en: 'Enter the code texted to your new number' },
]

function Begin({ data, state, submit }: Props & { submit: (request: () => Promise<unknown>) => Promise<void> }) {
  const t = useText()
  const {
    run,
    isBusy,
    failureText: failed,
  } = useAction(() => submit(() => call(startPhoneChange, { params: { id: data.id } })))

  if (!state.isPossible)
    return (
      <div className="task__plan">
        <p>
          {t(failureText['document-unknown'])} <AnswerLink to="change-number" />
        </p>
        <CallButton />
      </div>
    )
  return (
    <>
      <p className="buttons">
        <Button isBusy={isBusy} aria-haspopup="dialog" onClick={run}>
          {t(changePhoneText)}
        </Button>
      </p>
      <FailureNotice text={failed} />
      <div className="task__plan">
        <Fold summary={t({ pl: 'Jak zmienisz numer: 5\u00a0kroków', en: 'How to change it: 5\u00a0steps' })}>
          <ol className="ordered-list">
            {planOf().map((step) => (
              <li key={step.en}>{t(step)}</li>
            ))}
          </ol>
        </Fold>
        <p className="small muted">
          {isOff('passkeys')
            ? t({
                pl: 'Nie masz już obecnego numeru? Zadzwoń, a\u00a0zmienimy numer razem: ',
                en: 'Don’t have your current number? Call us and we’ll change the number together: ',
              })
            : t({
                pl: 'Nie masz już obecnego numeru ani klucza dostępu? Zadzwoń, a\u00a0zmienimy numer razem: ',
                en: 'Don’t have your current number or a passkey? Call us and we’ll change the number together: ',
              })}
          <SupportLine />
        </p>
      </div>
    </>
  )
}
