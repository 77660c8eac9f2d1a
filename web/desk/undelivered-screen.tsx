import { useState } from 'react'
import { listUndelivered, resendUndelivered, type Undelivered } from '../../contract/desk/desk-operations.ts'
import type { Body, Reply } from '../../contract/endpoint.ts'
import { useText } from '../app/locale.tsx'
import { call } from '../calls/api.ts'
import { invalidate, useRead } from '../calls/reads.ts'
import { formatDateTime } from '../text/format.ts'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import { DataTable, type Column } from '../ui/table.tsx'
import { OperationsFrame, channelText } from './operations-frame.tsx'

type Cause = Reply<typeof listUndelivered>['causes'][number]
type Channel = Undelivered['channel']

const filters = [
  { channel: undefined, label: { pl: 'Wszystkie', en: 'All' } },
  { channel: 'mail', label: { pl: 'E-maile', en: 'E-mails' } },
  { channel: 'sms', label: { pl: 'SMS-y', en: 'Text messages' } },
] as const

/** Lists the messages that were not delivered, with the reason, and sends them again (DSK-32). */
export function UndeliveredScreen() {
  const t = useText()
  const [channel, setChannel] = useState<Channel>()
  const [asked, setAsked] = useState<Cause>()
  const [resent, setResent] = useState<number>()
  const list = useRead(listUndelivered, channel ? { query: { channel } } : {})
  async function resend(which: Body<typeof resendUndelivered>['which']) {
    setResent(undefined)
    const done = await call(resendUndelivered, { body: { which } })
    await invalidate(listUndelivered)
    setResent(done.resent)
  }
  const { run, failureText } = useAction(resend)
  return (
    <OperationsFrame
      title={{ pl: 'Niedoręczone wiadomości', en: 'Undelivered messages' }}
      lede={{
        pl: 'E-maile i\u00a0SMS-y, których nie udało się doręczyć. Odczyt listy zapisujemy w\u00a0dzienniku.',
        en: 'E-mails and text messages that could not be delivered. Reading this list is recorded in the audit trail.',
      }}
    >
      <div className="desk-filters" role="group" aria-label={t({ pl: 'Kanał', en: 'Channel' })}>
        {filters.map(({ channel: own, label }) => (
          <Button
            key={label.en}
            size="s"
            aria-pressed={own === channel}
            variant={own === channel ? 'primary' : 'secondary'}
            onClick={() => setChannel(own)}
          >
            {t(label)}
          </Button>
        ))}
      </div>
      <FailureNotice text={failureText} />
      <div role="status">
        {resent !== undefined && (
          <Notice kind={resent ? 'ok' : 'info'}>
            {resent
              ? t({ pl: `Wysyłamy ponownie. Wiadomości: ${resent}.`, en: `Being sent again: ${resent}.` })
              : t({ pl: 'Nie ma już czego wysłać.', en: 'There is nothing left to send.' })}
          </Notice>
        )}
      </div>
      <Region query={list} label={t({ pl: 'Wczytujemy wiadomości', en: 'Loading messages' })}>
        {({ items, causes, hasMore }) =>
          items.length ? (
            <>
              <Causes causes={causes} onResend={setAsked} />
              <Messages items={items} onResend={(id) => void run({ id })} />
              {hasMore && (
                <p className="soft">
                  {t({
                    pl: 'To najnowsze wiadomości; są też starsze.',
                    en: 'These are the newest; there are older ones.',
                  })}
                </p>
              )}
            </>
          ) : (
            <Notice kind="ok">{t({ pl: 'Brak niedoręczonych wiadomości.', en: 'No undelivered messages.' })}</Notice>
          )
        }
      </Region>
      {asked && (
        <ResendDialog
          cause={asked}
          onConfirm={() => resend({ channel: asked.channel, cause: asked.cause })}
          onClose={() => setAsked(undefined)}
        />
      )}
    </OperationsFrame>
  )
}

const causeColumns: Column<Cause>[] = [
  {
    title: { pl: 'Przyczyna', en: 'Cause' },
    className: 'table-main desk-break',
    lang: 'en',
    cell: ({ cause }) => cause,
  },
  { title: { pl: 'Kanał', en: 'Channel' }, cell: ({ channel }, t) => channelText(t, channel) },
  { title: { pl: 'Wiadomości', en: 'Messages' }, cell: ({ messages }) => messages },
]

function Causes({ causes, onResend }: { causes: readonly Cause[]; onResend: (cause: Cause) => void }) {
  const t = useText()
  if (!causes.length) return null
  return (
    <section className="desk-block" aria-labelledby="causes">
      <h2 id="causes">{t({ pl: 'Przyczyny', en: 'Causes' })}</h2>
      <DataTable
        caption={{ pl: 'Przyczyny', en: 'Causes' }}
        columns={causeColumns}
        rows={causes}
        keyOf={({ channel, cause }) => channel + cause}
        actions={(each) => (
          <Button size="s" onClick={() => onResend(each)}>
            {t({ pl: 'Wyślij ponownie wszystkie', en: 'Send all again' })}
          </Button>
        )}
      />
    </section>
  )
}

type ResendProps = { cause: Cause; onConfirm: () => Promise<void>; onClose: () => void }

function ResendDialog({ cause: { cause, messages }, onConfirm, onClose }: ResendProps) {
  const t = useText()
  return (
    <ConfirmDialog
      title={t({ pl: 'Wysłać ponownie?', en: 'Send again?' })}
      description={
        <>
          {t({ pl: 'Przyczyna: ', en: 'Cause: ' })}
          <span lang="en">{cause}</span>
          <br />
          {t({ pl: `Wiadomości: ${messages}, najwyżej 500 naraz.`, en: `Messages: ${messages}, at most 500 at once.` })}
        </>
      }
      label={t({ pl: 'Wyślij ponownie', en: 'Send again' })}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  )
}

const messageColumns: Column<Undelivered>[] = [
  { title: { pl: 'Odbiorca', en: 'Recipient' }, translate: 'no', cell: ({ recipient }) => recipient ?? '–' },
  {
    title: { pl: 'Utworzona', en: 'Created' },
    cell: ({ createdAt }, t) => formatDateTime(t.locale, createdAt, 'short'),
  },
  { title: { pl: 'Przyczyna', en: 'Cause' }, lang: 'en', className: 'desk-break', cell: ({ cause }) => cause },
  { title: { pl: 'Prób', en: 'Tries' }, cell: ({ tries }) => tries },
  {
    title: { pl: 'Następna próba', en: 'Next try' },
    cell: ({ nextTryAt }, t) =>
      nextTryAt ? formatDateTime(t.locale, nextTryAt, 'short') : t({ pl: 'brak', en: 'none' }),
  },
]

function Messages({ items, onResend }: { items: readonly Undelivered[]; onResend: (id: string) => void }) {
  const t = useText()
  return (
    <section className="desk-block" aria-labelledby="messages">
      <h2 id="messages">{t({ pl: 'Wiadomości', en: 'Messages' })}</h2>
      <DataTable
        caption={{ pl: 'Wiadomości', en: 'Messages' }}
        columns={messageColumns}
        rows={items}
        keyOf={({ id }) => id}
        actions={({ id, recipient, nextTryAt }) =>
          !nextTryAt && (
            <Button size="s" onClick={() => onResend(id)}>
              <span>
                {t({ pl: 'Wyślij ponownie', en: 'Send again' })}
                <span className="unseen"> – {recipient ?? id}</span>
              </span>
            </Button>
          )
        }
      />
    </section>
  )
}
