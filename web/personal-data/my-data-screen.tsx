import { useText } from '../locale.tsx'
import { usePage } from '../page-title.ts'
import { useSession } from '../session.tsx'
import { SupportLine } from '../ui/support-line.tsx'
import { ConsentsCard } from './consents-card.tsx'
import { RemindersCard } from './reminders-card.tsx'

/** What the portal knows of the customer by name, and their consents (REG-5), and what it writes to them of (SIG-5). */
export function MyDataScreen() {
  const t = useText()
  const { firstName, surname, email, login } = useSession().customer
  usePage({ title: { pl: 'Moje dane', en: 'My data' } })

  return (
    <>
      <div className="page__head">
        <div>
          <h1>{t({ pl: 'Moje dane', en: 'My data' })}</h1>
        </div>
      </div>
      <div className="stack my-data">
        <section className="card" aria-labelledby="account-title">
          <h2 id="account-title" className="h-s">
            {t({ pl: 'Konto', en: 'Account' })}
          </h2>
          <dl className="rows">
            <div>
              <dt>{t({ pl: 'Imię i\u00a0nazwisko', en: 'Name' })}</dt>
              <dd>
                {firstName} {surname}
              </dd>
            </div>
            <div>
              <dt>E-mail</dt>
              <dd>{email}</dd>
            </div>
            <div>
              <dt>Login</dt>
              <dd>{login}</dd>
            </div>
          </dl>
          <p className="small muted">
            {t({
              pl: 'Dane się zmieniły, na przykład numer telefonu? Zadzwoń: ',
              en: 'Has anything changed, such as your phone number? Call ',
            })}
            <SupportLine />
          </p>
        </section>
        <RemindersCard />
        <ConsentsCard />
      </div>
    </>
  )
}
