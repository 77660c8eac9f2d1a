import { useEffect } from 'react'
import { loginPath, pages } from '../../contract/pages.ts'
import { useText } from '../app/locale.tsx'
import { focusHeading, usePage } from '../app/page-title.ts'
import { followTabs, useCurrentSession } from '../app/session.tsx'
import { faqTitle, SupportLine } from '../app/support-line.tsx'
import { Medallion, MedallionSymbols } from '../art/medallion.tsx'
import { useSignOut } from '../layouts/sign-out.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'

/**
 * Shows that access is denied, at /access-denied (RTE-3) or in place of a forbidden page (RTE-11), with the action `back` if there is one.
 * It says which account is signed in, because another one may have the permission. `hasNoSession`: the session itself was refused, so its
 * owner is unknown, and it can be ended.
 */
export function AccessDeniedScreen({
  back,
  hasNoSession,
}: {
  back?: (() => void) | undefined
  hasNoSession?: boolean
}) {
  const t = useText()
  const signOut = useSignOut()
  const customer = useCurrentSession()?.session.customer
  usePage({ title: { pl: 'Odmowa dostępu', en: 'Access denied' } })
  useEffect(() => followTabs({ over: (reason) => location.replace(loginPath(t.locale, { reason })) }), [t.locale])
  useEffect(() => {
    // What was pressed is gone.
    if (document.activeElement === document.body) focusHeading()
  }, [])
  return (
    <div className="denied">
      <MedallionSymbols />
      <Medallion family="seal" size={104} isOff />
      <h1>{t({ pl: 'ODMOWA DOSTĘPU', en: 'ACCESS DENIED' })}</h1>
      <p className="lede">{t({ pl: 'Nie masz uprawnień', en: 'You don’t have permission' })}</p>
      {customer ? (
        <>
          <p className="soft">
            {t({ pl: 'Zalogowane konto: ', en: 'Signed in as: ' })}
            <b className="wrap" translate="no">
              {customer.firstName} {customer.surname}, {customer.email}
            </b>
          </p>
          <div className="buttons">
            <Button variant="primary" onClick={() => void signOut()}>
              {t({ pl: 'Zaloguj się na inne konto', en: 'Sign in with another account' })}
            </Button>
            {back && (
              <Button onClick={back}>{t({ pl: 'Wróć do poprzedniej strony', en: 'Back to the previous page' })}</Button>
            )}
            <ButtonLink to="/home">{t({ pl: 'Wróć do strony Start', en: 'Back to Home' })}</ButtonLink>
          </div>
        </>
      ) : (
        <div className="buttons">
          <ButtonLink variant="primary" to="/">
            {t({ pl: 'Wróć do logowania', en: 'Back to sign-in' })}
          </ButtonLink>
          {hasNoSession && <Button onClick={() => void signOut()}>{t({ pl: 'Wyloguj się', en: 'Sign out' })}</Button>}
        </div>
      )}
      <p className="soft">
        {t({ pl: 'Potrzebujesz pomocy? ', en: 'Need help? ' })}
        <SupportLine />
      </p>
      <Link to={pages.faq.path}>{t(faqTitle)}</Link>
    </div>
  )
}
