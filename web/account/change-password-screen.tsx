import { loginPath, pages } from '../../contract/pages.ts'
import { listPasskeys } from '../../contract/passkeys.ts'
import { changePassword, ChangePasswordForm } from '../../contract/passwords.ts'
import { isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { PageHead } from '../app/page-head.tsx'
import { dropSession, useSession } from '../app/session.tsx'
import { call } from '../calls/api.ts'
import { useRead } from '../calls/reads.ts'
import { formatDate, formatDateTime } from '../text/format.ts'
import { TextLink } from '../ui/button.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { ListRegion } from '../ui/region.tsx'
import { SectionCard } from '../ui/section-card.tsx'
import { NewPasswordFields, PasswordOwner } from './new-password-fields.tsx'

/** Shows the form that changes the password (PWD-3…PWD-5). */
export function ChangePasswordScreen() {
  const t = useText()
  const { customer } = useSession()

  /**
   * Changes the password. Every session of the account has ended by then, so the login page is reloaded and nothing stays in memory (PWD-3,
   * R8).
   */
  async function change(body: Record<'currentPassword' | 'newPassword' | 'repeatPassword', string>) {
    await call(changePassword, { body })
    dropSession('password-changed')
    location.replace(loginPath(t.locale, { reason: 'password-changed' }))
  }

  return (
    <>
      <PageHead title={{ pl: 'Zmiana hasła', en: 'Change password' }} />
      <div className="password-card">
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

const noPasskeys = {
  pl: 'Nie masz kluczy dostępu. Po zmianie zalogujesz się nowym hasłem i\u00a0kodem SMS.',
  en: 'You have no passkeys. After the change, you’ll sign in with the new password and a text-message code.',
}
const passkeysStay = {
  pl: 'Zmiana hasła nie usuwa kluczy: działają nadal, także bez hasła. Sprawdź, czy wszystkie są Twoje.',
  en: 'Changing your password doesn’t remove your passkeys: they still work, even without the password. Check that they’re all yours.',
}

/**
 * Shows the passkeys of the account. A passkey is bound to the account on its own, not to the password (NIST SP 800-63B-4 §4.1), so it
 * still opens the account after a password change (R121). A customer who changes the password because of a stranger sees here which keys
 * exist. Last on its page, so that nothing moves when they are loaded.
 */
function PasskeysReview() {
  const t = useText()
  const list = useRead(listPasskeys)
  return (
    <SectionCard
      id="passkeys-review"
      title={t({ pl: 'Klucze dostępu', en: 'Passkeys' })}
      className="card stack stack--small"
    >
      <ListRegion
        query={list}
        lines={3}
        label={t({ pl: 'Wczytujemy klucze dostępu', en: 'Loading your passkeys' })}
        empty={
          <>
            <p className="soft">{t(noPasskeys)}</p>
            <p>
              {t({ pl: 'Klucz dodasz na stronie ', en: 'Add a passkey on the ' })}
              <TextLink to={pages.security.path}>{t({ pl: 'Bezpieczeństwo', en: 'Security page' })}</TextLink>.
            </p>
          </>
        }
      >
        {({ items }) => (
          <>
            <p className="soft">{t(passkeysStay)}</p>
            <ul className="stack stack--small">
              {items.map(({ id, name, addedAt, usedAt }) => (
                <li key={id}>
                  <b>{name}</b>
                  <p className="small muted">
                    {t({ pl: 'dodany', en: 'added' })} {formatDate(t.locale, addedAt, 'short')}
                    {usedAt &&
                      `, ${t({ pl: 'ostatnio użyty', en: 'last used' })} ${formatDateTime(t.locale, usedAt, 'short')}`}
                  </p>
                </li>
              ))}
            </ul>
            <p>
              <TextLink to={pages.security.path}>
                {t({
                  pl: 'Przejrzyj klucze na stronie Bezpieczeństwo',
                  en: 'Review your passkeys on the Security page',
                })}
              </TextLink>
            </p>
          </>
        )}
      </ListRegion>
    </SectionCard>
  )
}
