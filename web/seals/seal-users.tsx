import { useId, useRef, useState, type RefObject } from 'react'
import { inviteSealUserAgain, listSealUsers, removeSealUser, type SealUser } from '../../contract/seal-users.ts'
import { listSeals, type Seal } from '../../contract/seals.ts'
import { useText } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { call, onFailure } from '../calls/api.ts'
import { invalidate } from '../calls/reads.ts'
import { sealText } from '../text/product-text.ts'
import { toast, type ToastContent } from '../toast/toast.tsx'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { FailureLine } from '../ui/failure.tsx'
import { NamedList } from '../ui/list-name.tsx'
import { Verbatim } from '../ui/verbatim.tsx'
import { SealName } from './seal-name.tsx'
import { SealUserList } from './seal-user-list.tsx'

const AddUserDialog = partOnDemand(() => import('./add-user-dialog.tsx').then((file) => file.AddUserDialog))
const ImportUsersDialog = partOnDemand(() => import('./import-users-dialog.tsx').then((file) => file.ImportUsersDialog))
const RemoveUserDialog = partOnDemand(() => import('./remove-user-dialog.tsx').then((file) => file.RemoveUserDialog))

type Props = {
  seal: Seal
  /** Whether the users are shown from the start; with several seals, a button opens those of each. */
  startsOpen: boolean
  /** Whether the button here is the primary one, of which a view has only one. */
  isForemost: boolean
}

type OpenDialog = 'add' | 'import' | { remove: SealUser }

const refresh = () => invalidate(listSealUsers, listSeals)

/** Shows the users of a seal to its Administrator (SEA-2, SEA-3, SEA-5). */
export function SealUsers({ seal, startsOpen, isForemost }: Props) {
  const t = useText()
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const [open, setOpen] = useState(startsOpen)
  const [dialog, setDialog] = useState<OpenDialog>()
  const { fresh, failureText, showAdded, inviteAgain, remove } = useUserChanges(seal, heading)
  const close = () => setDialog(undefined)

  return (
    <section className="card seal-users" aria-labelledby={id}>
      <div className="seal-users__head">
        <div>
          <h3 id={id} tabIndex={-1} ref={heading}>
            {t({ pl: 'Użytkownicy: ', en: 'Users: ' })}
            <Verbatim>{seal.organisation.name}</Verbatim>
            <OfSeal seal={seal} />
          </h3>
          <p className="soft small">
            {t({
              pl: 'Administrator zarządza dostępem, ale nie widzi, jakie dokumenty inni opatrują pieczęcią. Każdy ma własny login i\u00a0hasło.',
              en: 'An administrator manages access but can’t see which documents others seal. Everyone has their own username and password.',
            })}
          </p>
        </div>
        <HeadButtons
          seal={seal}
          isForemost={isForemost}
          onOpen={open ? undefined : () => setOpen(true)}
          onDialog={setDialog}
        />
      </div>
      <FailureLine text={failureText} className="unseen" />
      {open && (
        <NamedList value={sealText(seal, t.locale)}>
          <SealUserList
            seal={seal}
            fresh={fresh}
            onRemove={(user) => setDialog({ remove: user })}
            onInvite={(user) => void inviteAgain(user)}
          />
        </NamedList>
      )}
      {dialog === 'add' && (
        <AddUserDialog
          seal={seal}
          onClose={close}
          onAdded={(user) => {
            // Another dialog may be open by now.
            setDialog((now) => (now === 'add' ? undefined : now))
            setOpen(true)
            void showAdded(user)
          }}
        />
      )}
      {dialog === 'import' && (
        <ImportUsersDialog
          seal={seal}
          onClose={close}
          onAdded={() => {
            setOpen(true)
            void refresh()
          }}
        />
      )}
      {typeof dialog === 'object' && (
        <RemoveUserDialog
          seal={seal}
          user={dialog.remove}
          onClose={close}
          onConfirm={() => {
            close()
            void remove(dialog.remove)
          }}
        />
      )}
    </section>
  )
}

type ButtonsProps = Pick<Props, 'seal' | 'isForemost'> & {
  onOpen: (() => void) | undefined
  onDialog: (dialog: OpenDialog) => void
}

function HeadButtons({ seal, isForemost, onOpen, onDialog }: ButtonsProps) {
  const t = useText()
  return (
    <>
      {onOpen && (
        <Button size="s" icon="down" aria-expanded={false} onClick={onOpen}>
          <span>
            {t({ pl: 'Pokaż użytkowników', en: 'Show users' })}
            <OfSeal seal={seal} />
          </span>
        </Button>
      )}
      <Button
        size="s"
        variant={isForemost ? 'primary' : 'secondary'}
        icon="plus"
        aria-haspopup="dialog"
        onClick={() => onDialog('add')}
      >
        <span>
          {t({ pl: 'Dodaj użytkownika', en: 'Add user' })}
          <OfSeal seal={seal} />
        </span>
      </Button>
      <Button size="s" aria-haspopup="dialog" onClick={() => onDialog('import')}>
        <span>
          {t({ pl: 'Dodaj wielu z\u00a0pliku CSV', en: 'Add many from a CSV file' })}
          <OfSeal seal={seal} />
        </span>
      </Button>
    </>
  )
}

const OfSeal = ({ seal }: { seal: Seal }) => (
  <span className="unseen">
    {' '}
    (<SealName seal={seal} />)
  </span>
)

/** Changes the access of users. `fresh` is the one that was invited last; a failure is shown above the list. */
function useUserChanges(seal: Seal, heading: RefObject<HTMLHeadingElement | null>) {
  const t = useText()
  const [fresh, setFresh] = useState<SealUser>()

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

  async function showAdded(user: SealUser) {
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

  return { fresh, failureText, showAdded, inviteAgain, remove }
}

const nameOf = ({ firstName, surname }: SealUser) => `${firstName} ${surname}`
