import { setPassword, SetPasswordForm } from '../../contract/password-link.ts'
import { call, CallFailed } from '../api.ts'
import { useText } from '../locale.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { PasswordField } from '../ui/password-field.tsx'

type Props = {
  login: string
  token: string
  onDone: () => void
  onLinkFailed: (failed: CallFailed) => void
}

export function NewPasswordForm({ login, token, onDone, onLinkFailed }: Props) {
  const t = useText()

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
  )
}
