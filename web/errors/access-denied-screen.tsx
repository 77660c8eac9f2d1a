import { useEffect } from 'react'
import { loginPath } from '../../contract/pages.ts'
import { Medallion, MedallionSymbols } from '../art/medallion.tsx'
import { useLocale, useText } from '../locale.tsx'
import { usePage } from '../page-title.ts'
import { followTabs, useHeldSession } from '../session.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { useSignOut } from '../ui/sign-out.ts'

/** RTE-3; whoever is signed in sees as whom, because the permission may be another account's. */
export function AccessDeniedScreen() {
  const t = useText()
  const locale = useLocale()
  const signOut = useSignOut()
  const customer = useHeldSession()?.session.customer
  usePage({ title: { pl: 'Odmowa dostępu', en: 'Access denied' } })
  useEffect(() => followTabs({ over: (reason) => location.replace(loginPath(locale, { reason })) }), [locale])
  return (
    <div className="denied">
      <MedallionSymbols />
      <Medallion family="seal" size={104} off />
      <h1>{t({ pl: 'ODMOWA DOSTĘPU', en: 'ACCESS DENIED' })}</h1>
      <p className="lede">{t({ pl: 'Nie masz uprawnień', en: 'You do not have permission' })}</p>
      {customer ? (
        <>
          <p className="soft">
            {t({ pl: 'Zalogowane konto: ', en: 'Logged in as: ' })}
            <b className="wrap">
              {customer.firstName} {customer.surname}, {customer.email}
            </b>
          </p>
          <div className="btns">
            <Button variant="primary" onClick={() => void signOut()}>
              {t({ pl: 'Zaloguj się na inne konto', en: 'Log in to another account' })}
            </Button>
            <ButtonLink to="/home">{t({ pl: 'Wróć do strony Start', en: 'Back to Home' })}</ButtonLink>
          </div>
        </>
      ) : (
        <ButtonLink variant="primary" to="/">
          {t({ pl: 'Wróć do logowania', en: 'Back to login' })}
        </ButtonLink>
      )}
    </div>
  )
}
