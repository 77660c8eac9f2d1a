import { useState } from 'react'
import { PasswordResetForm, requestPasswordReset } from '../../contract/account.ts'
import { call } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { partOnDemand } from '../on-demand.tsx'
import { Heading } from '../page-head.tsx'
import { usePage } from '../page-title.ts'
import { TextLink } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { useBotCheck } from '../bot-check/use-bot-check.tsx'

/** Loaded when needed, because no page begins with it. */
const ResetSentDialog = partOnDemand(() => import('./reset-sent-dialog.tsx').then((file) => file.ResetSentDialog))

const title = { pl: 'Nie pamiętasz hasła?', en: 'Forgot password?' }

/** PWD-1: requests a reset link. What follows is the same whether or not the account exists. */
export function PasswordResetScreen() {
  const t = useText()
  const locale = useLocale()
  const { prove, statusText, statusArea } = useBotCheck('password-reset')
  const [sentTo, setSentTo] = useState<string>()
  usePage({ title })

  const request = async (email: string, botProof: string) =>
    call(requestPasswordReset, { body: { email, locale, botProof } })

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
        <Submit block busyText={statusText ?? t({ pl: 'Wysyłamy…', en: 'Sending…' })}>
          {t({ pl: 'Wyślij link', en: 'Send link' })}
        </Submit>
      </Form>
      <p className="auth__alt">
        <TextLink to="/">{t({ pl: 'Wróć do logowania', en: 'Back to sign-in' })}</TextLink>
      </p>
      {sentTo && (
        <ResetSentDialog
          email={sentTo}
          onResend={(botProof) => request(sentTo, botProof)}
          onClose={() => setSentTo(undefined)}
        />
      )}
    </div>
  )
}
