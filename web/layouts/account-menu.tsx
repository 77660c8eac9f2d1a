import { useText } from '../app/locale.tsx'
import { useCurrentSession } from '../app/session.tsx'
import { Icon } from '../art/icons.tsx'
import { Menu } from '../ui/menu.tsx'
import { Verbatim, MailAddress } from '../ui/verbatim.tsx'
import { useSignOut } from './sign-out.ts'

/** Shows the customer's name, with a menu of their data and sign-out (NAV-2). */
export function AccountMenu() {
  const t = useText()
  const leave = useSignOut()
  const customer = useCurrentSession()?.session.customer
  if (!customer) return <span className="account-button" />
  const name = `${customer.firstName} ${customer.surname}`

  return (
    <Menu
      className="account-button"
      button={
        <>
          <span className="avatar" aria-hidden="true" translate="no">
            {customer.firstName[0]}
            {customer.surname[0]}
          </span>
          <Verbatim className="account-button__name">{name}</Verbatim>
          <Icon name="down" size="s" />
        </>
      }
      heading={
        <>
          <b translate="no">{name}</b>
          <MailAddress>{customer.email}</MailAddress>
        </>
      }
      items={[
        { icon: 'user', label: t({ pl: 'Moje dane', en: 'My data' }), to: '/my-data' },
        { icon: 'lock', label: t({ pl: 'Bezpieczeństwo', en: 'Security' }), to: '/security' },
        { icon: 'key', label: t({ pl: 'Zmiana hasła', en: 'Change password' }), to: '/change-password' },
        { icon: 'sign-out', label: t({ pl: 'Wyloguj się', en: 'Sign out' }), onSelect: () => void leave() },
      ]}
    />
  )
}
