import { useState } from 'react'
import { limits } from '../../contract/limits.ts'
import { stateOfAccount, type TimestampAccount, type TimestampState } from '../../contract/timestamps.ts'
import { useText } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { useSession } from '../app/session.tsx'
import { Icon, type IconName } from '../art/icons.tsx'
import { BuyLink } from '../certificates/buy-link.tsx'
import { CertificateCard } from '../certificates/certificate-card.tsx'
import { timestampLooks } from '../certificates/certificate-looks.ts'
import { CertificateRow } from '../certificates/certificate-row.tsx'
import { daysLeft } from '../text/format.ts'
import { LookBadge, type StatusLook } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { DescriptionList, Row } from '../ui/description-list.tsx'
import { Verbatim } from '../ui/verbatim.tsx'
import { AccountBalance, BalanceLine } from './account-balance.tsx'
import { authenticationText, ServerAddress, endLook } from './timestamps-text.tsx'

type Opened = 'packages' | 'usage' | 'connect' | 'password'

type DialogProps = { account: TimestampAccount; onClose: () => void }

const dialogs = {
  packages: partOnDemand<DialogProps>(() => import('./packages-sheet.tsx').then((file) => file.PackagesSheet)),
  usage: partOnDemand<DialogProps>(() => import('./usage-dialog.tsx').then((file) => file.UsageDialog)),
  connect: partOnDemand<DialogProps>(() => import('./connect-dialog.tsx').then((file) => file.ConnectDialog)),
  password: partOnDemand<DialogProps>(() =>
    import('./account-password-dialog.tsx').then((file) => file.AccountPasswordDialog),
  ),
}

export const timestampStateLook: Record<TimestampState, StatusLook> = {
  ...timestampLooks,
  active: { kind: 'ok', icon: 'check-circle', text: { pl: 'Aktywne', en: 'Active' } },
  inactive: { kind: 'muted', icon: 'minus-circle', text: { pl: 'Nieaktywne', en: 'Inactive' } },
}

/** Returns the days until the only package with timestamps expires, if that is soon, and whether another one begins before. */
function endOf({ current, remaining, nextPackageAt }: TimestampAccount, now: string) {
  if (!current?.endsAt || current.remaining !== remaining) return undefined
  const days = daysLeft(current.endsAt, now)
  if (days > limits.badge.amberDays) return undefined
  return { days, isFollowed: !!nextPackageAt && nextPackageAt <= current.endsAt }
}

type Props = {
  account: TimestampAccount
  /** The first of the list that needs a package. */
  isForemost: boolean
  isCompact: boolean
}

/** Shows an account: how programs reach it, its balance, and the actions on it (TSP-1). */
export function AccountCard({ account, isForemost, isCompact }: Props) {
  const t = useText()
  const { login, authentication, serverUrl, status } = account
  const { now } = useSession()
  const state = stateOfAccount(account)
  const end = state === 'active' ? endOf(account, now) : undefined
  const isScarce = state === 'empty' || state === 'low' || end?.isFollowed === false
  const Item = isCompact ? CertificateRow : CertificateCard
  return (
    <Item
      family="timestamp"
      className="tsa"
      isActive={status === 'active'}
      title={<Verbatim className="tsa__login">{login}</Verbatim>}
      owner={<span className="certificate-row__extra">{t(authenticationText[authentication])}</span>}
      badge={
        <LookBadge
          look={end ? endLook(end.days, { pl: 'Pakiet wygasa', en: 'Package expires' }) : timestampStateLook[state]}
        />
      }
      identifier={<ServerAddress url={serverUrl} />}
      end={<BalanceLine account={account} />}
      action={
        isScarce && (
          <BuyLink
            product="timestamp"
            variant={isForemost ? 'primary' : 'secondary'}
            size={isCompact ? 's' : undefined}
            nameSuffix={<Of login={login} />}
          />
        )
      }
      actions={<AccountActions account={account} />}
    >
      <DescriptionList look="columns" className="certificate__definitions">
        <Row name={t({ pl: 'Adres serwera', en: 'Server address' })} className="tsa__address">
          <ServerAddress url={serverUrl} />
          <CopyButton
            text={serverUrl}
            label={t({ pl: 'Skopiuj', en: 'Copy' })}
            about={t({ pl: `adres serwera konta ${login}`, en: `the server address of ${login}` })}
          />
        </Row>
      </DescriptionList>
      <AccountBalance account={account} isEnding={!!end} />
    </Item>
  )
}

function AccountActions({ account }: { account: TimestampAccount }) {
  const t = useText()
  const { login, status } = account
  const [opened, setOpened] = useState<Opened>()
  const Dialog = opened && dialogs[opened]
  return (
    <>
      <Button isWide aria-haspopup="dialog" onClick={() => setOpened('packages')}>
        <span>
          {t({ pl: `Pokaż pakiety (${account.packages})`, en: `Show packages (${account.packages})` })}
          <Of login={login} />
        </span>
      </Button>
      <Opener icon="chart" login={login} onClick={() => setOpened('usage')}>
        {t({ pl: 'Pokaż zużycie', en: 'Show usage' })}
      </Opener>
      {status === 'active' && (
        <Opener icon="laptop" login={login} onClick={() => setOpened('connect')}>
          {t({ pl: 'Podłącz program', en: 'Connect software' })}
        </Opener>
      )}
      {account.canChangePassword && (
        <Opener icon="key" login={login} onClick={() => setOpened('password')}>
          {t({ pl: 'Zmień hasło', en: 'Change password' })}
        </Opener>
      )}
      {Dialog && <Dialog account={account} onClose={() => setOpened(undefined)} />}
    </>
  )
}

/** Names the account in an action's accessible name, so that the actions of several cards have distinct names (UIX-20). */
function Of({ login }: { login: string }) {
  const t = useText()
  return <span className="unseen">{t({ pl: ` konta ${login}`, en: ` of the account ${login}` })}</span>
}

type OpenerProps = { icon: IconName; login: string; onClick: () => void; children: string }

function Opener({ icon, login, onClick, children }: OpenerProps) {
  return (
    <button type="button" className="link" aria-haspopup="dialog" onClick={onClick}>
      <Icon name={icon} />
      <span>
        {children}
        <Of login={login} />
      </span>
    </button>
  )
}
