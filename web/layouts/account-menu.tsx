import { CallFailed } from '../api.ts'
import { Icon } from '../art/icons.tsx'
import { useLocale, useText } from '../locale.tsx'
import { signOutEverywhere, useHeldSession } from '../session.tsx'
import { describeFailure } from '../text/failure-text.ts'
import { Menu } from '../ui/menu.tsx'
import { toast } from '../ui/toast.tsx'

/** The customer's name, and behind it their data and the way out (NAV-2). */
export function AccountMenu() {
  const t = useText()
  const locale = useLocale()
  const customer = useHeldSession()?.session.customer
  if (!customer) return <span className="who who--unknown" />
  const name = `${customer.firstName} ${customer.surname}`

  async function leave() {
    try {
      await signOutEverywhere(locale)
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      toast({
        variant: 'destructive',
        title: t({ pl: 'Nie udało się wylogować', en: 'Logging out did not work' }),
        description: describeFailure(locale, error),
        action: { label: t({ pl: 'Spróbuj ponownie', en: 'Try again' }), onClick: () => void leave() },
      })
    }
  }

  return (
    <Menu
      className="who"
      button={
        <>
          <span className="avatar" aria-hidden="true">
            {customer.firstName[0]}
            {customer.surname[0]}
          </span>
          <span className="who__name">{name}</span>
          <Icon name="down" size="s" />
        </>
      }
      heading={
        <>
          <b>{name}</b>
          <span>{customer.email}</span>
        </>
      }
      items={[
        { icon: 'user', label: t({ pl: 'Moje dane', en: 'My data' }), to: '/my-data' },
        { icon: 'key', label: t({ pl: 'Zmiana hasła', en: 'Change password' }), to: '/change-password' },
        { icon: 'out', label: t({ pl: 'Wyloguj się', en: 'Log out' }), onSelect: () => void leave() },
      ]}
    />
  )
}
