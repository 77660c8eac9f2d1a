import { listTimestampAccounts } from '../../contract/timestamps.ts'
import { ExtendingList } from '../extending-list.tsx'
import { BuyLink } from '../certificates/buy-link.tsx'
import { useText } from '../locale.tsx'
import { Empty } from '../ui/empty.tsx'
import { CardSkeletons } from '../ui/skeleton.tsx'
import { AccountCard } from './account-card.tsx'

export function AccountList() {
  const t = useText()
  return (
    <>
      <h2 className="vh" tabIndex={-1}>
        {t({ pl: 'Twoje konta znaczników czasu', en: 'Your timestamp accounts' })}
      </h2>
      <ExtendingList
        endpoint={listTimestampAccounts}
        skeleton={<CardSkeletons lines={3} />}
        label={t({ pl: 'Wczytujemy konta', en: 'Loading accounts' })}
        more={t({ pl: 'Pokaż następne konta', en: 'Show more accounts' })}
        className="tsa__more"
      >
        {({ items }, first, list) =>
          items.length === 0 && first ? (
            <NoAccounts />
          ) : (
            <ul className="stack" ref={list}>
              {items.map((account) => (
                <li key={account.id}>
                  <AccountCard account={account} />
                </li>
              ))}
            </ul>
          )
        }
      </ExtendingList>
    </>
  )
}

function NoAccounts() {
  const t = useText()
  return (
    <div className="card">
      <Empty
        family="timestamp"
        reason={t({
          pl: 'Nie masz jeszcze konta znaczników czasu. Pojawi się tutaj po zakupie pierwszego pakietu.',
          en: 'You have no timestamp account yet. It appears here after you buy the first package.',
        })}
        action={<BuyLink product="timestamp" variant="primary" className="tsa__buy" />}
      />
    </div>
  )
}
