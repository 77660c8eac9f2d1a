import { useState, type ReactNode, useEffect, useRef } from 'react'
import { consentKinds, type ConsentKind } from '../../contract/legal/consent-statements.ts'
import { RegistrationForm } from '../../contract/registration.ts'
import { requireElement } from '../app/element-refs.ts'
import { useText } from '../app/locale.tsx'
import { Heading } from '../app/page-head.tsx'
import { hasFailedWith } from '../calls/api.ts'
import { ConsentFields, type Read } from '../consents/consent-fields.tsx'
import { PhoneField } from '../phone/phone-field.tsx'
import { formatDateTime } from '../text/format.ts'
import { TextLink } from '../ui/button.tsx'
import { CallButton } from '../ui/call-button.tsx'
import { Field } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { correctedEmail } from './email-typo.ts'

type Props = {
  /** Values that were sent before and are to be corrected. */
  entered: RegistrationForm | undefined
  read: Read
  onRead: (kind: ConsentKind) => void
  onSubmit: (values: RegistrationForm) => Promise<unknown>
  busyText: string | undefined
  /** The bot check. */
  children: ReactNode
}

/** Shows the registration form (REG-1, REG-2). */
export function RegistrationFields({ entered, read, onRead, onSubmit, busyText, children }: Props) {
  const t = useText()
  const [pauseEnds, setPauseEnds] = useState<number>()

  async function submit(values: RegistrationForm) {
    setPauseEnds(undefined)
    try {
      await onSubmit(values)
    } catch (error) {
      const wait = hasFailedWith(error, 'too-many-attempts') && error.problem.retryAfter
      if (!wait) throw error
      setPauseEnds(Date.now() + wait * 1000)
    }
  }

  return (
    <div className="auth__box auth__box--wide">
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
        <div className="two-columns">
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
        <Submit isWide busyText={busyText ?? t({ pl: 'Wysyłamy…', en: 'Sending…' })}>
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

/** Shows when to try again, and who helps now (REG-3). Takes the focus, because it is above the form that was just sent. */
function TooManyNotice({ ends }: { ends: number }) {
  const t = useText()
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => notice.current?.focus(), [ends])
  return (
    <Notice
      ref={notice}
      kind="error"
      role="alert"
      tabIndex={-1}
      className="auth__notice"
      title={t({
        pl: 'Za dużo prób założenia konta z\u00a0tego adresu IP. Spróbuj ponownie później.',
        en: 'Too many attempts to create an account from this IP address. Try again later.',
      })}
    >
      <p>
        {t({ pl: 'Następna próba: ', en: 'You can try again on ' })}
        <span className="nowrap">{formatDateTime(t.locale, ends)}</span>.{' '}
        {t({
          pl: 'Wpisane dane zostają. Możesz też założyć konto przez telefon.',
          en: 'What you’ve entered stays here. You can also create an account by phone.',
        })}
      </p>
      <CallButton />
    </Notice>
  )
}

/** Shows the e-mail field, and offers to correct a domain that looks mistyped: an offer, never an error. */
function EmailField() {
  const t = useText()
  const box = useRef<HTMLDivElement>(null)
  const [offer, setOffer] = useState<string>()
  const field = () => requireElement(box).querySelector('input')

  function accept(email: string) {
    const input = field()
    if (!input) return
    input.value = email
    setOffer(undefined)
    // The form checks on native events of a named field (VAL-2).
    input.dispatchEvent(new Event('change', { bubbles: true }))
    input.focus()
  }

  return (
    <div ref={box} className="stack email-field">
      <Field
        name="email"
        type="email"
        label="E-mail"
        hint={t({ pl: 'Będzie Twoim loginem.', en: 'This will be your username.' })}
        autoComplete="email"
        onBlur={({ target }) => setOffer(correctedEmail(target.value))}
      />
      <div role="status">
        {offer && (
          <>
            {t({ pl: 'Czy chodziło o\u00a0', en: 'Did you mean ' })}
            <button type="button" className="link" onClick={() => accept(offer)}>
              @{offer.split('@')[1]}
            </button>
            ?
          </>
        )}
      </div>
    </div>
  )
}
