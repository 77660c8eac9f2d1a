import { loginPath } from '../../contract/pages.ts'
import { changePassword, ChangePasswordForm } from '../../contract/account.ts'
import { call } from '../api.ts'
import { isOff } from '../config.ts'
import { useLocale, useText } from '../locale.tsx'
import { usePage } from '../page-title.ts'
import { dropSession, useSession } from '../session.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { PasskeysReview } from './passkeys-review.tsx'

/** PWD-3…PWD-5. */
export function ChangePasswordScreen() {
  const t = useText()
  const locale = useLocale()
  const { customer } = useSession()
  usePage({ title: { pl: 'Zmiana hasła', en: 'Change password' } })

  /** Every session of the account is over by then, so the login page is loaded anew and nothing stays in memory (PWD-3, R8). */
  async function change(body: Record<'currentPassword' | 'newPassword' | 'repeatPassword', string>) {
    await call(changePassword, { body })
    dropSession('password-changed')
    location.replace(loginPath(locale, { reason: 'password-changed' }))
  }

  return (
    <>
      <div className="page__head">
        <div>
          <h1>{t({ pl: 'Zmiana hasła', en: 'Change password' })}</h1>
        </div>
      </div>
      <div className="stack">
        <section className="card narrow">
          <Form
            schema={ChangePasswordForm}
            failures={{ 'current-password-wrong': 'currentPassword', 'password-used-before': 'newPassword' }}
            onSubmit={change}
          >
            {/* Without a name, so it is not sent: it tells password managers whose password this is. */}
            <input type="text" autoComplete="username" defaultValue={customer.login} readOnly hidden />
            <PasswordField name="currentPassword" label={t({ pl: 'Obecne hasło', en: 'Current password' })} />
            <PasswordField name="newPassword" newPassword label={t({ pl: 'Nowe hasło', en: 'New password' })} />
            <PasswordField
              name="repeatPassword"
              autoComplete="new-password"
              label={t({ pl: 'Powtórz nowe hasło', en: 'Repeat new password' })}
            />
            <Notice>
              {t({
                pl: 'Po zmianie wylogujemy Cię ze wszystkich urządzeń.',
                en: 'After the change we will log you out on all devices.',
              })}
            </Notice>
            <Submit busyText={t({ pl: 'Zmieniamy…', en: 'Changing…' })}>
              {t({ pl: 'Zmień hasło', en: 'Change password' })}
            </Submit>
          </Form>
        </section>
        {!isOff('passkeys') && <PasskeysReview />}
      </div>
    </>
  )
}
