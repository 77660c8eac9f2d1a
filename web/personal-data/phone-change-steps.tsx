import type { ReactNode } from 'react'
import { CodeForm } from '../../contract/account.ts'
import {
  DocumentNumberForm,
  enterDocumentNumber,
  enterEmailCode,
  enterNewPhone,
  enterPhoneCode,
  resendPhoneChangeCode,
  type PhoneChange,
  type PhoneChangeStep,
} from '../../contract/phone-change.ts'
import { readMyData } from '../../contract/my-data.ts'
import { maskNumber } from '../../contract/rules/masks.ts'
import { NewPhoneForm } from '../../contract/rules/phone.ts'
import type { Text } from '../../contract/enums.ts'
import { call } from '../api.ts'
import { useText } from '../locale.tsx'
import { useRead } from '../reads.ts'
import { setSession } from '../session.tsx'
import { Button } from '../ui/button.tsx'
import { CodeField } from '../ui/code-field.tsx'
import { CodeResend } from '../step-up/code-resend.tsx'
import { CodeTextField } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { MaskedPhone } from '../phone/masked-phone.tsx'
import { PhoneField } from '../phone/phone-field.tsx'
import { Verbatim } from '../ui/verbatim.tsx'

export const stepNames: Record<PhoneChangeStep, Text> = {
  document: { pl: 'Numer dokumentu', en: 'Document number' },
  email: { pl: 'Kod z\u00a0e-maila', en: 'E-mail code' },
  number: { pl: 'Nowy numer', en: 'New number' },
  sms: { pl: 'Kod SMS', en: 'Text-message code' },
}

type Props = {
  change: PhoneChange
  /** Makes a call, and shows the new state of the change. */
  submit: (request: () => Promise<unknown>) => Promise<void>
  onDone: (phone: string) => void
  onBack: () => void
}

function Buttons({ children, onBack }: { children: ReactNode; onBack?: () => void }) {
  const t = useText()
  return (
    <div className="btns">
      <Submit busyText={t({ pl: 'Sprawdzamy…', en: 'Checking…' })}>{children}</Submit>
      {onBack && (
        <Button variant="quiet" onClick={onBack}>
          {t({ pl: 'Wstecz', en: 'Back' })}
        </Button>
      )}
    </div>
  )
}

function DocumentStep({ submit }: Props) {
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
        label={t({ pl: 'Seria i\u00a0numer dokumentu tożsamości', en: 'Identity document series and number' })}
        hint={t({
          pl: `${end ? `Dokumentu, którego numer kończy się na ${end}. ` : ''}Spacje i\u00a0wielkość liter nie mają znaczenia.`,
          en: `${end ? `The document whose number ends in ${end}. ` : ''}With or without spaces, upper or lower case.`,
        })}
      />
      <Buttons>{t({ pl: 'Wyślij kod e-mailem', en: 'E-mail me a code' })}</Buttons>
    </Form>
  )
}

/** The code of either step: to the mailbox, then to the new number. */
function CodeStep({ change, submit, onDone, onBack }: Props) {
  const t = useText()
  const { step, sent } = change
  const byMail = step === 'email'

  async function enter(code: string) {
    if (byMail) return submit(() => call(enterEmailCode, { body: { code } }))
    return submit(async () => {
      const { phone, session } = await call(enterPhoneCode, { body: { code } })
      setSession(session)
      onDone(phone)
    })
  }

  return (
    <Form schema={CodeForm} failures={{ other: 'code' }} summary={false} onSubmit={({ code }) => enter(code)}>
      <p>
        {byMail
          ? t({ pl: 'Wysłaliśmy e-mail z\u00a0kodem na adres ', en: 'We’ve e-mailed a code to ' })
          : t({ pl: 'Wysłaliśmy kod SMS na numer ', en: 'We’ve sent a text-message code to ' })}
        <b>{byMail ? <Verbatim>{sent?.to}</Verbatim> : sent && <MaskedPhone number={sent.to} />}</b>.
      </p>
      <CodeField
        name="code"
        label={
          byMail
            ? t({ pl: 'Kod z\u00a0e-maila, 6\u00a0cyfr', en: 'E-mail code, 6\u00a0digits' })
            : t({ pl: 'Kod SMS, 6\u00a0cyfr', en: 'Text-message code, 6\u00a0digits' })
        }
      />
      {sent && <CodeResend sent={sent} restartable onResend={() => submit(() => call(resendPhoneChangeCode))} />}
      <Buttons onBack={onBack}>
        {byMail
          ? t({ pl: 'Potwierdź kod', en: 'Confirm code' })
          : t({ pl: 'Zmień numer telefonu', en: 'Change phone number' })}
      </Buttons>
    </Form>
  )
}

function NumberStep({ change, submit, onBack, onNext }: Props & { onNext: () => void }) {
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
      <Buttons onBack={onBack}>{t({ pl: 'Wyślij kod SMS', en: 'Send code' })}</Buttons>
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

/** A step reached by Back; what was proven is never requested twice (WCAG 3.3.7). */
function ProvenStep({ step, onNext, onBack }: { step: 'document' | 'email'; onNext: () => void; onBack: () => void }) {
  const t = useText()
  return (
    <div className="form">
      <p>{t(proven[step])}</p>
      <div className="btns">
        <Button variant="primary" onClick={onNext}>
          {t({ pl: 'Dalej', en: 'Next' })}
        </Button>
        {step !== 'document' && (
          <Button variant="quiet" onClick={onBack}>
            {t({ pl: 'Wstecz', en: 'Back' })}
          </Button>
        )}
      </div>
    </div>
  )
}

/** The step that is shown: the one the change has come to, or one before it. */
export function PhoneChangeForm({ shown, onNext, ...props }: Props & { shown: PhoneChangeStep; onNext: () => void }) {
  const { change, onBack } = props
  if (shown === 'number') return <NumberStep {...props} onNext={onNext} />
  if (shown === 'sms') return <CodeStep {...props} />
  if (shown !== change.step) return <ProvenStep step={shown} onNext={onNext} onBack={onBack} />
  return shown === 'document' ? <DocumentStep {...props} /> : <CodeStep {...props} />
}
