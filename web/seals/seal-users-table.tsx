import { useEffect, useRef, useState, type Ref } from 'react'
import { sealUserMoves, showSealUserPhone, type SealUser } from '../../contract/seal-users.ts'
import type { Seal } from '../../contract/seals.ts'
import { useText } from '../app/locale.tsx'
import { useSession } from '../app/session.tsx'
import { call } from '../calls/api.ts'
import { groupedPhone } from '../phone/masked-phone.tsx'
import { sealText } from '../text/product-text.ts'
import { toast } from '../toast/toast.tsx'
import { useAction } from '../ui/action.ts'
import { LookBadge, type StatusLook } from '../ui/badge.tsx'
import { Button, RemoveButton } from '../ui/button.tsx'
import { NumberWithEye } from '../ui/hidden-number.tsx'
import { Cell, DayText, OpenCell, RowHead, Table, TableRow } from '../ui/table.tsx'
import { MailAddress } from '../ui/verbatim.tsx'
import { sealRoleText } from './seal-name.tsx'

type Props = {
  seal: Seal
  users: readonly SealUser[]
  /** Whether the list is long (UIX-10). */
  isCompact: boolean
  /** The user who was just invited. */
  fresh?: SealUser | undefined
  onRemove?: ((user: SealUser) => void) | undefined
  onInvite?: ((user: SealUser) => void) | undefined
}

const columns = {
  user: { pl: 'Użytkownik', en: 'User' },
  phone: { pl: 'Telefon', en: 'Phone' },
  role: { pl: 'Rola', en: 'Role' },
  access: { pl: 'Dostęp', en: 'Access' },
}

/** Shows the users of a seal (SEA-2); in a narrow window each row is a card, and the ARIA roles stay. */
export function SealUsersTable({ seal, users, isCompact, fresh, ...actions }: Props) {
  const { marked, row } = useMark(fresh)
  return (
    <Table
      caption={{ pl: `Użytkownicy pieczęci: ${sealText(seal, 'pl')}`, en: `Seal users: ${sealText(seal, 'en')}` }}
      columns={columns}
      isCompact={isCompact}
      hasActions
    >
      {users.map((user) => {
        const isMarked = user.id === marked
        return (
          <UserRow
            key={user.id}
            ref={isMarked ? row : undefined}
            {...{ seal, user, isCompact, isMarked }}
            {...actions}
          />
        )
      })}
    </Table>
  )
}

type RowProps = Pick<Props, 'seal' | 'isCompact' | 'onRemove' | 'onInvite'> & {
  user: SealUser
  isMarked: boolean
  ref: Ref<HTMLTableRowElement> | undefined
}

function UserRow({ seal, user, isCompact, isMarked, ref, onRemove, onInvite }: RowProps) {
  const t = useText()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <TableRow ref={ref} className={[isMarked && 'is-new', isOpen && 'is-open'].filter(Boolean).join(' ') || undefined}>
      <RowHead>
        <span className="seal-users__number">
          {t({ pl: 'nr', en: 'no.' })}&nbsp;{user.number}
        </span>{' '}
        <b translate="no">
          {user.firstName} {user.surname}
        </b>{' '}
        {user.isOwn && <span className="tag">{t({ pl: 'Ty', en: 'You' })}</span>}
        <MailAddress className="subtext">{user.email}</MailAddress>
      </RowHead>
      {isCompact && <OpenCell isOpen={isOpen} of={`${user.firstName} ${user.surname}`} onToggle={setIsOpen} />}
      <Cell column={columns.phone} className="table-more">
        <Phone seal={seal} user={user} />
      </Cell>
      <Cell column={columns.role} className="table-more">
        {t(sealRoleText[user.role])}
      </Cell>
      <Cell column={columns.access}>
        <span className="seal-users__access">
          <AccessBadge user={user} />
          <Dates user={user} />
        </span>
      </Cell>
      <Cell className="table-actions table-more">
        <Actions user={user} onRemove={onRemove} onInvite={onInvite} />
      </Cell>
    </TableRow>
  )
}

const markedForMs = 2_000

/** Scrolls the row of a new user to the middle, where the toast does not cover it, and marks it for a while (SEA-15). */
function useMark(fresh: SealUser | undefined) {
  const [ended, setEnded] = useState<SealUser>()
  const row = useRef<HTMLTableRowElement>(null)
  const marked = fresh === ended ? undefined : fresh?.id
  useEffect(() => {
    if (!marked) return
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    row.current?.scrollIntoView({ block: 'center', behavior: isStill ? 'auto' : 'smooth' })
    const timer = setTimeout(() => setEnded(fresh), markedForMs)
    return () => clearTimeout(timer)
  }, [marked, fresh])
  return { marked, row }
}

/**
 * Shows a phone number, masked until the Administrator reveals it; the server has the whole number and records who requested it (SEA-10).
 */
function Phone({ seal, user: { id, firstName, surname, phone } }: { seal: Seal; user: SealUser }) {
  const t = useText()
  const [shown, setShown] = useState<string>()
  const { run, isBusy } = useAction(
    async () =>
      setShown(shown ? undefined : (await call(showSealUserPhone, { params: { id: seal.id, user: id } })).phone),
    (title) => toast({ title, variant: 'destructive' }),
  )
  return (
    <NumberWithEye
      numberName={t({ pl: `telefon, ${firstName} ${surname}`, en: `phone, ${firstName} ${surname}` })}
      masked={phone}
      shown={shown && groupedPhone(shown, phone)}
      isBusy={isBusy}
      onToggle={() => void run()}
    />
  )
}

const accessLook: Record<SealUser['status'] | 'expired', StatusLook> = {
  active: { kind: 'ok', icon: 'check-circle', text: { pl: 'Aktywny', en: 'Active' } },
  deleted: { kind: 'muted', icon: 'minus-circle', text: { pl: 'Usunięty', en: 'Removed' } },
  pending: { kind: 'warning', icon: 'hourglass', text: { pl: 'Oczekuje', en: 'Awaiting activation' } },
  expired: { kind: 'muted', icon: 'minus-circle', text: { pl: 'Zaproszenie wygasło', en: 'Invitation expired' } },
}

function AccessBadge({ user: { status, expiresAt } }: { user: SealUser }) {
  const { now } = useSession()
  const isExpired = status === 'pending' && expiresAt !== null && expiresAt <= now
  return <LookBadge look={accessLook[isExpired ? 'expired' : status]} />
}

function Dates({ user: { status, invitedAt, acquiredAt, deletedAt } }: { user: SealUser }) {
  const t = useText()
  return (
    <span className="subtext">
      {status === 'pending' && (
        <>
          {t({ pl: 'zaproszono ', en: 'invited ' })}
          <DayText at={invitedAt} />
        </>
      )}
      {acquiredAt && (
        <>
          {t({ pl: 'od\u00a0', en: deletedAt ? 'from\u00a0' : 'since\u00a0' })}
          <DayText at={acquiredAt} />
        </>
      )}
      {acquiredAt && deletedAt && <br />}
      {deletedAt && (
        <>
          {t({ pl: 'do\u00a0', en: 'until\u00a0' })}
          <DayText at={deletedAt} />
        </>
      )}
    </span>
  )
}

function Actions({ user, onRemove, onInvite }: Pick<Props, 'onRemove' | 'onInvite'> & { user: SealUser }) {
  const t = useText()
  const name = `${user.firstName} ${user.surname}`
  if (user.isOwn || !sealUserMoves[user.status].includes('deleted')) return null
  return (
    <div className="seal-users__actions">
      {user.status === 'pending' && (
        <Button
          variant="quiet"
          size="s"
          aria-label={t({ pl: `Wyślij ponownie zaproszenie: ${name}`, en: `Resend invitation: ${name}` })}
          onClick={() => onInvite?.(user)}
        >
          {t({ pl: 'Wyślij ponownie', en: 'Resend' })}
        </Button>
      )}
      <RemoveButton
        aria-haspopup="dialog"
        aria-label={t({ pl: `Usuń dostęp: ${name}`, en: `Remove access: ${name}` })}
        onClick={() => onRemove?.(user)}
      />
    </div>
  )
}
