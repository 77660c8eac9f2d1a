import { useId, useState } from 'react'
import type { TimestampAccount } from '../../contract/timestamps.ts'
import { Icon, type IconName } from '../art/icons.tsx'
import { Medallion } from '../art/medallion.tsx'
import { useText } from '../locale.tsx'
import { partOnDemand } from '../on-demand.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { AccountBalance } from './account-balance.tsx'
import { authenticationText } from './timestamps-text.ts'
import { DescriptionList, Row } from '../ui/description-list.tsx'

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

/** One account: how programs reach it, what is left, and what can be done with it (TSP-1). */
export function AccountCard({ account }: { account: TimestampAccount }) {
  const t = useText()
  const heading = useId()
  const { login, authentication, serverUrl, status } = account
  const active = status === 'active'
  const [opened, setOpened] = useState<Opened>()
  const Dialog = opened && dialogs[opened]

  return (
    <article className="card cert tsa" aria-labelledby={heading}>
      <Medallion family="timestamp" size={88} off={!active} />
      <div className="cert__main">
        <div className="cert__top">
          <h3 id={heading} tabIndex={-1} className="tsa__login">
            {login}
          </h3>
          <Badge kind={active ? 'ok' : 'mute'} icon={active ? 'okc' : 'minusc'}>
            {active ? t({ pl: 'Aktywne', en: 'Active' }) : t({ pl: 'Nieaktywne', en: 'Inactive' })}
          </Badge>
        </div>
        <DescriptionList look="columns" className="cert__dl">
          <Row name={t({ pl: 'Logowanie', en: 'Authentication' })}>{t(authenticationText[authentication])}</Row>
          <Row name={t({ pl: 'Adres serwera', en: 'Server address' })} className="tsa__address">
            <span className="mono wrap">{serverUrl}</span>
            <CopyButton
              text={serverUrl}
              label={t({ pl: 'Skopiuj', en: 'Copy' })}
              about={t({ pl: `adres serwera konta ${login}`, en: `the server address of ${login}` })}
            />
          </Row>
        </DescriptionList>
        <AccountBalance account={account} />
      </div>
      <div className="cert__act">
        <Button block aria-haspopup="dialog" onClick={() => setOpened('packages')}>
          <span>
            {t({ pl: `Pokaż pakiety (${account.packages})`, en: `Show packages (${account.packages})` })}
            <Of login={login} />
          </span>
        </Button>
        <Opener icon="chart" login={login} onClick={() => setOpened('usage')}>
          {t({ pl: 'Zużycie', en: 'Usage' })}
        </Opener>
        {active && (
          <Opener icon="laptop" login={login} onClick={() => setOpened('connect')}>
            {t({ pl: 'Podłącz program', en: 'Connect a program' })}
          </Opener>
        )}
        {account.passwordChangeable && (
          <Opener icon="key" login={login} onClick={() => setOpened('password')}>
            {t({ pl: 'Zmień hasło', en: 'Change password' })}
          </Opener>
        )}
        {Dialog && <Dialog account={account} onClose={() => setOpened(undefined)} />}
      </div>
    </article>
  )
}

/** Actions of several cards have distinct names (ux 5.8). */
function Of({ login }: { login: string }) {
  const t = useText()
  return <span className="vh">{t({ pl: ` konta ${login}`, en: ` of the account ${login}` })}</span>
}

function Opener({
  icon,
  login,
  onClick,
  children,
}: {
  icon: IconName
  login: string
  onClick: () => void
  children: string
}) {
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
