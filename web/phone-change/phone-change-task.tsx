import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import { CodeForm } from '../../contract/one-time-code.ts'
import { readMyData } from '../../contract/personal-data.ts'
import {
  cancelPhoneChange,
  phoneChangeSteps,
  type PhoneChange,
  DocumentNumberForm,
  enterDocumentNumber,
  enterEmailCode,
  enterNewPhone,
  enterPhoneCode,
  resendPhoneChangeCode,
  type PhoneChangeStep,
} from '../../contract/phone-change.ts'
import { maskNumber } from '../../contract/rules/masks.ts'
import { NewPhoneForm } from '../../contract/rules/phone.ts'
import { useText } from '../app/locale.tsx'
import { focusHeading } from '../app/page-title.ts'
import { setSession } from '../app/session.tsx'
import { call } from '../calls/api.ts'
import { useRead } from '../calls/reads.ts'
import { PhoneField } from '../phone/phone-field.tsx'
import { CodeEntryForm } from '../step-up/code-entry.tsx'
import { toast } from '../toast/toast.tsx'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { CodeTextField } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Stepper } from '../ui/stepper.tsx'

type Props = {
  change: PhoneChange
  /** Whether the change was begun or continued here, so that its heading takes the focus; after loading the page it does not. */
  takesFocus: boolean
  submit: (request: () => Promise<unknown>) => Promise<void>
  onDone: (phone: string) => void
}

const stepNames: Record<PhoneChangeStep, Text> = {
  document: { pl: 'Numer dokumentu', en: 'Document number' },
  email: { pl: 'Kod z\u00a0e-maila', en: 'E-mail code' },
  number: { pl: 'Nowy numer', en: 'New number' },
  sms: { pl: 'Kod SMS', en: 'Text-message code' },
}

type StepNamesProps = {
  change: PhoneChange
  /** Makes a call, and shows the new state of the change. */
  submit: (request: () => Promise<unknown>) => Promise<void>
  onDone: (phone: string) => void
  onBack: () => void
  /** The button that ends the change; the last one of each step. */
  cancel: ReactNode
}

/** Shows the buttons of a step, the one that continues first; the first step has no Back. */
function Buttons({
  children,
  onBack,
  cancel,
}: Pick<StepNamesProps, 'cancel'> & { children: ReactNode; onBack?: () => void }) {
  const t = useText()
  return (
    <div className="buttons">
      {children}
      {onBack && (
        <Button variant="quiet" onClick={onBack}>
          {t({ pl: 'Wstecz', en: 'Back' })}
        </Button>
      )}
      {cancel}
    </div>
  )
}

function Send({ children }: { children: ReactNode }) {
  const t = useText()
  return <Submit busyText={t({ pl: 'Sprawdzamy…', en: 'Checking…' })}>{children}</Submit>
}

function DocumentStep({ submit, cancel }: StepNamesProps) {
  const t = useText()
  const number = useRead(readMyData).data?.identification?.document.number
  const end = number && maskNumber(number).replace(/^.*•/, '')
  return (
    <Form
      schema={DocumentNumberForm}
      failures={{ other: 'documentNumber' }}
      summary={false}
      onSubmit={(body) => submit(() => call(enterDocumentNumber, { body }))}
    >
      <CodeTextField
        name="documentNumber"
        label={t({ pl: 'Seria i\u00a0numer dokumentu tożsamości', en: 'Identity document number' })}
        hint={t({
          pl: `${end ? `Wpisz numer dokumentu, który kończy się na ${end}. ` : ''}Spacje i\u00a0wielkość liter nie mają znaczenia.`,
          en: `${end ? `The document whose number ends in ${end}. ` : ''}Spaces and upper or lower case don’t matter.`,
        })}
      />
      <Buttons cancel={cancel}>
        <Send>{t({ pl: 'Wyślij kod e-mailem', en: 'E-mail me a code' })}</Send>
      </Buttons>
    </Form>
  )
}

/** Asks for the code of either step: the one sent to the mailbox, then the one sent to the new number. */
function CodeStep({ change, submit, onDone, onBack, cancel }: StepNamesProps) {
  const t = useText()
  const { step, sent } = change
  const isByMail = step === 'email'

  async function enter(code: string) {
    if (isByMail) return submit(() => call(enterEmailCode, { body: { code } }))
    return submit(async () => {
      const { phone, session } = await call(enterPhoneCode, { body: { code } })
      setSession(session)
      onDone(phone)
    })
  }

  return (
    <Form schema={CodeForm} failures={{ other: 'code' }} summary={false} onSubmit={({ code }) => enter(code)}>
      {sent && <CodeEntryForm sent={sent} canRestart onResend={() => submit(() => call(resendPhoneChangeCode))} />}
      <Buttons onBack={onBack} cancel={cancel}>
        <Send>
          {isByMail
            ? t({ pl: 'Potwierdź kod', en: 'Confirm code' })
            : t({ pl: 'Zmień numer telefonu', en: 'Change phone number' })}
        </Send>
      </Buttons>
    </Form>
  )
}

function NumberStep({ change, submit, onBack, onNext, cancel }: StepNamesProps & { onNext: () => void }) {
  const t = useText()

  async function enter(body: { phone: string }) {
    await submit(() => call(enterNewPhone, { body }))
    // From a step reached by Back; otherwise the change itself has moved on.
    if (change.step === 'sms') onNext()
  }

  return (
    <Form
      schema={NewPhoneForm}
      initial={change.newPhone ? { phone: change.newPhone } : {}}
      failures={{ other: 'phone' }}
      summary={false}
      onSubmit={enter}
    >
      <PhoneField
        name="phone"
        label={t({ pl: 'Nowy numer telefonu', en: 'New phone number' })}
        hint={t({
          pl: 'Wyślemy na niego kod SMS, aby potwierdzić, że masz do niego dostęp.',
          en: 'We’ll send it a text-message code to confirm that you have access to it.',
        })}
      />
      <Buttons onBack={onBack} cancel={cancel}>
        <Send>{t({ pl: 'Wyślij kod SMS', en: 'Send code' })}</Send>
      </Buttons>
    </Form>
  )
}

const proven: Record<'document' | 'email', Text> = {
  document: {
    pl: 'Numer dokumentu jest już potwierdzony. Nie musisz podawać go ponownie.',
    en: 'We’ve confirmed the document number. You don’t need to enter it again.',
  },
  email: {
    pl: 'Kod z\u00a0e-maila jest już potwierdzony. Nie musisz podawać go ponownie.',
    en: 'We’ve confirmed the e-mail code. You don’t need to enter it again.',
  },
}

/** Shows a step reached by Back; a proof that was given is never requested twice (WCAG 3.3.7). */
function ProvenStep({
  step,
  onNext,
  onBack,
  cancel,
}: Pick<StepNamesProps, 'onBack' | 'cancel'> & { step: 'document' | 'email'; onNext: () => void }) {
  const t = useText()
  return (
    <div className="form">
      <p>{t(proven[step])}</p>
      <Buttons cancel={cancel} {...(step !== 'document' && { onBack })}>
        <Button variant="primary" onClick={onNext}>
          {t({ pl: 'Dalej', en: 'Next' })}
        </Button>
      </Buttons>
    </div>
  )
}

/** Shows the form of a step: the current step of the change, or an earlier one. */
function PhoneChangeForm({ shown, onNext, ...props }: StepNamesProps & { shown: PhoneChangeStep; onNext: () => void }) {
  const { change, onBack, cancel } = props
  if (shown === 'number') return <NumberStep {...props} onNext={onNext} />
  if (shown === 'sms') return <CodeStep {...props} />
  if (shown !== change.step) return <ProvenStep step={shown} onNext={onNext} onBack={onBack} cancel={cancel} />
  return shown === 'document' ? <DocumentStep {...props} /> : <CodeStep {...props} />
}

/**
 * Shows the steps on the page itself, after the confirmation by the current number or a passkey, which starts the change (DAT-2, DAT-8).
 */
export function PhoneChangeTask({ change, takesFocus, submit, onDone }: Props) {
  const t = useText()
  const reached = phoneChangeSteps.indexOf(change.step)
  const [index, setIndex] = useState(reached)
  const heading = useRef<HTMLHeadingElement>(null)
  const first = useRef(!takesFocus)
  useEffect(() => {
    if (!first.current) heading.current?.focus()
    first.current = false
  }, [index])

  const { run: cancel, isBusy: isCanceling } = useAction(
    async () => {
      await submit(() => call(cancelPhoneChange))
      focusHeading()
    },
    (title) => toast({ title, variant: 'destructive' }),
  )

  const shown = phoneChangeSteps[index]!
  const names = [t({ pl: 'Obecny numer', en: 'Current number' }), ...phoneChangeSteps.map((step) => t(stepNames[step]))]
  const current = index + 2
  return (
    <section className="card task" aria-labelledby="phone-task">
      <h2 id="phone-task" ref={heading} tabIndex={-1}>
        <span className="small muted">
          {t({ pl: `Krok ${current} z\u00a0${names.length}`, en: `Step ${current} of ${names.length}` })}
          <span className="unseen">: </span>
        </span>
        {names[current - 1]}
      </h2>
      <Stepper
        label={t({ pl: 'Postęp zmiany numeru', en: 'Number change progress' })}
        steps={names}
        current={current}
      />
      <PhoneChangeForm
        key={shown}
        shown={shown}
        change={change}
        submit={submit}
        onDone={onDone}
        onBack={() => setIndex(index - 1)}
        onNext={() => setIndex(index + 1)}
        cancel={
          <Button variant="quiet" isBusy={isCanceling} onClick={cancel}>
            {t({ pl: 'Anuluj zmianę', en: 'Cancel change' })}
          </Button>
        }
      />
    </section>
  )
}
