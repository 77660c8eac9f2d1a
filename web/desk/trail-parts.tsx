import { useLocation } from 'react-router'
import { allAuditActions } from '../../contract/desk/all-audit-actions.ts'
import { readDeskCustomer } from '../../contract/desk/desk-customers.ts'
import { mayCall } from '../../contract/desk/desk-permissions.ts'
import type { DeskSession } from '../../contract/desk/desk-session.ts'
import type { Text, Locale } from '../../contract/enums.ts'
import type { AuditActor } from '../../contract/provider/audit-trail.ts'
import { useText } from '../app/locale.tsx'
import { DateField } from '../ui/date-field.tsx'
import { Field } from '../ui/field.tsx'
import { Link } from '../ui/link.tsx'

const parts: readonly { path: string; label: Text }[] = [
  { path: '/audit', label: { pl: 'Wpisy', en: 'Entries' } },
  { path: '/audit/readers', label: { pl: 'Kto czyje dane odczytał', en: 'Who read whose data' } },
  { path: '/audit/verification', label: { pl: 'Sprawdzenie łańcucha', en: 'Verification' } },
]

/** Shows links to the three screens of an auditor. */
export function TrailTabs() {
  const t = useText()
  const { pathname } = useLocation()
  return (
    <nav className="tabs" aria-label={t({ pl: 'Części dziennika', en: 'Parts of the audit trail' })}>
      {parts.map(({ path, label }) => (
        <Link key={path} to={path} aria-current={pathname === path ? 'page' : undefined}>
          {t(label)}
        </Link>
      ))}
    </nav>
  )
}

const entriesOf = (filter: Record<string, string>) =>
  `/audit?${new URLSearchParams(filter).toString().replaceAll('+', '%20')}`

const actionTexts: Record<string, Text> = allAuditActions

/** Returns the readable text for an action, or its code if it has none. */
export const actionText = (locale: Locale, action: string): string => actionTexts[action]?.[locale] ?? action

export const actorText: Record<AuditActor, Text> = {
  customer: { pl: 'klient', en: 'customer' },
  provider: { pl: 'system dostawcy', en: 'provider’s system' },
  operator: { pl: 'operator', en: 'operator' },
  system: { pl: 'portal', en: 'portal' },
  staff: { pl: 'pracownik', en: 'staff' },
}

/** Shows the actor of an entry; their name links to all entries with that name. */
export function Actor({ actor, name }: { actor: AuditActor; name: string | null }) {
  const t = useText()
  return (
    // One element, which stands next to the heading of its column in a narrow window.
    <div>
      {name && (
        <Link to={entriesOf({ name })} translate="no">
          {name}
        </Link>
      )}
      <span className={name ? 'subtext' : undefined}>{t(actorText[actor])}</span>
    </div>
  )
}

type WhomProps = { account: string | null; customer: string | null; session: DeskSession }

/** Shows the customer's id, with a link to the entries about them, and a link to their page for those who may see it. */
export function Whom({ account, customer, session }: WhomProps) {
  const t = useText()
  if (!account) return '–'
  return (
    <div>
      <Link to={entriesOf({ customer: customer ?? account })} translate="no" className="trail__id">
        {customer ?? account}
      </Link>
      {mayCall(readDeskCustomer, session.roles) && (
        <span className="subtext">
          <Link to={`/customers/${account}`}>{t({ pl: 'karta klienta', en: 'page of the customer' })}</Link>
        </span>
      )}
    </div>
  )
}

/** Shows the filters that the entries and the readings share. */
export function CommonFilters() {
  const t = useText()
  return (
    <>
      <DateField name="from" required={false} label={t({ pl: 'Od dnia', en: 'From' })} />
      <DateField name="to" required={false} label={t({ pl: 'Do dnia', en: 'To' })} />
      <Field
        name="name"
        label={t({ pl: 'Kto: nazwisko, klucz lub login', en: 'Who: name, key or login' })}
        aria-required={false}
        autoComplete="off"
      />
      <Field
        name="customer"
        label={t({ pl: 'Klient: identyfikator', en: 'Customer: id' })}
        aria-required={false}
        autoComplete="off"
        spellCheck={false}
      />
    </>
  )
}
