import { useId, useRef, useState } from 'react'
import {
  exportSealUsers,
  inviteSealUserAgain,
  listSealUsers,
  removeSealUser,
  type SealUser,
  type SealUserSort,
  type SealUserStatus,
} from '../../contract/seal-users.ts'
import { limits } from '../../contract/limits.ts'
import { listSeals, type Seal } from '../../contract/seals.ts'
import { useAction } from '../action.ts'
import { call, callFile, onFailure } from '../api.ts'
import { NamedList, OfList, useListName } from '../list-name.tsx'
import { ListSearch, searchedOf, type Choice } from '../list-search.tsx'
import { useText } from '../locale.tsx'
import { SealName } from './seal-name.tsx'
import { sealText } from '../text/product-text.ts'
import { partOnDemand } from '../on-demand.tsx'
import { useLocalFilters, usePagedList } from '../paged-list.tsx'
import { invalidate } from '../reads.ts'
import { Button } from '../ui/button.tsx'
import { FailureLine } from '../ui/failure.tsx'
import { SaveButton } from '../ui/save-button.tsx'
import { Fold } from '../ui/fold.tsx'
import { ListRegion, Region } from '../ui/region.tsx'
import { toast, type ToastContent } from '../toast/toast.tsx'
import { SealRecipient } from './seal-recipient.tsx'
import { SealUsersTable } from './seal-users-table.tsx'
import { Verbatim } from '../ui/verbatim.tsx'

const AddUserDialog = partOnDemand(() => import('./add-user-dialog.tsx').then((file) => file.AddUserDialog))
const ImportUsersDialog = partOnDemand(() => import('./import-users-dialog.tsx').then((file) => file.ImportUsersDialog))
const RemoveUserDialog = partOnDemand(() => import('./remove-user-dialog.tsx').then((file) => file.RemoveUserDialog))

type Props = {
  seal: Seal
  /** With several seals the users of each are opened by a button. */
  startsOpen: boolean
  /** One view has one primary button (ux 3.2). */
  foremost: boolean
}

/** SEA-2, SEA-3, SEA-5: the users of a seal, for its Administrator. */
export function SealUsers({ seal, startsOpen, foremost }: Props) {
  const t = useText()
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const [open, setOpen] = useState(startsOpen)
  const [adding, setAdding] = useState(false)
  const [importing, setImporting] = useState(false)
  const [removing, setRemoving] = useState<SealUser>()
  const [fresh, setFresh] = useState<SealUser>()

  const named = (
    <span className="vh">
      {' '}
      (<SealName seal={seal} />)
    </span>
  )
  const refresh = () => invalidate(listSealUsers, listSeals)

  /** Changes a user's access; a failure is shown above the list. */
  const { run, failureText } = useAction(async (change: () => Promise<ToastContent>) => {
    // Where somebody else was first, the screen is outdated too.
    const done = await change().catch(
      onFailure(['already-active', 'state-passed'], async (failure) => {
        await refresh()
        throw failure
      }),
    )
    toast(done)
    await refresh()
  })

  const remove = (user: SealUser) =>
    run(async () => {
      await call(removeSealUser, { params: { id: seal.id, user: user.id } })
      if (fresh?.id === user.id) setFresh(undefined)
      // The row is about to be removed, and the focus must not move to the top of the page.
      heading.current?.focus()
      return {
        title: t({ pl: 'Dostęp usunięty', en: 'Access removed' }),
        description: <Verbatim>{nameOf(user)}</Verbatim>,
      }
    })

  async function onAdded(user: SealUser) {
    setAdding(false)
    setOpen(true)
    toast({
      title: t({ pl: 'Zaproszenie wysłane', en: 'Invitation sent' }),
      description: (
        <>
          <Verbatim>
            {nameOf(user)}, {user.email}
          </Verbatim>
          {t({
            pl: ': zaproszenie jest już w\u00a0drodze. Gdy ta osoba aktywuje dostęp, zobaczysz to na liście.',
            en: ': the invitation is on its way. You’ll see in the list when they activate their access.',
          })}
        </>
      ),
    })
    await refresh()
    // Only now, because the row would move from where it was scrolled to.
    setFresh(user)
  }

  const inviteAgain = (user: SealUser) =>
    run(async () => {
      await call(inviteSealUserAgain, { params: { id: seal.id, user: user.id } })
      setFresh(user)
      return {
        title: t({ pl: 'Zaproszenie wysłane ponownie', en: 'Invitation resent' }),
        description: <Verbatim>{user.email}</Verbatim>,
      }
    })

  return (
    <section className="card sealusers" aria-labelledby={id}>
      <div className="sealusers__head">
        <div>
          <h3 id={id} tabIndex={-1} ref={heading}>
            {t({ pl: 'Użytkownicy: ', en: 'Users: ' })}
            <Verbatim>{seal.organisation.name}</Verbatim>
            {named}
          </h3>
          <p className="soft small">
            {t({
              pl: 'Administrator zarządza dostępem, ale nie widzi, jakie dokumenty inni opatrują pieczęcią. Każdy ma własny login i\u00a0hasło.',
              en: 'An administrator manages access but can’t see which documents others seal. Everyone has their own username and password.',
            })}
          </p>
        </div>
        {!open && (
          <Button size="s" icon="down" aria-expanded={false} onClick={() => setOpen(true)}>
            <span>
              {t({ pl: 'Pokaż użytkowników', en: 'Show users' })}
              {named}
            </span>
          </Button>
        )}
        <Button
          size="s"
          variant={foremost ? 'primary' : 'secondary'}
          icon="plus"
          aria-haspopup="dialog"
          onClick={() => setAdding(true)}
        >
          <span>
            {t({ pl: 'Dodaj użytkownika', en: 'Add user' })}
            {named}
          </span>
        </Button>
        <Button size="s" aria-haspopup="dialog" onClick={() => setImporting(true)}>
          <span>
            {t({ pl: 'Dodaj wielu z\u00a0pliku CSV', en: 'Add many from a CSV file' })}
            {named}
          </span>
        </Button>
      </div>
      <FailureLine text={failureText} className="vh" />
      {open && (
        <NamedList value={sealText(seal, t.locale)}>
          <Users seal={seal} fresh={fresh} onRemove={setRemoving} onInvite={(user) => void inviteAgain(user)} />
        </NamedList>
      )}
      {adding && <AddUserDialog seal={seal} onClose={() => setAdding(false)} onAdded={(user) => void onAdded(user)} />}
      {importing && (
        <ImportUsersDialog
          seal={seal}
          onClose={() => setImporting(false)}
          onAdded={() => {
            setOpen(true)
            void refresh()
          }}
        />
      )}
      {removing && (
        <RemoveUserDialog
          seal={seal}
          user={removing}
          onClose={() => setRemoving(undefined)}
          onConfirm={() => {
            setRemoving(undefined)
            void remove(removing)
          }}
        />
      )}
    </section>
  )
}

const nameOf = ({ firstName, surname }: SealUser) => `${firstName} ${surname}`

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

type UsersProps = {
  seal: Seal
  fresh: SealUser | undefined
  onRemove: (user: SealUser) => void
  onInvite: (user: SealUser) => void
}

function Users({ seal, fresh, onRemove, onInvite }: UsersProps) {
  const t = useText()
  const name = useListName()
  const [isOpen, setIsOpen] = useState(false)
  const [showsRecipient, setShowsRecipient] = useState(false)
  const users = usePagedList(listSealUsers, useLocalFilters<SealUserFilters>({}), { id: seal.id })
  const label = t({ pl: 'Wczytujemy użytkowników', en: 'Loading users' })
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
        label={label}
        empty={<p className="soft">{t({ pl: 'Nie znaleziono takiej osoby.', en: 'No matching people.' })}</p>}
      >
        {({ items }) => (
          <SealUsersTable
            seal={seal}
            users={withFresh(items)}
            isCompact={users.isLong}
            {...{ fresh, onRemove, onInvite }}
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
        <Fold
          className="sealusers__gone"
          summary={
            <>
              {t({ pl: 'Usunięci użytkownicy', en: 'Removed users' })}
              <OfList />
            </>
          }
          // It works without a script, so it may have been opened before React took the page over.
          ref={(element) => void (element?.open && setIsOpen(true))}
          onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
        >
          {isOpen && (
            <NamedList value={t({ pl: `usunięci, ${name}`, en: `removed, ${name}` })}>
              <RemovedUsers seal={seal} />
            </NamedList>
          )}
        </Fold>
      )}
      <Fold
        className="sealusers__gone"
        summary={
          <>
            {t({ pl: 'Drugi adres do przypomnień', en: 'Second address for reminders' })}
            <OfList />
          </>
        }
        ref={(element) => void (element?.open && setShowsRecipient(true))}
        onToggle={({ currentTarget }) => setShowsRecipient(currentTarget.open)}
      >
        {showsRecipient && <SealRecipient seal={seal} />}
      </Fold>
    </>
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
