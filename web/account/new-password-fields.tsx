import { useText } from '../app/locale.tsx'
import { NewPasswordField } from '../ui/new-password-field.tsx'
import { PasswordField } from '../ui/password-field.tsx'

/** Shows a hidden field with the login. The field has no name, so it is not sent; password managers read from it whose password this is. */
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
