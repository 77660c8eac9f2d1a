import { useState } from 'react'
import * as z from 'zod/mini'
import { clientGroups } from '../../contract/api-tags.ts'
import {
  createKeyAtDesk,
  deskScopes,
  isMadeAtDesk,
  listKeysAtDesk,
  revokeKeyAtDesk,
  rotateKeyAtDesk,
  type DeskScope,
  type ListedClientKey,
} from '../../contract/desk/desk-client-keys.ts'
import type { DeskSession } from '../../contract/desk/desk-session.ts'
import { ClientKeyName, clientScopes } from '../../contract/provider/client-keys.ts'
import { useText } from '../app/locale.tsx'
import { call, hasFailedWith } from '../calls/api.ts'
import { invalidate, useRead } from '../calls/reads.ts'
import { formatDate } from '../text/format.ts'
import { LookBadge, type StatusLook } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Field } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import { Select } from '../ui/select.tsx'
import '../ui/checkbox.css'
import { DataTable, type Column } from '../ui/table.tsx'
import { OperationsFrame, RowButton } from './operations-frame.tsx'
import { isRecent, refreshAfterOldSignIn, SignInAgain } from './recent-sign-in.tsx'
import { SecretDialog } from './secret-dialog.tsx'

const stateLook: Record<ListedClientKey['state'], StatusLook> = {
  live: { kind: 'ok', icon: 'check-circle', text: { pl: 'Ważny', en: 'Valid' } },
  replaced: { kind: 'warning', icon: 'clock', text: { pl: 'Wymieniony', en: 'Replaced' } },
  ended: { kind: 'muted', icon: 'minus-circle', text: { pl: 'Wygasł', en: 'Expired' } },
  revoked: { kind: 'muted', icon: 'close', text: { pl: 'Unieważniony', en: 'Revoked' } },
}

const columns: Column<ListedClientKey>[] = [
  { title: { pl: 'Nazwa', en: 'Name' }, translate: 'no', cell: ({ name }) => name },
  { title: { pl: 'Stan', en: 'State' }, cell: ({ state }) => <LookBadge look={stateLook[state]} /> },
  {
    title: { pl: 'Uprawnienia', en: 'Scopes' },
    translate: 'no',
    className: 'desk-break',
    cell: ({ scopes }) => abbreviateScopes(scopes),
  },
  { title: { pl: 'Utworzony', en: 'Created' }, cell: ({ createdAt }, t) => formatDate(t.locale, createdAt, 'short') },
  {
    title: { pl: 'Ważny do', en: 'Valid until' },
    cell: ({ expiresAt }, t) => (expiresAt ? formatDate(t.locale, expiresAt, 'short') : '–'),
  },
]

type PendingAction = { what: 'rotate' | 'revoke'; key: ListedClientKey }

/** Shows the keys of the provider's systems (DSK-33). */
export function ClientKeysScreen({ session }: { session: DeskSession }) {
  const t = useText()
  const keys = useRead(listKeysAtDesk)
  const [isCreating, setIsCreating] = useState(false)
  const [asked, setAsked] = useState<PendingAction>()
  const [secret, setSecret] = useState<string>()
  const canChange = isRecent(session)
  async function confirm({ what, key: { id } }: PendingAction) {
    const params = { id }
    if (what === 'revoke') await call(revokeKeyAtDesk, { params })
    else setSecret((await refreshAfterOldSignIn(call(rotateKeyAtDesk, { params }))).key)
    await invalidate(listKeysAtDesk)
  }
  return (
    <OperationsFrame
      title={{ pl: 'Klucze klienckie', en: 'Client keys' }}
      lede={{
        pl: 'Kluczami systemy dostawcy wywołują jego API.',
        en: 'The provider’s systems call its API with them.',
      }}
      action={
        canChange && (
          <Button variant="primary" icon="plus" onClick={() => setIsCreating(true)}>
            {t({ pl: 'Utwórz klucz', en: 'Create a key' })}
          </Button>
        )
      }
    >
      {!canChange && <SignInAgain />}
      <Region query={keys} label={t({ pl: 'Wczytujemy klucze', en: 'Loading keys' })}>
        {({ items }) => (
          <DataTable
            caption={{ pl: 'Klucze klienckie', en: 'Client keys' }}
            columns={columns}
            rows={items}
            keyOf={({ id }) => id}
            actions={(key) => <Actions of={key} canChange={canChange} onAsk={setAsked} />}
          />
        )}
      </Region>
      {isCreating && <NewKey onMade={setSecret} onClose={() => setIsCreating(false)} />}
      {asked && <Question asked={asked} onConfirm={() => confirm(asked)} onClose={() => setAsked(undefined)} />}
      {secret && !asked && !isCreating && (
        <SecretDialog
          title={t({ pl: 'Nowy klucz', en: 'The new key' })}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </OperationsFrame>
  )
}

type Props = { asked: PendingAction; onConfirm: () => unknown; onClose: () => void }

function Question({ asked: { what, key }, ...dialog }: Props) {
  const t = useText()
  const { name } = key
  return what === 'revoke' ? (
    <ConfirmDialog
      title={t({ pl: `Unieważnić klucz ${name}?`, en: `${name}: revoke this key?` })}
      description={t({
        pl: 'System, który go używa, od razu straci dostęp do API. Tego nie da się cofnąć.',
        en: 'The system that uses it loses access to the API at once. This can’t be undone.',
      })}
      label={t({ pl: 'Unieważnij', en: 'Revoke' })}
      {...dialog}
    />
  ) : (
    <ConfirmDialog
      title={t({ pl: `Wymienić klucz ${name}?`, en: `Rotate the key ${name}?` })}
      description={t({
        pl: 'Pokażemy nowy klucz z\u00a0tymi samymi uprawnieniami. Obecny działa jeszcze dobę.',
        en: 'You get a new key with the same scopes. The present one works for another day.',
      })}
      label={t({ pl: 'Wymień', en: 'Rotate' })}
      {...dialog}
    />
  )
}

type ActionsProps = { of: ListedClientKey; canChange: boolean; onAsk: (asked: PendingAction) => void }

function Actions({ of: key, canChange, onAsk }: ActionsProps) {
  const { name, state, scopes } = key
  const isValid = state === 'live' || state === 'replaced'
  return (
    <span className="buttons">
      {state === 'live' && canChange && isMadeAtDesk(scopes) && (
        <RowButton label={{ pl: 'Wymień', en: 'Rotate' }} of={name} onClick={() => onAsk({ what: 'rotate', key })} />
      )}
      {isValid && (
        <RowButton
          label={{ pl: 'Unieważnij', en: 'Revoke' }}
          of={name}
          onClick={() => onAsk({ what: 'revoke', key })}
        />
      )}
    </span>
  )
}

/** Abbreviates the scopes of a key: `all:write` if it has all write scopes, else `all:read` if it has all read scopes, else the list. */
function abbreviateScopes(scopes: readonly string[]): string {
  for (const right of ['write', 'read']) {
    const all = clientScopes.filter((scope) => scope.endsWith(`:${right}`))
    if (all.every((scope) => scopes.includes(scope))) return `all:${right}`
  }
  return scopes.join(', ')
}

const lives = [30, 90, 365, 730] as const
const KeyForm = z.object({ name: ClientKeyName, days: z.string() })

function NewKey({ onMade, onClose }: { onMade: (key: string) => void; onClose: () => void }) {
  const t = useText()
  const [scopes, setScopes] = useState<ReadonlySet<DeskScope>>(new Set())
  const [isTaken, setIsTaken] = useState(false)
  const [isEmpty, setIsEmpty] = useState(false)
  async function submit({ name, days }: z.infer<typeof KeyForm>) {
    setIsTaken(false)
    setIsEmpty(!scopes.size)
    if (!scopes.size) return
    const body = { name, days: Number(days), scopes: [...scopes] }
    const made = await refreshAfterOldSignIn(call(createKeyAtDesk, { body })).catch((error: unknown) => {
      if (!hasFailedWith(error, 'object-in-use')) throw error
      setIsTaken(true)
      return undefined
    })
    if (!made) return
    await invalidate(listKeysAtDesk)
    onMade(made.key)
    onClose()
  }
  return (
    <FormDialog
      isStacked
      schema={KeyForm}
      onSubmit={submit}
      summary="in-dialog"
      title={t({ pl: 'Nowy klucz kliencki', en: 'New client key' })}
      width="l"
      onClose={onClose}
      submit={t({ pl: 'Utwórz klucz', en: 'Create the key' })}
    >
      {isTaken && (
        <Notice kind="error" role="alert">
          {t({ pl: 'Istnieje już ważny klucz o tej nazwie.', en: 'A valid key has this name already.' })}
        </Notice>
      )}
      <Field
        name="name"
        label={t({ pl: 'Nazwa systemu', en: 'Name of the system' })}
        hint={t({
          pl: 'Małe litery a–z, cyfry, kropki, łączniki i\u00a0podkreślenia, na przykład crm.',
          en: 'Lower-case letters a–z, digits, dots, hyphens and underscores, such as crm.',
        })}
        autoComplete="off"
        spellCheck={false}
      />
      <Select
        name="days"
        label={t({ pl: 'Ważność', en: 'Valid for' })}
        value="365"
        options={lives.map((days) => ({ value: String(days), label: t({ pl: `${days} dni`, en: `${days} days` }) }))}
      />
      <Scopes chosen={scopes} onChange={setScopes} />
      {isEmpty && (
        <Notice kind="error" role="alert">
          {t({ pl: 'Zaznacz co najmniej jedno uprawnienie.', en: 'Choose at least one scope.' })}
        </Notice>
      )}
    </FormDialog>
  )
}

type ScopesProps = { chosen: ReadonlySet<DeskScope>; onChange: (chosen: ReadonlySet<DeskScope>) => void }

/** Shows a checkbox for each scope. A write scope includes reading. */
function Scopes({ chosen, onChange }: ScopesProps) {
  const t = useText()
  const toggle = (scope: DeskScope, isOn: boolean) => {
    const next = new Set(chosen)
    if (isOn) next.add(scope)
    else next.delete(scope)
    onChange(next)
  }
  return (
    <fieldset className="desk-scopes">
      <legend>{t({ pl: 'Uprawnienia', en: 'Scopes' })}</legend>
      <p className="soft">
        {t({
          pl: 'Klucz z\u00a0uprawnieniem customers:write tworzy i\u00a0wymienia tylko polecenie sygnet.',
          en: 'Only the sygnet command creates and rotates a key with customers:write.',
        })}
      </p>
      {clientGroups.map((group) => (
        <div key={group} className="desk-scopes__group">
          {deskScopes
            .filter((scope) => scope.startsWith(`${group}:`))
            .map((scope) => (
              <label key={scope} className="check">
                <input
                  type="checkbox"
                  checked={chosen.has(scope)}
                  onChange={({ target }) => toggle(scope, target.checked)}
                />
                <span translate="no">{scope}</span>
              </label>
            ))}
        </div>
      ))}
    </fieldset>
  )
}
