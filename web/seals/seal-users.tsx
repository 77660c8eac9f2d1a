import { useId, useRef, useState } from 'react'
import { inviteSealUserAgain, listSealUsers, removeSealUser, type SealUser } from '../../contract/seal-users.ts'
import { listSeals, type Seal } from '../../contract/seals.ts'
import { limits } from '../../contract/limits.ts'
import { Icon } from '../art/icons.tsx'
import { call, CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { partOnDemand } from '../on-demand.tsx'
import { forget, useRead } from '../reads.ts'
import { describeFailure } from '../text/failure-text.ts'
import { Button } from '../ui/button.tsx'
import { ListPages } from '../ui/list-pages.tsx'
import { Region } from '../ui/region.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.tsx'
import { SealUsersTable } from './seal-users-table.tsx'
import { SealUsersTools, type UsersWish } from './seal-users-tools.tsx'

const AddUserDialog = partOnDemand(() => import('./dialog-add-user.tsx').then((file) => file.AddUserDialog))
const RemoveUserDialog = partOnDemand(() => import('./dialog-remove-user.tsx').then((file) => file.RemoveUserDialog))

type Props = {
  seal: Seal
  /** With several seals the users of each are asked for. */
  startsOpen: boolean
  /** One view has one primary button (ux 3.2). */
  foremost: boolean
}

/** SEA-2, SEA-3, SEA-5: the users of a seal, for its Administrator. */
export function SealUsers({ seal, startsOpen, foremost }: Props) {
  const t = useText()
  const locale = useLocale()
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const [open, setOpen] = useState(startsOpen)
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<SealUser>()
  const [fresh, setFresh] = useState<string>()
  const [failure, setFailure] = useState<string>()

  const named = <span className="vh">: {seal.organisation.name}</span>
  const refresh = () => forget(listSealUsers, listSeals)

  /** Does something to a user; what is wrong is said above the list, unless the customer has given up. */
  async function act(work: () => Promise<{ title: string; description: string }>) {
    setFailure(undefined)
    try {
      toast(await work())
      await refresh()
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      if (error.code === 'cancelled') return
      setFailure(describeFailure(locale, error))
      // Somebody else was first, so what is on the screen is no longer so.
      if (error.code === 'already-active' || error.code === 'state-passed') await refresh()
    }
  }

  const remove = (user: SealUser) =>
    act(async () => {
      await call(removeSealUser, { params: { id: seal.id, user: user.id } })
      // The row is on its way out, and the focus must not fall to the top of the page.
      heading.current?.focus()
      return { title: t({ pl: 'Dostęp usunięty', en: 'Access removed' }), description: nameOf(user) }
    })

  const inviteAgain = (user: SealUser) =>
    act(async () => {
      await call(inviteSealUserAgain, { params: { id: seal.id, user: user.id } })
      setFresh(user.id)
      return { title: t({ pl: 'Zaproszenie wysłane ponownie', en: 'Invitation sent again' }), description: user.email }
    })

  return (
    <section className="card sealusers" aria-labelledby={id}>
      <div className="sealusers__head">
        <div>
          <h3 id={id} tabIndex={-1} ref={heading}>
            {t({ pl: 'Użytkownicy pieczęci', en: 'Seal users' })}
            {named}
          </h3>
          <p className="soft small">
            {t({
              pl: 'Administrator zarządza dostępem, ale nie widzi, jakie dokumenty podpisują inni. Każdy ma własny login i\u00a0hasło.',
              en: 'An administrator manages access but does not see which documents others sign. Everyone has a login and password of their own.',
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
      </div>
      <p role="alert" className={failure ? 'error' : 'vh'}>
        {failure && (
          <>
            <Icon name="alert" />
            <span>{failure}</span>
          </>
        )}
      </p>
      {open && <Users seal={seal} fresh={fresh} onRemove={setRemoving} onInvite={(user) => void inviteAgain(user)} />}
      {adding && (
        <AddUserDialog
          seal={seal}
          onClose={() => setAdding(false)}
          onAdded={(user) => {
            setAdding(false)
            setOpen(true)
            setFresh(user.id)
            toast({
              title: t({ pl: 'Zaproszenie wysłane', en: 'Invitation sent' }),
              description: `${nameOf(user)}, ${user.email}`,
            })
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

type UsersProps = {
  seal: Seal
  fresh: string | undefined
  onRemove: (user: SealUser) => void
  onInvite: (user: SealUser) => void
}

function Users({ seal, fresh, onRemove, onInvite }: UsersProps) {
  const t = useText()
  const [wish, setWish] = useState<UsersWish>({})
  const [tools, setTools] = useState(false)
  const [gone, setGone] = useState(false)
  const first = useUsers(seal.id, wish)
  const { data } = first.list
  // Once drawn they stay, so that nobody loses the field they are typing in.
  if (!tools && (data?.next || (data?.items.length ?? 0) > limits.list.toolsBeyond)) setTools(true)
  const label = t({ pl: 'Wczytujemy użytkowników', en: 'Loading users' })

  return (
    <>
      {tools && <SealUsersTools wish={wish} onAsk={setWish} />}
      <Region query={first.list} skeleton={<Skeleton lines={4} />} label={label}>
        {({ items }) =>
          items.length ? (
            <SealUsersTable seal={seal} users={items} {...{ fresh, onRemove, onInvite }} />
          ) : (
            <p className="soft" role="status">
              {t({ pl: 'Nikt nie pasuje do tego, czego szukasz.', en: 'Nobody matches what you are looking for.' })}
            </p>
          )
        }
      </Region>
      {first.pages}
      {seal.hasRemovedUsers && (
        <details className="sealusers__gone" onToggle={({ currentTarget }) => setGone(currentTarget.open)}>
          <summary>
            <Icon name="down" size="s" />
            {t({ pl: 'Usunięci użytkownicy', en: 'Removed users' })}
          </summary>
          {gone && <RemovedUsers seal={seal} />}
        </details>
      )}
    </>
  )
}

function RemovedUsers({ seal }: { seal: Seal }) {
  const t = useText()
  const { list, pages } = useUsers(seal.id, { status: 'deleted' })
  return (
    <>
      <Region
        query={list}
        skeleton={<Skeleton lines={2} />}
        label={t({ pl: 'Wczytujemy usuniętych użytkowników', en: 'Loading removed users' })}
      >
        {({ items }) => <SealUsersTable seal={seal} users={items} />}
      </Region>
      {pages}
    </>
  )
}

/** One page of the users at a time; another wish begins at its first page. */
function useUsers(id: string, wish: UsersWish) {
  const [at, setAt] = useState<{ wish: UsersWish; cursors: readonly string[] }>({ wish, cursors: [] })
  const [size, setSize] = useState('20')
  const cursors = at.wish === wish || JSON.stringify(at.wish) === JSON.stringify(wish) ? at.cursors : []
  const cursor = cursors.at(-1)
  const query = { ...wish, ...(size !== '20' && { size: size as '50' }), ...(cursor && { cursor }) }
  const list = useRead(listSealUsers, { params: { id }, query })
  const turn = (next: readonly string[]) => setAt({ wish, cursors: next })
  // The last one of a last page was removed.
  if (list.data?.items.length === 0 && cursors.length) turn(cursors.slice(0, -1))
  const pages = (cursors.length > 0 || list.data?.next || size !== '20') && (
    <ListPages
      page={cursors.length + 1}
      next={list.data?.next ?? null}
      size={size}
      onBack={() => turn(cursors.slice(0, -1))}
      onNext={(next) => turn([...cursors, next])}
      onSize={(next) => {
        setSize(next)
        turn([])
      }}
    />
  )
  return { list, pages }
}
