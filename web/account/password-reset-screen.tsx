import { useState } from 'react'
import { limits } from '../../contract/limits.ts'
import { PasswordResetForm, requestPasswordReset } from '../../contract/passwords.ts'
import { useText } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { Heading } from '../app/page-head.tsx'
import { usePage } from '../app/page-title.ts'
import { useBotCheck } from '../bot-check/use-bot-check.tsx'
import { call } from '../calls/api.ts'
import { TextLink } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { LostPhoneLine } from './lost-phone-line.tsx'

/** Loaded when needed, because no page begins with it. */
const LinkSentDialog = partOnDemand(() => import('./link-sent-dialog.tsx').then((file) => file.LinkSentDialog))

const title = { pl: 'Nie pamiętasz hasła?', en: 'Forgot password?' }

/** Requests a reset link (PWD-1). What follows is the same whether or not the account exists. */
export function PasswordResetScreen() {
  const t = useText()
  const { prove, statusText, statusArea } = useBotCheck('password-reset')
  const [sentTo, setSentTo] = useState<string>()
  usePage({ title })

  const request = async (email: string, botProof: string) =>
    call(requestPasswordReset, { body: { email, locale: t.locale, botProof } })

  return (
    <div className="auth__box">
      <Heading
        title={title}
        lede={{
          pl: 'Podaj e-mail swojego konta. Wyślemy link do ustawienia nowego hasła.',
          en: 'Enter your account’s e-mail address. We’ll send you a link to set a new password.',
        }}
      />
      <Form
        schema={PasswordResetForm}
        onSubmit={async ({ email }) => {
          await request(email, await prove())
          setSentTo(email)
        }}
      >
        <Field name="email" type="email" label="E-mail" autoComplete="email" />
        {statusArea}
        <Submit isWide busyText={statusText ?? t({ pl: 'Wysyłamy…', en: 'Sending…' })}>
          {t({ pl: 'Wyślij link', en: 'Send link' })}
        </Submit>
      </Form>
      <p className="auth__alt">
        <TextLink to="/">{t({ pl: 'Wróć do logowania', en: 'Back to sign-in' })}</TextLink>
      </p>
      <LostPhoneLine />
      {sentTo && (
        <LinkSentDialog
          action="password-reset"
          validSeconds={limits.link.reset}
          sentText={{
            pl: 'Jeśli konto istnieje, wysłaliśmy link na podany adres.',
            en: 'If the account exists, we’ve sent a link to the address you gave.',
          }}
          name={sentTo}
          onResend={(botProof) => request(sentTo, botProof)}
          onClose={() => setSentTo(undefined)}
        />
      )}
    </div>
  )
}
