import { useState } from 'react'
import { listUndelivered, resendUndelivered, type Undelivered } from '../../contract/desk/desk-messages.ts'
import type { Body, Reply } from '../../contract/endpoint.ts'
import { useAction } from '../action.ts'
import { call } from '../api.ts'
import { useText } from '../locale.tsx'
import { invalidate, useRead } from '../reads.ts'
import { formatDateTime } from '../text/format.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import '../ui/table.css'
import { Cell, DataTable, RowHead, TableRow } from '../ui/table.tsx'
import { channelText } from './channel-text.ts'
import { OperationsFrame } from './operations-frame.tsx'

type Cause = Reply<typeof listUndelivered>['causes'][number]
type Channel = Undelivered['channel']

const filters = [
  { channel: undefined, label: { pl: 'Wszystkie', en: 'All' } },
  { channel: 'mail', label: { pl: 'E-maile', en: 'E-mails' } },
  { channel: 'sms', label: { pl: 'SMS-y', en: 'Text messages' } },
] as const

/** DSK-32: messages that were not delivered, why, and sending them again. */
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
        {({ items, causes, more }) =>
          items.length ? (
            <>
              <Causes causes={causes} onResend={setAsked} />
              <Messages items={items} onResend={(id) => void run({ id })} />
              {more && (
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

const causeColumns = {
  cause: { pl: 'Przyczyna', en: 'Cause' },
  channel: { pl: 'Kanał', en: 'Channel' },
  messages: { pl: 'Wiadomości', en: 'Messages' },
}

function Causes({ causes, onResend }: { causes: readonly Cause[]; onResend: (cause: Cause) => void }) {
  const t = useText()
  if (!causes.length) return null
  return (
    <section className="desk-block" aria-labelledby="causes">
      <h2 id="causes">{t({ pl: 'Przyczyny', en: 'Causes' })}</h2>
      <DataTable caption={{ pl: 'Przyczyny', en: 'Causes' }} columns={causeColumns} actions>
        {causes.map((each) => (
          <TableRow key={each.channel + each.cause}>
            <RowHead className="t-main desk-break" lang="en">
              {each.cause}
            </RowHead>
            <Cell column={causeColumns.channel}>{channelText(t, each.channel)}</Cell>
            <Cell column={causeColumns.messages}>{each.messages}</Cell>
            <Cell>
              <Button size="s" onClick={() => onResend(each)}>
                {t({ pl: 'Wyślij ponownie wszystkie', en: 'Send all again' })}
              </Button>
            </Cell>
          </TableRow>
        ))}
      </DataTable>
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

const messageColumns = {
  recipient: { pl: 'Odbiorca', en: 'Recipient' },
  createdAt: { pl: 'Utworzona', en: 'Created' },
  cause: { pl: 'Przyczyna', en: 'Cause' },
  tries: { pl: 'Prób', en: 'Tries' },
  next: { pl: 'Następna próba', en: 'Next try' },
}

function Messages({ items, onResend }: { items: readonly Undelivered[]; onResend: (id: string) => void }) {
  const t = useText()
  return (
    <section className="desk-block" aria-labelledby="messages">
      <h2 id="messages">{t({ pl: 'Wiadomości', en: 'Messages' })}</h2>
      <DataTable caption={{ pl: 'Wiadomości', en: 'Messages' }} columns={messageColumns} actions>
        {items.map(({ id, recipient, createdAt, cause, tries, nextTryAt }) => (
          <TableRow key={id}>
            <RowHead translate="no">{recipient ?? '–'}</RowHead>
            <Cell column={messageColumns.createdAt}>{formatDateTime(t.locale, createdAt, 'short')}</Cell>
            <Cell column={messageColumns.cause} lang="en" className="desk-break">
              {cause}
            </Cell>
            <Cell column={messageColumns.tries}>{tries}</Cell>
            <Cell column={messageColumns.next}>
              {nextTryAt ? formatDateTime(t.locale, nextTryAt, 'short') : t({ pl: 'brak', en: 'none' })}
            </Cell>
            <Cell>
              {!nextTryAt && (
                <Button size="s" onClick={() => onResend(id)}>
                  <span>
                    {t({ pl: 'Wyślij ponownie', en: 'Send again' })}
                    <span className="vh"> – {recipient ?? id}</span>
                  </span>
                </Button>
              )}
            </Cell>
          </TableRow>
        ))}
      </DataTable>
    </section>
  )
}
