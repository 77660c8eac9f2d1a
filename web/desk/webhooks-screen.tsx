import { useState } from 'react'
import * as z from 'zod/mini'
import { readDeskSession, type DeskSession } from '../../contract/desk/desk-session.ts'
import {
  drawSecretAtDesk,
  listWebhooksAtDesk,
  putWebhookAtDesk,
  removeWebhookAtDesk,
  replayAtDesk,
} from '../../contract/desk/desk-webhooks.ts'
import { ProviderId } from '../../contract/fields.ts'
import { eventKinds, type EventType } from '../../contract/provider/events.ts'
import { Webhook, type WebhookState } from '../../contract/provider/webhooks.ts'
import { useText } from '../app/locale.tsx'
import { call } from '../calls/api.ts'
import { invalidate, useRead } from '../calls/reads.ts'
import { formatDate } from '../text/format.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Field } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import '../ui/checkbox.css'
import { DataTable, type Column } from '../ui/table.tsx'
import { OperationsFrame, RowButton } from './operations-frame.tsx'
import { isRecent, SignInAgain } from './recent-sign-in.tsx'
import { SecretDialog } from './secret-dialog.tsx'

const columns: Column<WebhookState>[] = [
  { title: { pl: 'Nazwa', en: 'Name' }, translate: 'no', cell: ({ webhook }) => webhook },
  { title: { pl: 'Adres', en: 'Address' }, translate: 'no', className: 'desk-break', cell: ({ url }) => url },
  {
    title: { pl: 'Zdarzenia', en: 'Events' },
    cell: (item, t) => (item.types ? item.types.length : t({ pl: 'wszystkie', en: 'all' })),
  },
  {
    title: { pl: 'Czeka', en: 'Waiting' },
    className: 'desk-break',
    cell: ({ waiting, failure }) => (
      <>
        {waiting}
        {failure && <span lang="en"> – {failure}</span>}
      </>
    ),
  },
  { title: { pl: 'Nieudane', en: 'Failed' }, cell: ({ deadLetters }) => deadLetters },
  { title: { pl: 'Dodany', en: 'Added' }, cell: ({ createdAt }, t) => formatDate(t.locale, createdAt, 'short') },
]

const actions = {
  replay: {
    label: { pl: 'Ponów', en: 'Send again' },
    title: { pl: 'Wysłać nieudane zdarzenia ponownie?', en: 'Send the failed events again?' },
    effect: { pl: 'Dotrą w\u00a0innej kolejności.', en: 'They may arrive out of order.' },
  },
  secret: {
    label: { pl: 'Nowy sekret', en: 'New secret' },
    title: { pl: 'Utworzyć nowy sekret?', en: 'Make a new secret?' },
    effect: {
      pl: 'Pokażemy go raz. Obecny podpisuje zdarzenia jeszcze przez dobę.',
      en: 'It is shown once. The present one also signs for another day.',
    },
  },
  remove: {
    label: { pl: 'Usuń', en: 'Remove' },
    title: { pl: 'Usunąć webhook?', en: 'Remove the webhook?' },
    effect: {
      pl: 'Niedoręczone zdarzenia zostaną tylko w\u00a0dzienniku zdarzeń.',
      en: 'Undelivered events stay in the feed only.',
    },
  },
} as const
type Action = keyof typeof actions
type PendingAction = { action: Action; webhook: string }

/** Shows the webhooks to which events are sent (DSK-34). */
export function WebhooksScreen({ session }: { session: DeskSession }) {
  const t = useText()
  const list = useRead(listWebhooksAtDesk)
  const [edited, setEdited] = useState<WebhookState | 'new'>()
  const [asked, setAsked] = useState<PendingAction>()
  const [secret, setSecret] = useState<string>()
  const canChange = isRecent(session)
  async function confirm({ action, webhook }: PendingAction) {
    const params = { webhook }
    if (action === 'replay') await call(replayAtDesk, { params })
    if (action === 'remove') await call(removeWebhookAtDesk, { params })
    if (action === 'secret') setSecret((await call(drawSecretAtDesk, { params })).secret)
    await invalidate(listWebhooksAtDesk)
  }
  return (
    <OperationsFrame
      title={{ pl: 'Webhooki', en: 'Webhooks' }}
      lede={{
        pl: 'Pod te adresy portal wysyła zdarzenia, podpisane sekretem.',
        en: 'The portal sends events to these addresses, signed with a secret.',
      }}
      action={
        canChange && (
          <Button variant="primary" icon="plus" onClick={() => setEdited('new')}>
            {t({ pl: 'Dodaj webhook', en: 'Add a webhook' })}
          </Button>
        )
      }
    >
      {!canChange && <SignInAgain />}
      <Region query={list} label={t({ pl: 'Wczytujemy webhooki', en: 'Loading webhooks' })}>
        {({ items, hosts }) => (
          <>
            {items.length ? (
              <DataTable
                caption={{ pl: 'Webhooki', en: 'Webhooks' }}
                columns={columns}
                rows={items}
                keyOf={({ webhook }) => webhook}
                actions={(item) => <Actions item={item} canChange={canChange} onEdit={setEdited} onAsk={setAsked} />}
              />
            ) : (
              <p className="soft">{t({ pl: 'Nie ma webhooków.', en: 'There are no webhooks.' })}</p>
            )}
            {edited && (
              <WebhookForm
                of={edited === 'new' ? undefined : edited}
                hosts={hosts}
                onSecret={setSecret}
                onClose={() => setEdited(undefined)}
              />
            )}
          </>
        )}
      </Region>
      {asked && (
        <ConfirmDialog
          title={t(actions[asked.action].title)}
          description={`${asked.webhook}: ${t(actions[asked.action].effect)}`}
          label={t(actions[asked.action].label)}
          onConfirm={() => confirm(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {secret && !asked && !edited && (
        <SecretDialog
          title={t({ pl: 'Sekret webhooka', en: 'The secret of the webhook' })}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </OperationsFrame>
  )
}

type ActionsProps = {
  item: WebhookState
  canChange: boolean
  onEdit: (item: WebhookState) => void
  onAsk: (asked: PendingAction) => void
}

function Actions({ item, canChange, onEdit, onAsk }: ActionsProps) {
  const { webhook, deadLetters } = item
  const offered: Action[] = [
    ...(deadLetters ? ['replay' as const] : []),
    ...(canChange ? ['secret' as const] : []),
    'remove',
  ]
  return (
    <span className="buttons">
      {canChange && <RowButton label={{ pl: 'Zmień', en: 'Change' }} of={webhook} onClick={() => onEdit(item)} />}
      {offered.map((action) => (
        <RowButton key={action} label={actions[action].label} of={webhook} onClick={() => onAsk({ action, webhook })} />
      ))}
    </span>
  )
}

const Form = z.object({ webhook: ProviderId, url: Webhook.shape.url })
const types = eventKinds.map(({ type }) => type)

type FormProps = {
  of: WebhookState | undefined
  hosts: readonly string[]
  onSecret: (secret: string) => void
  onClose: () => void
}

function WebhookForm({ of, hosts, onSecret, onClose }: FormProps) {
  const t = useText()
  const [chosen, setChosen] = useState<ReadonlySet<EventType>>(new Set(of?.types))
  async function submit({ webhook, url }: z.infer<typeof Form>) {
    const body = { url, types: chosen.size ? [...chosen] : null }
    try {
      const { secret } = await call(putWebhookAtDesk, { params: { webhook: of?.webhook ?? webhook }, body })
      if (secret) onSecret(secret)
    } finally {
      await invalidate(listWebhooksAtDesk, readDeskSession)
    }
    onClose()
  }
  const toggle = (type: EventType, isOn: boolean) => {
    const next = new Set(chosen)
    if (isOn) next.add(type)
    else next.delete(type)
    setChosen(next)
  }
  return (
    <FormDialog
      isStacked
      schema={Form}
      onSubmit={submit}
      summary="in-dialog"
      initial={of && { webhook: of.webhook, url: of.url }}
      title={of ? t({ pl: 'Zmień webhook', en: 'Change the webhook' }) : t({ pl: 'Nowy webhook', en: 'New webhook' })}
      width="l"
      onClose={onClose}
      submit={t({ pl: 'Zapisz', en: 'Save' })}
    >
      {!hosts.length && (
        <Notice kind="warning">
          {t({
            pl: 'Operator nie dopuścił żadnego hosta (WEBHOOK_HOSTS).',
            en: 'The operator has allowed no host (WEBHOOK_HOSTS).',
          })}
        </Notice>
      )}
      <Field
        name="webhook"
        label={t({ pl: 'Nazwa', en: 'Name' })}
        readOnly={of !== undefined}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        name="url"
        label={t({ pl: 'Adres', en: 'Address' })}
        hint={`${t({ pl: 'Dopuszczone hosty: ', en: 'Allowed hosts: ' })}${hosts.join(', ') || '–'}`}
        autoComplete="off"
        spellCheck={false}
      />
      <fieldset className="desk-scopes">
        <legend>{t({ pl: 'Zdarzenia (bez wyboru – wszystkie)', en: 'Events; none selected means all' })}</legend>
        {types.map((type) => (
          <label key={type} className="check">
            <input type="checkbox" checked={chosen.has(type)} onChange={({ target }) => toggle(type, target.checked)} />
            <span translate="no">{type}</span>
          </label>
        ))}
      </fieldset>
    </FormDialog>
  )
}
