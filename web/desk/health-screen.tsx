import { readHealth, requestChecks, type NodeState } from '../../contract/desk/desk-operations.ts'
import type { Reply } from '../../contract/endpoint.ts'
import { useAction } from '../action.ts'
import { call } from '../api.ts'
import { useText } from '../locale.tsx'
import { invalidate, refetch, useRead } from '../reads.ts'
import { formatDateTime } from '../text/format.ts'
import { LookBadge, type StatusLook } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import '../ui/table.css'
import { Cell, DataTable, RowHead, TableRow } from '../ui/table.tsx'
import { channelText } from './channel-text.ts'
import { OperationsFrame } from './operations-frame.tsx'
import { useEvery } from './use-every.ts'

type Health = Reply<typeof readHealth>

const everyMs = 30_000

const liveLook: StatusLook = { kind: 'ok', icon: 'okc', text: { pl: 'Działa', en: 'Live' } }
const lostLook: StatusLook = { kind: 'err', icon: 'alert', text: { pl: 'Nie zgłasza się', en: 'Not seen' } }
const findingLook: Record<NodeState['findings'][number]['status'], StatusLook> = {
  ok: { kind: 'ok', icon: 'okc', text: { pl: 'Działa', en: 'OK' } },
  warning: { kind: 'warn', icon: 'warn', text: { pl: 'Ostrzeżenie', en: 'Warning' } },
  failed: { kind: 'err', icon: 'alert', text: { pl: 'Błąd', en: 'Failed' } },
  'not tested': { kind: 'mute', icon: 'help', text: { pl: 'Nie sprawdzono', en: 'Not tested' } },
}

/** DSK-31: how the nodes, their services and the outbox are. */
export function HealthScreen() {
  const t = useText()
  const health = useRead(readHealth)
  useEvery(everyMs, () => refetch(readHealth))
  const { run, busy, failureText } = useAction(async () => {
    await call(requestChecks)
    await invalidate(readHealth)
  })
  const isWanted = health.data?.nodes.some(({ isCheckWanted }) => isCheckWanted) === true
  return (
    <OperationsFrame
      title={{ pl: 'Stan systemu', en: 'Health' }}
      lede={{
        pl: 'Odświeża się co pół minuty. Sprawdzenie usług zużywa jeden znacznik czasu na węzeł.',
        en: 'Refreshes every 30 seconds. A check of the services uses one timestamp per node.',
      }}
      action={
        <Button icon="refresh" busy={busy} onClick={() => void run()}>
          {t({ pl: 'Sprawdź usługi', en: 'Check the services' })}
        </Button>
      }
    >
      <FailureNotice text={failureText} />
      <div role="status">
        {isWanted && (
          <Notice>
            {t({
              pl: 'Węzły sprawdzają usługi. Wynik pojawi się w\u00a0ciągu minuty.',
              en: 'The nodes are checking their services. The result appears within a minute.',
            })}
          </Notice>
        )}
      </div>
      <Region query={health} label={t({ pl: 'Wczytujemy stan systemu', en: 'Loading health' })}>
        {({ nodes, outbox, alarms }) => (
          <>
            {nodes.map((node) => (
              <Node key={node.id} node={node} />
            ))}
            {!nodes.length && (
              <Notice kind="warn">
                {t({ pl: 'Żaden węzeł jeszcze się nie zgłosił.', en: 'No node has reported yet.' })}
              </Notice>
            )}
            <Outbox outbox={outbox} />
            <Alarms alarms={alarms} />
          </>
        )}
      </Region>
    </OperationsFrame>
  )
}

const findingColumns = {
  name: { pl: 'Usługa', en: 'Service' },
  status: { pl: 'Stan', en: 'State' },
  text: { pl: 'Co wykryto', en: 'What was found' },
}

function Node({ node }: { node: NodeState }) {
  const t = useText()
  const { id, host, version, isLive, startedAt, seenAt, checkedAt, findings, jobs } = node
  const at = (moment: string) => formatDateTime(t.locale, moment, 'short')
  return (
    <section className="desk-block" aria-labelledby={id}>
      <div className="desk-block__head">
        <h2 id={id}>
          {t({ pl: 'Węzeł ', en: 'Node ' })}
          <span translate="no">{host}</span>
        </h2>
        <LookBadge look={isLive ? liveLook : lostLook} />
        <span className="soft">
          {version} · {t({ pl: 'od', en: 'since' })} {at(startedAt)} · {t({ pl: 'ostatnio', en: 'seen' })} {at(seenAt)}
        </span>
      </div>
      {checkedAt ? (
        <>
          <p className="soft">
            {t({ pl: 'Usługi sprawdzone', en: 'Services checked' })} {at(checkedAt)}
          </p>
          <DataTable caption={{ pl: 'Usługi węzła', en: 'Services of the node' }} columns={findingColumns}>
            {findings.map(({ name, status, text }) => (
              <TableRow key={name + text}>
                <RowHead lang="en">{name}</RowHead>
                <Cell column={findingColumns.status}>
                  <LookBadge look={findingLook[status]} />
                </Cell>
                <Cell column={findingColumns.text} lang="en" className="desk-break">
                  {text}
                </Cell>
              </TableRow>
            ))}
          </DataTable>
        </>
      ) : (
        <p className="soft">
          {t({ pl: 'Usług jeszcze nie sprawdzono.', en: 'The services have not been checked yet.' })}
        </p>
      )}
      <Jobs jobs={jobs} />
    </section>
  )
}

function Jobs({ jobs }: Pick<NodeState, 'jobs'>) {
  const t = useText()
  if (!jobs.length) return null
  return (
    <ul className="desk-jobs">
      <li className="soft">{t({ pl: 'Ostatnie przebiegi zadań:', en: 'Last runs of the jobs:' })}</li>
      {jobs.map(({ name, at, isOk }) => (
        <li key={name}>
          <code>{name}</code> {formatDateTime(t.locale, at, 'short')}{' '}
          {!isOk && <b className="is-danger">{t({ pl: 'błąd', en: 'failed' })}</b>}
        </li>
      ))}
    </ul>
  )
}

const outboxColumns = {
  channel: { pl: 'Kanał', en: 'Channel' },
  waiting: { pl: 'Czeka', en: 'Waiting' },
  oldest: { pl: 'Najstarsza, min', en: 'Oldest, min' },
  failed: { pl: 'Nieudane', en: 'Failed' },
}

function Outbox({ outbox }: Pick<Health, 'outbox'>) {
  const t = useText()
  return (
    <section className="desk-block" aria-labelledby="outbox">
      <h2 id="outbox">{t({ pl: 'Wiadomości do wysłania', en: 'Outbox' })}</h2>
      {outbox.length ? (
        <DataTable caption={{ pl: 'Wiadomości do wysłania', en: 'Outbox' }} columns={outboxColumns}>
          {outbox.map(({ channel, waiting, oldestSeconds, failed }) => (
            <TableRow key={channel}>
              <RowHead>{channelText(t, channel)}</RowHead>
              <Cell column={outboxColumns.waiting}>{waiting}</Cell>
              <Cell column={outboxColumns.oldest}>{Math.floor(oldestSeconds / 60)}</Cell>
              <Cell column={outboxColumns.failed}>{failed}</Cell>
            </TableRow>
          ))}
        </DataTable>
      ) : (
        <p className="soft">
          {t({ pl: 'Nic nie czeka i\u00a0nic nie zawiodło.', en: 'Nothing waits, and nothing has failed.' })}
        </p>
      )}
    </section>
  )
}

const alarmColumns = {
  name: { pl: 'Alarm', en: 'Alarm' },
  about: { pl: 'Czego dotyczy', en: 'About' },
  times: { pl: 'Razy', en: 'Times' },
  at: { pl: 'Ostatnio', en: 'Last' },
}

function Alarms({ alarms }: Pick<Health, 'alarms'>) {
  const t = useText()
  return (
    <section className="desk-block" aria-labelledby="alarms">
      <h2 id="alarms">{t({ pl: 'Alarmy z\u00a0ostatniej doby', en: 'Alarms of the last day' })}</h2>
      {alarms.length ? (
        <DataTable caption={{ pl: 'Alarmy', en: 'Alarms' }} columns={alarmColumns}>
          {alarms.map(({ name, about, times, at }) => (
            <TableRow key={`${name} ${about}`}>
              <RowHead translate="no">{name}</RowHead>
              <Cell column={alarmColumns.about} translate="no" className="desk-break">
                {about ?? '–'}
              </Cell>
              <Cell column={alarmColumns.times}>{times}</Cell>
              <Cell column={alarmColumns.at}>{formatDateTime(t.locale, at, 'short')}</Cell>
            </TableRow>
          ))}
        </DataTable>
      ) : (
        <p className="soft">{t({ pl: 'Brak alarmów.', en: 'No alarms.' })}</p>
      )}
    </section>
  )
}
