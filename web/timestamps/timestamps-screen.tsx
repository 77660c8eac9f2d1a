import { listTimestampAccounts, stateOfAccount, TimestampState } from '../../contract/timestamps.ts'
import '../certificates/certificate-list.css'
import './timestamps.css'
import { BuyLink } from '../certificates/buy-link.tsx'
import { CertificatesHead } from '../certificates/certificates-head.tsx'
import { ListScreen } from '../lists/list-screen.tsx'
import { searchedOf, statusChoice } from '../lists/list-search.tsx'
import { useAddressFilters, usePagedList } from '../lists/paged-list.tsx'
import { CardSkeletons } from '../ui/skeleton.tsx'
import { AccountCard, timestampStateLook } from './account-card.tsx'

/** Shows the page of the timestamp accounts (TSP-1…TSP-4). */
export function TimestampsScreen() {
  return (
    <>
      <CertificatesHead page="timestamps" />
      <AccountList />
    </>
  )
}

const filtersOf = ({ state, ...searched }: Record<string, unknown>) => ({
  ...searchedOf(searched),
  state: TimestampState.safeParse(state).data,
})
const search = {
  label: { pl: 'Szukaj konta', en: 'Search for an account' },
  choices: [statusChoice('state', timestampStateLook)],
  filtersOf,
}

const empty = {
  family: 'timestamp',
  noMatch: { pl: 'Nie znaleziono takiego konta.', en: 'No matching accounts.' },
  reason: {
    pl: 'Nie masz jeszcze konta znaczników czasu. Pojawi się tutaj po zakupie pierwszego pakietu.',
    en: 'You have no timestamp account yet. You’ll see it here once you buy your first package.',
  },
  action: <BuyLink product="timestamp" variant="primary" className="tsa__buy" />,
  answer: 'what-is-a-timestamp',
} as const

/** Shows the accounts page by page, the most urgent first (TSP-5). */
function AccountList() {
  const accounts = usePagedList(listTimestampAccounts, useAddressFilters(filtersOf))
  return (
    <ListScreen
      paged={accounts}
      heading={{ pl: 'Twoje konta znaczników czasu', en: 'Your timestamp accounts' }}
      search={search}
      loading={{ pl: 'Wczytujemy konta', en: 'Loading accounts' }}
      skeleton={<CardSkeletons lines={3} />}
      empty={empty}
    >
      {({ items }) => {
        const [first] = items
        const foremost = first && ['empty', 'low'].includes(stateOfAccount(first)) ? first : undefined
        return (
          <ul className={accounts.isLong ? 'card certificate-rows' : 'stack'}>
            {items.map((account) => (
              <li key={account.id}>
                <AccountCard account={account} isForemost={account === foremost} isCompact={accounts.isLong} />
              </li>
            ))}
          </ul>
        )
      }}
    </ListScreen>
  )
}
