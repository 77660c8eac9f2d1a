import { useState, type ReactNode } from 'react'
import { limits } from '../../contract/limits.ts'
import {
  exportSealUsers,
  listSealUsers,
  type SealUser,
  type SealUserSort,
  type SealUserStatus,
} from '../../contract/seal-users.ts'
import type { Seal } from '../../contract/seals.ts'
import { useText } from '../app/locale.tsx'
import { callFile } from '../calls/api.ts'
import { ListSearch, searchedOf, type Choice } from '../lists/list-search.tsx'
import { useLocalFilters, usePagedList } from '../lists/paged-list.tsx'
import { Fold } from '../ui/fold.tsx'
import { NamedList, OfList, useListName } from '../ui/list-name.tsx'
import { ListRegion, Region } from '../ui/region.tsx'
import { SaveButton } from '../ui/save-button.tsx'
import { ReminderRecipient } from './seal-recipient.tsx'
import { SealUsersTable } from './seal-users-table.tsx'

type SealUserFilters = {
  search?: string | undefined
  status?: SealUserStatus | undefined
  sort?: SealUserSort | undefined
}

const choices: readonly Choice[] = [
  {
    name: 'status',
    label: { pl: 'Dostęp', en: 'Access' },
    texts: {
      '': { pl: 'Wszyscy', en: 'Everyone' },
      active: { pl: 'Aktywni', en: 'Active' },
      pending: { pl: 'Oczekujący', en: 'Awaiting activation' },
    },
  },
  {
    name: 'sort',
    label: { pl: 'Kolejność', en: 'Sort by' },
    texts: { '': { pl: 'Według dostępu', en: 'Access' }, name: { pl: 'Według nazwiska', en: 'Surname' } },
  },
]

const filtersOf = ({ status, sort, ...searched }: Record<string, unknown>): SealUserFilters => ({
  search: searchedOf(searched).search,
  status: status === 'active' || status === 'pending' ? status : undefined,
  sort: sort === 'name' ? sort : undefined,
})

type Props = {
  seal: Seal
  fresh: SealUser | undefined
  onRemove: (user: SealUser) => void
  onInvite: (user: SealUser) => void
}

/** Shows the users with access; removed users and the second address are read only when their part is opened. */
export function SealUserList({ seal, fresh, onRemove, onInvite }: Props) {
  const t = useText()
  const name = useListName()
  const users = usePagedList(listSealUsers, useLocalFilters<SealUserFilters>({}), { id: seal.id })
  const [shown, setShown] = useState({ fresh, at: users.search })
  if (shown.fresh !== fresh) setShown({ fresh, at: users.search })
  // A new user of another page, or whom the filters do not match, is above the others until the customer changes either.
  const withFresh = (items: readonly SealUser[]) =>
    !fresh || shown.at !== users.search || items.some(({ id }) => id === fresh.id) ? items : [fresh, ...items]

  return (
    <>
      {users.isLong && (
        <ListSearch
          searchLabel={t({ pl: 'Szukaj osoby', en: 'Search for a person' })}
          paged={users}
          choices={choices}
          filtersOf={filtersOf}
        />
      )}
      <ListRegion
        query={users.list}
        lines={4}
        label={t({ pl: 'Wczytujemy użytkowników', en: 'Loading users' })}
        empty={<p className="soft">{t({ pl: 'Nie znaleziono takiej osoby.', en: 'No matching people.' })}</p>}
      >
        {({ items }) => (
          <SealUsersTable
            seal={seal}
            users={withFresh(items)}
            isCompact={users.isLong}
            fresh={fresh}
            onRemove={onRemove}
            onInvite={onInvite}
          />
        )}
      </ListRegion>
      {users.pageButtons}
      <SaveButton
        name={t({ pl: 'uzytkownicy-pieczeci.csv', en: 'seal-users.csv' })}
        load={() => callFile(exportSealUsers, { params: { id: seal.id }, query: { locale: t.locale } })}
      >
        {t({ pl: 'Pobierz listę (CSV)', en: 'Download list (CSV)' })}
        <OfList />
      </SaveButton>
      {seal.hasRemovedUsers && (
        <FoldOnDemand summary={t({ pl: 'Usunięci użytkownicy', en: 'Removed users' })}>
          <NamedList value={t({ pl: `usunięci, ${name}`, en: `removed, ${name}` })}>
            <RemovedUsers seal={seal} />
          </NamedList>
        </FoldOnDemand>
      )}
      <FoldOnDemand summary={t({ pl: 'Drugi adres do przypomnień', en: 'Second address for reminders' })}>
        <ReminderRecipient seal={seal} />
      </FoldOnDemand>
    </>
  )
}

function FoldOnDemand({ summary, children }: { summary: string; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Fold
      className="seal-users__gone"
      summary={
        <>
          {summary}
          <OfList />
        </>
      }
      // The list opens without a script, so it may have been opened before React took the page over.
      ref={(element) => void (element?.open && setIsOpen(true))}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      {isOpen && children}
    </Fold>
  )
}

const removed: SealUserFilters = { status: 'deleted' }

function RemovedUsers({ seal }: { seal: Seal }) {
  const t = useText()
  const { list, pageButtons } = usePagedList(listSealUsers, useLocalFilters(removed), { id: seal.id })
  return (
    <>
      <Region
        query={list}
        lines={2}
        label={t({ pl: 'Wczytujemy usuniętych użytkowników', en: 'Loading removed users' })}
      >
        {({ items }) => <SealUsersTable seal={seal} users={items} isCompact={items.length >= limits.list.longFrom} />}
      </Region>
      {pageButtons}
    </>
  )
}
