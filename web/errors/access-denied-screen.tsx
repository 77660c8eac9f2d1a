import { Medallion, MedallionSymbols } from '../art/medallion.tsx'
import { useText } from '../locale.tsx'
import { usePage } from '../page-title.ts'
import { useHeldSession } from '../session.tsx'
import { ButtonLink } from '../ui/button.tsx'

/** RTE-3. */
export function AccessDeniedScreen() {
  const t = useText()
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
      <ButtonLink variant="primary" to="/">
        {t({ pl: 'Wróć do logowania', en: 'Back to login' })}
      </ButtonLink>
    </div>
  )
}
