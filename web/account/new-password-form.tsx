import { setPassword, SetPasswordForm, type checkPasswordLink } from '../../contract/account.ts'
import type { Reply } from '../../contract/endpoint.ts'
import { call, CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { formatDateTime } from '../text/format.ts'
import { Form, Submit } from '../ui/form.tsx'
import { PasswordField } from '../ui/password-field.tsx'

type Props = {
  link: Reply<typeof checkPasswordLink>
  token: string
  onDone: () => void
  onLinkFailed: (failed: CallFailed) => void
}

export function NewPasswordForm({ link: { login, purpose, expiresAt }, token, onDone, onLinkFailed }: Props) {
  const t = useText()
  const locale = useLocale()

  async function set(password: { newPassword: string; repeatPassword: string }) {
    try {
      await call(setPassword, { body: { token, password } })
      onDone()
    } catch (error) {
      if (!(error instanceof CallFailed && error.code.startsWith('link-'))) throw error
      onLinkFailed(error)
    }
  }

  return (
    <div className="auth__box">
      <h1>
        {purpose === 'set-up'
          ? t({ pl: 'Ustaw hasło', en: 'Set up password' })
          : t({ pl: 'Ustaw nowe hasło', en: 'Set a new password' })}
      </h1>
      <p className="lede">
        {t({ pl: 'Konto: ', en: 'Account: ' })}
        <b className="mono wrap">{login}</b>
        {t({
          pl: `. Link działa do ${formatDateTime(locale, expiresAt)}.`,
          en: `. The link works until ${formatDateTime(locale, expiresAt)}.`,
        })}
      </p>
      <Form schema={SetPasswordForm} failures={{ 'password-used-before': 'newPassword' }} onSubmit={set}>
        {/* Without a name, so it is not sent: it tells password managers whose password this is. */}
        <input type="text" autoComplete="username" defaultValue={login} readOnly hidden />
        <PasswordField name="newPassword" newPassword label={t({ pl: 'Nowe hasło', en: 'New password' })} />
        <PasswordField
          name="repeatPassword"
          autoComplete="new-password"
          label={t({ pl: 'Powtórz hasło', en: 'Repeat password' })}
        />
        <Submit block busyText={t({ pl: 'Zapisujemy…', en: 'Saving…' })}>
          {t({ pl: 'Ustaw hasło', en: 'Set password' })}
        </Submit>
      </Form>
    </div>
  )
}
