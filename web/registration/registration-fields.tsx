import { useState, type ReactNode } from 'react'
import { consentKinds, type ConsentKind } from '../../contract/legal/consent-statements.ts'
import { RegistrationForm } from '../../contract/registration.ts'
import { failedWith } from '../api.ts'
import { useText } from '../locale.tsx'
import { Heading } from '../page-head.tsx'
import { TextLink } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { PhoneField } from '../phone/phone-field.tsx'
import { ConsentFields, type Read } from '../consents/consent-fields.tsx'
import { EmailField } from './email-field.tsx'
import { TooManyNotice } from './too-many-notice.tsx'

type Props = {
  /** What was sent before and is to be corrected. */
  entered: RegistrationForm | undefined
  read: Read
  onRead: (kind: ConsentKind) => void
  onSubmit: (values: RegistrationForm) => Promise<unknown>
  busyText: string | undefined
  /** The bot check. */
  children: ReactNode
}

/** REG-1, REG-2. */
export function RegistrationFields({ entered, read, onRead, onSubmit, busyText, children }: Props) {
  const t = useText()
  const [pauseEnds, setPauseEnds] = useState<number>()

  async function submit(values: RegistrationForm) {
    setPauseEnds(undefined)
    try {
      await onSubmit(values)
    } catch (error) {
      const wait = failedWith(error, 'too-many-attempts') && error.problem.retryAfter
      if (!wait) throw error
      setPauseEnds(Date.now() + wait * 1000)
    }
  }

  return (
    <div className="auth__box auth__box--w">
      <Heading
        title={{ pl: 'Załóż konto', en: 'Create an account' }}
        lede={{
          pl: 'Zajmie to około 2\u00a0minut. Link do ustawienia hasła wyślemy e-mailem.',
          en: 'It takes about 2\u00a0minutes. We’ll e-mail you a link to set your password.',
        }}
      />
      {pauseEnds && <TooManyNotice ends={pauseEnds} />}
      <Form
        schema={RegistrationForm}
        initial={initialOf(entered)}
        failures={{ 'sms-country-refused': 'phone' }}
        onSubmit={submit}
      >
        <EmailField />
        <div className="two">
          <Field name="firstName" label={t({ pl: 'Imię', en: 'First name' })} autoComplete="given-name" />
          <Field
            name="secondName"
            label={t({ pl: 'Drugie imię', en: 'Second name' })}
            optional
            autoComplete="additional-name"
          />
        </div>
        <Field name="surname" label={t({ pl: 'Nazwisko', en: 'Surname' })} autoComplete="family-name" />
        <PhoneField
          name="phone"
          label={t({ pl: 'Telefon komórkowy', en: 'Mobile phone' })}
          hint={t({ pl: 'Na ten numer wyślemy kody SMS.', en: 'We’ll send text-message codes to this number.' })}
        />
        <ConsentFields kinds={consentKinds} read={read} onRead={onRead} />
        {children}
        <Submit block busyText={busyText ?? t({ pl: 'Wysyłamy…', en: 'Sending…' })}>
          {t({ pl: 'Załóż konto', en: 'Create an account' })}
        </Submit>
      </Form>
      <p className="auth__alt">
        {t({ pl: 'Masz już konto? ', en: 'Already have an account? ' })}
        <TextLink to="/">{t({ pl: 'Zaloguj się', en: 'Sign in' })}</TextLink>
      </p>
    </div>
  )
}

const initialOf = (entered: RegistrationForm | undefined): Record<string, string | boolean> =>
  entered ? { ...entered, secondName: entered.secondName ?? '' } : {}
