import { Medallion, MedallionSymbols } from '../art/medallion.tsx'
import { useLocale, useText } from '../locale.tsx'
import { usePage } from '../page-title.ts'
import { signOutEverywhere, useHeldSession } from '../session.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'

/** RTE-3. */
export function AccessDeniedScreen() {
  const t = useText()
  const locale = useLocale()
  const customer = useHeldSession()?.session.customer
  usePage({ title: { pl: 'Odmowa dostępu', en: 'Access denied' } })
  return (
    <div className="denied">
      <MedallionSymbols />
      <Medallion family="seal" size={104} off />
      <h1>{t({ pl: 'ODMOWA DOSTĘPU', en: 'ACCESS DENIED' })}</h1>
      <p className="lede">{t({ pl: 'Nie masz uprawnień', en: 'You do not have permission' })}</p>
      {customer && (
        <p className="soft">
          {t({ pl: 'Zalogowane konto: ', en: 'Logged in as: ' })}
          <b>{customer.email}</b>
        </p>
      )}
      {customer ? (
        <Button variant="primary" onClick={() => void signOutEverywhere(locale)}>
          {t({ pl: 'Zaloguj się na inne konto', en: 'Log in to another account' })}
        </Button>
      ) : (
        <ButtonLink variant="primary" to="/">
          {t({ pl: 'Wróć do logowania', en: 'Back to login' })}
        </ButtonLink>
      )}
    </div>
  )
}
