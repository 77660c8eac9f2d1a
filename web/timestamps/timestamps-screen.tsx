import { CertificatesHead } from '../certificates/certificates-head.tsx'
import '../certificates/certificate-list.css'
import './timestamps.css'
import { listTimestampAccounts, stateOfAccount, TimestampState } from '../../contract/timestamps.ts'
import { BuyLink } from '../certificates/buy-link.tsx'
import { ListSearch, searchedOf, statusChoice } from '../list-search.tsx'
import { useText } from '../locale.tsx'
import { useAddressFilters, usePagedList } from '../paged-list.tsx'
import { EmptyList } from '../ui/empty.tsx'
import { Region } from '../ui/region.tsx'
import { CardSkeletons } from '../ui/skeleton.tsx'
import { AccountCard, stateLook } from './account-card.tsx'

/** TSP-1…TSP-4. */
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
const choices = [statusChoice('state', stateLook)]

/** The accounts page by page, the most urgent first (TSP-5). */
function AccountList() {
  const t = useText()
  const accounts = usePagedList(
    listTimestampAccounts,
    useAddressFilters((params) => filtersOf(Object.fromEntries(params))),
  )
  const { list, setFilters, isFiltered, isLong, page: number, heading, pageButtons } = accounts
  return (
    <>
      {isLong && (
        <ListSearch
          searchLabel={t({ pl: 'Szukaj konta', en: 'Search for an account' })}
          paged={accounts}
          choices={choices}
          filtersOf={filtersOf}
        />
      )}
      <h2 className="vh" tabIndex={-1} ref={heading}>
        {number > 1
          ? t({ pl: `Twoje konta znaczników czasu, strona ${number}`, en: `Your timestamp accounts, page ${number}` })
          : t({ pl: 'Twoje konta znaczników czasu', en: 'Your timestamp accounts' })}
      </h2>
      <Region
        query={list}
        skeleton={<CardSkeletons lines={3} />}
        label={t({ pl: 'Wczytujemy konta', en: 'Loading accounts' })}
      >
        {(page) => {
          const [first] = page.items
          const foremost = first && ['empty', 'low'].includes(stateOfAccount(first)) ? first : undefined
          return first || number > 1 ? (
            <ul className={isLong ? 'card crows' : 'stack'}>
              {page.items.map((account) => (
                <li key={account.id}>
                  <AccountCard account={account} foremost={account === foremost} isCompact={isLong} />
                </li>
              ))}
            </ul>
          ) : (
            <NoAccounts onClear={isFiltered ? () => setFilters(filtersOf({})) : undefined} />
          )
        }}
      </Region>
      {pageButtons}
    </>
  )
}

/** `onClear` clears the filters, if there are any. */
function NoAccounts({ onClear }: { onClear: (() => void) | undefined }) {
  const t = useText()
  return (
    <div className="card">
      <EmptyList
        family="timestamp"
        noMatch={t({ pl: 'Nie znaleziono takiego konta.', en: 'No matching accounts.' })}
        onClear={onClear}
        reason={t({
          pl: 'Nie masz jeszcze konta znaczników czasu. Pojawi się tutaj po zakupie pierwszego pakietu.',
          en: 'You have no timestamp account yet. You’ll see it here once you buy your first package.',
        })}
        action={<BuyLink product="timestamp" variant="primary" className="tsa__buy" />}
        answer="what-is-a-timestamp"
      />
    </div>
  )
}
