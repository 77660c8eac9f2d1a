import { setPassword, SetPasswordForm } from '../../contract/password-link.ts'
import { call, onFailure, type ApiError } from '../api.ts'
import { useText } from '../locale.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { NewPasswordField } from '../ui/new-password-field.tsx'
import { PasswordField } from '../ui/password-field.tsx'

type Props = {
  login: string
  token: string
  onDone: () => void
  onLinkFailed: (failed: ApiError) => void
}

export function NewPasswordForm({ login, token, onDone, onLinkFailed }: Props) {
  const t = useText()

  const set = (password: { newPassword: string; repeatPassword: string }) =>
    call(setPassword, { body: { token, password } }).then(
      onDone,
      onFailure(['link-unknown', 'link-expired', 'link-used'], onLinkFailed),
    )

  return (
    <Form schema={SetPasswordForm} failures={{ 'password-used-before': 'newPassword' }} onSubmit={set}>
      <PasswordOwner login={login} />
      <NewPasswordFields repeatLabel={t({ pl: 'Powtórz hasło', en: 'Repeat password' })} />
      <Submit block busyText={t({ pl: 'Zapisujemy…', en: 'Saving…' })}>
        {t({ pl: 'Ustaw hasło', en: 'Set password' })}
      </Submit>
    </Form>
  )
}

/** Without a name, so it is not sent; password managers read from it whose password this is. */
export const PasswordOwner = ({ login }: { login: string }) => (
  <input type="text" autoComplete="username" defaultValue={login} readOnly hidden />
)

export function NewPasswordFields({ repeatLabel }: { repeatLabel: string }) {
  const t = useText()
  return (
    <>
      <NewPasswordField name="newPassword" label={t({ pl: 'Nowe hasło', en: 'New password' })} />
      <PasswordField name="repeatPassword" autoComplete="new-password" label={repeatLabel} />
    </>
  )
}
