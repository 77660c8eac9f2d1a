import { useText, useLocale } from '../locale.tsx'
import { sealUserMoves, type SealUser } from '../../contract/seal-users.ts'
import type { Seal } from '../../contract/seals.ts'
import { useSession } from '../session.tsx'
import { formatDate } from '../text/format.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { MaskedPhone } from '../ui/masked-phone.tsx'
import { as, TableHead } from '../ui/table.tsx'
import { roleText } from './seal-text.ts'

type Props = {
  seal: Seal
  users: readonly SealUser[]
  /** The one that was just invited. */
  fresh?: string | undefined
  onRemove?: ((user: SealUser) => void) | undefined
  onInvite?: ((user: SealUser) => void) | undefined
}

/** SEA-2; on a narrow place each row is a card, and the roles stay (ux 5.8). */
export function SealUsersTable({ seal, users, fresh, onRemove, onInvite }: Props) {
  const t = useText()
  const columns = {
    user: t({ pl: 'Użytkownik', en: 'User' }),
    phone: t({ pl: 'Telefon', en: 'Phone' }),
    role: t({ pl: 'Rola', en: 'Role' }),
    access: t({ pl: 'Dostęp', en: 'Access' }),
    dates: t({ pl: 'Od / do', en: 'From / until' }),
    number: t({ pl: 'Numer', en: 'Number' }),
  }
  return (
    <div className="tplace">
      <table className="table tcards" {...as.table}>
        <caption className="vh">
          {t({ pl: 'Użytkownicy pieczęci ', en: 'Users of the seal of ' })}
          {seal.organisation.name}
        </caption>
        <TableHead columns={Object.values(columns)} actions />
        <tbody {...as.rowgroup}>
          {users.map((user) => (
            <tr key={user.id} {...as.row} className={user.id === fresh ? 'is-new' : undefined}>
              <th scope="row" {...as.rowheader} className="t-main">
                <b>
                  {user.firstName} {user.surname}
                </b>{' '}
                {user.own && <span className="tag">{t({ pl: 'Ty', en: 'You' })}</span>}
                <span className="sub">{user.email}</span>
              </th>
              <td {...as.cell} data-label={columns.phone}>
                <span>
                  <MaskedPhone number={user.phone} />
                </span>
              </td>
              <td {...as.cell} data-label={columns.role}>
                {t(roleText[user.role])}
              </td>
              <td {...as.cell} data-label={columns.access}>
                <AccessBadge user={user} />
              </td>
              <td {...as.cell} data-label={columns.dates}>
                <Dates user={user} />
              </td>
              <td {...as.cell} data-label={columns.number} className="num">
                {user.number}
              </td>
              <td {...as.cell} className="t-act">
                <Actions user={user} onRemove={onRemove} onInvite={onInvite} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const isExpired = ({ expiresAt }: SealUser, now: string) => expiresAt !== null && expiresAt <= now

function AccessBadge({ user }: { user: SealUser }) {
  const t = useText()
  const { now } = useSession()
  if (user.status === 'active')
    return (
      <Badge kind="ok" icon="okc">
        {t({ pl: 'Aktywny', en: 'Active' })}
      </Badge>
    )
  if (user.status === 'deleted')
    return (
      <Badge kind="mute" icon="minusc">
        {t({ pl: 'Usunięty', en: 'Removed' })}
      </Badge>
    )
  return isExpired(user, now) ? (
    <Badge kind="mute" icon="minusc">
      {t({ pl: 'Zaproszenie wygasło', en: 'Invitation expired' })}
    </Badge>
  ) : (
    <Badge kind="warn" icon="hour">
      {t({ pl: 'Oczekuje', en: 'Awaiting activation' })}
    </Badge>
  )
}

function Dates({ user: { status, invitedAt, acquiredAt, deletedAt } }: { user: SealUser }) {
  const t = useText()
  const locale = useLocale()
  const date = (at: string) => (
    <time className="nowrap" dateTime={at}>
      {formatDate(locale, at, 'short')}
    </time>
  )
  return (
    <span>
      {status === 'pending' && (
        <>
          {t({ pl: 'zaproszono ', en: 'invited ' })}
          {date(invitedAt)}
        </>
      )}
      {acquiredAt && (
        <>
          {t({ pl: 'od\u00a0', en: 'from\u00a0' })}
          {date(acquiredAt)}
        </>
      )}
      {acquiredAt && deletedAt && <br />}
      {deletedAt && (
        <>
          {t({ pl: 'do\u00a0', en: 'until\u00a0' })}
          {date(deletedAt)}
        </>
      )}
    </span>
  )
}

function Actions({ user, onRemove, onInvite }: Pick<Props, 'onRemove' | 'onInvite'> & { user: SealUser }) {
  const t = useText()
  const name = `${user.firstName} ${user.surname}`
  if (user.own || !sealUserMoves[user.status].includes('deleted')) return null
  return (
    <div className="acts">
      {user.status === 'pending' && (
        <Button
          variant="quiet"
          size="s"
          icon="send"
          aria-label={t({ pl: `Ponów zaproszenie: ${name}`, en: `Resend invitation: ${name}` })}
          onClick={() => onInvite?.(user)}
        >
          {t({ pl: 'Ponów', en: 'Resend' })}
        </Button>
      )}
      <Button
        variant="quiet"
        size="s"
        className="is-danger"
        icon="trash"
        aria-haspopup="dialog"
        aria-label={t({ pl: `Usuń dostęp: ${name}`, en: `Remove access: ${name}` })}
        onClick={() => onRemove?.(user)}
      >
        {t({ pl: 'Usuń', en: 'Remove' })}
      </Button>
    </div>
  )
}
