import { useEffect, useRef, useState } from 'react'
import { listTimestampAccounts } from '../../contract/timestamps.ts'
import { config } from '../config.ts'
import { useText } from '../locale.tsx'
import { useRead } from '../reads.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Region } from '../ui/region.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { AccountCard } from './account-card.tsx'

export function AccountList() {
  const t = useText()
  return (
    <>
      <h2 className="vh" tabIndex={-1}>
        {t({ pl: 'Twoje konta znaczników czasu', en: 'Your timestamp accounts' })}
      </h2>
      <AccountPage />
    </>
  )
}

/** One page of accounts, and under it the next one once it is asked for. */
function AccountPage({ cursor }: { cursor?: string }) {
  const t = useText()
  const list = useRead(listTimestampAccounts, { query: { ...(cursor && { cursor }) } })
  const [more, setMore] = useState(false)
  const cards = useRef<HTMLUListElement>(null)
  const shown = list.data !== undefined

  // Whoever asked for the next page goes on where it begins.
  useEffect(() => {
    if (cursor && shown) cards.current?.querySelector<HTMLElement>('h3')?.focus()
  }, [cursor, shown])

  return (
    <Region query={list} skeleton={<ListSkeleton />} label={t({ pl: 'Wczytujemy konta', en: 'Loading accounts' })}>
      {({ items, next }) =>
        items.length === 0 && !cursor ? (
          <NoAccounts />
        ) : (
          <>
            <ul className="stack" ref={cards}>
              {items.map((account) => (
                <li key={account.id}>
                  <AccountCard account={account} />
                </li>
              ))}
            </ul>
            {next &&
              (more ? (
                <div className="tsa__more">
                  <AccountPage cursor={next} />
                </div>
              ) : (
                <Button className="tsa__more" icon="down" onClick={() => setMore(true)}>
                  {t({ pl: 'Pokaż następne konta', en: 'Show more accounts' })}
                </Button>
              ))}
          </>
        )
      }
    </Region>
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
        action={
          <ButtonLink variant="primary" className="tsa__buy" href={config.brand.links.timestamp}>
            {t({ pl: 'Kup pakiet', en: 'Buy a package' })}
          </ButtonLink>
        }
      />
    </div>
  )
}

function ListSkeleton() {
  return (
    <div className="stack">
      {[1, 2].map((card) => (
        <div key={card} className="card">
          <Skeleton round lines={3} />
        </div>
      ))}
    </div>
  )
}
