import { loginPath } from '../../contract/pages.ts'
import { changePassword, ChangePasswordForm } from '../../contract/passwords.ts'
import { call } from '../api.ts'
import { isOff } from '../config.ts'
import { useText } from '../locale.tsx'
import { dropSession, useSession } from '../session.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { NewPasswordFields, PasswordOwner } from './new-password-fields.tsx'
import { PasskeysReview } from './passkeys-review.tsx'
import { PageHead } from '../page-head.tsx'

/** PWD-3…PWD-5. */
export function ChangePasswordScreen() {
  const t = useText()
  const { customer } = useSession()

  /** Every session of the account has ended by then, so the login page is reloaded and nothing stays in memory (PWD-3, R8). */
  async function change(body: Record<'currentPassword' | 'newPassword' | 'repeatPassword', string>) {
    await call(changePassword, { body })
    dropSession('password-changed')
    location.replace(loginPath(t.locale, { reason: 'password-changed' }))
  }

  return (
    <>
      <PageHead title={{ pl: 'Zmiana hasła', en: 'Change password' }} />
      <div className="pwd">
        <section className="card">
          <Form
            schema={ChangePasswordForm}
            failures={{ 'current-password-wrong': 'currentPassword', 'password-used-before': 'newPassword' }}
            onSubmit={change}
          >
            <PasswordOwner login={customer.login} />
            <PasswordField name="currentPassword" label={t({ pl: 'Obecne hasło', en: 'Current password' })} />
            <NewPasswordFields repeatLabel={t({ pl: 'Powtórz nowe hasło', en: 'Repeat new password' })} />
            <Notice>
              {t({
                pl: 'Po zmianie wylogujemy Cię ze wszystkich urządzeń.',
                en: 'After the change we’ll sign you out on all devices.',
              })}
            </Notice>
            <Submit busyText={t({ pl: 'Zmieniamy…', en: 'Changing…' })}>
              {t({ pl: 'Zmień hasło', en: 'Save new password' })}
            </Submit>
          </Form>
        </section>
        {!isOff('passkeys') && <PasskeysReview />}
      </div>
    </>
  )
}
