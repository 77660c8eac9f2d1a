import { useState } from 'react'
import { listActivity } from '../../contract/activity.ts'
import { limits } from '../../contract/limits.ts'
import { listPasskeys, type Passkey } from '../../contract/passkeys.ts'
import { useHydrated } from '../app/hydration.tsx'
import { useText } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { Icon } from '../art/icons.tsx'
import { invalidate, useRead } from '../calls/reads.ts'
import { isIpAddressHost, canUsePasskeys } from '../step-up/passkey-support.ts'
import { formatDate, formatDateTime } from '../text/format.ts'
import { Button, ButtonLink, RemoveButton } from '../ui/button.tsx'
import { Region } from '../ui/region.tsx'
import { DescribedCard } from '../ui/section-card.tsx'
import { Verbatim } from '../ui/verbatim.tsx'

const AddPasskeyDialog = partOnDemand(() => import('./passkey-dialogs.tsx').then((file) => file.AddPasskeyDialog))
const RemovePasskeyDialog = partOnDemand(() => import('./passkey-dialogs.tsx').then((file) => file.RemovePasskeyDialog))
const RenamePasskeyDialog = partOnDemand(() => import('./passkey-dialogs.tsx').then((file) => file.RenamePasskeyDialog))

type OpenedDialog = { what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey }

/** Shows the keys on the customer's devices that replace the SMS code (AUT-8). */
export function PasskeysCard() {
  const t = useText()
  const list = useRead(listPasskeys)
  const [open, setOpen] = useState<OpenedDialog>()
  const dialog = { onDone: () => invalidate(listPasskeys, listActivity), onClose: () => setOpen(undefined) }
  return (
    <DescribedCard
      id="passkeys-title"
      title={t({ pl: 'Klucze dostępu', en: 'Passkeys' })}
      intro={t({
        pl: 'Zaloguj się odciskiem palca, twarzą albo PIN\u2011em urządzenia, bez hasła i\u00a0kodu SMS.',
        en: 'Sign in with your fingerprint, your face or your device’s PIN, without a password or text-message code.',
      })}
    >
      <Region query={list} label={t({ pl: 'Wczytujemy klucze dostępu', en: 'Loading your passkeys' })}>
        {({ items }) => (
          <>
            {items.length ? (
              <>
                <ul className="security-rows">
                  {items.map((passkey) => (
                    <PasskeyRow
                      key={passkey.id}
                      passkey={passkey}
                      onRename={() => setOpen({ what: 'rename', passkey })}
                      onRemove={() => setOpen({ what: 'remove', passkey })}
                    />
                  ))}
                </ul>
                <p className="small muted">
                  {t({
                    pl: 'Usuń klucze, których nie rozpoznajesz albo już nie masz. Nowe hasło ich nie usuwa.',
                    en: 'Remove passkeys you don’t recognise or no longer have. A new password doesn’t remove them.',
                  })}
                </p>
              </>
            ) : (
              <p>
                {t({
                  pl: 'Nie masz jeszcze kluczy dostępu. Kody SMS działają bez zmian.',
                  en: 'You have no passkeys yet. Text-message codes work as before.',
                })}
              </p>
            )}
            <AddButton isFull={items.length >= limits.passkeys.maxCount} onAdd={() => setOpen({ what: 'add' })} />
            {open?.what === 'remove' && (
              <RemovePasskeyDialog {...dialog} passkey={open.passkey} isLast={items.length === 1} />
            )}
          </>
        )}
      </Region>
      {open?.what === 'add' && <AddPasskeyDialog {...dialog} />}
      {open?.what === 'rename' && <RenamePasskeyDialog {...dialog} passkey={open.passkey} />}
    </DescribedCard>
  )
}

type RowProps = { passkey: Passkey; onRename: () => void; onRemove: () => void }

function PasskeyRow({ passkey: { name, addedAt, usedAt }, onRename, onRemove }: RowProps) {
  const t = useText()
  const added = formatDate(t.locale, addedAt, 'short')
  const used = usedAt && formatDateTime(t.locale, usedAt, 'short')
  const rename = t({ pl: 'Zmień nazwę', en: 'Rename' })
  return (
    <li>
      <Icon name="key" />
      <div className="security-row">
        <div>
          <h3 translate="no">{name}</h3>
          <p className="small muted">
            {t({ pl: `Dodany ${added}`, en: `Added ${added}` })} ·{' '}
            {used
              ? t({ pl: `ostatnio użyty ${used}`, en: `last used ${used}` })
              : t({ pl: 'jeszcze nieużyty', en: 'not used yet' })}
          </p>
        </div>
        <div className="buttons">
          <Button variant="quiet" size="s" aria-label={`${rename}: ${name}`} onClick={onRename}>
            {rename}
          </Button>
          <RemoveButton aria-label={t({ pl: `Usuń: ${name}`, en: `Remove: ${name}` })} onClick={onRemove} />
        </div>
      </div>
    </li>
  )
}

/** Says why where no key can be added, and where one can. */
function AddButton({ isFull, onAdd }: { isFull: boolean; onAdd: () => void }) {
  const t = useText()
  const isHydrated = useHydrated()
  if (isFull)
    return (
      <p className="muted">
        {t({
          pl: `Masz już ${limits.passkeys.maxCount} kluczy dostępu. Usuń któryś, aby dodać nowy.`,
          en: `You already have ${limits.passkeys.maxCount} passkeys. Remove one to add another.`,
        })}
      </p>
    )
  const named = isHydrated && `localhost:${location.port}`
  return (
    <div className="passkeys__add">
      {/* Only the browser knows; until then its button waits too. */}
      {!named || canUsePasskeys() ? (
        <p>
          <Button variant="primary" icon="plus" onClick={onAdd}>
            {t({ pl: 'Dodaj klucz dostępu', en: 'Add passkey' })}
          </Button>
        </p>
      ) : (
        <PasskeyUnsupported named={named} />
      )}
    </div>
  )
}

/** Explains what helps if this browser cannot add a passkey: devices keep passkeys for a name, and not for an IP address. */
function PasskeyUnsupported({ named }: { named: string }) {
  const t = useText()
  if (location.hostname === '127.0.0.1')
    return (
      <p>
        <ButtonLink href={`${location.protocol}//${named}${location.pathname}`}>
          <span>
            {t({ pl: 'Dodaj klucz na ', en: 'Add passkey at ' })}
            <Verbatim>{named}</Verbatim>
          </span>
        </ButtonLink>
      </p>
    )
  return (
    <p className="small muted">
      {isIpAddressHost()
        ? t({
            pl: 'Klucz dostępu dodasz, gdy otworzysz portal pod jego nazwą, a\u00a0nie pod adresem IP.',
            en: 'To add a passkey, open the portal by its name and not by an IP address.',
          })
        : t({
            pl: 'Ta przeglądarka nie obsługuje kluczy dostępu. Otwórz portal w\u00a0innej.',
            en: 'This browser doesn’t support passkeys. Open the portal in another one.',
          })}
    </p>
  )
}
