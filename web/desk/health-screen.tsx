import { readHealth, requestChecks, type NodeState } from '../../contract/desk/desk-operations.ts'
import type { Reply } from '../../contract/endpoint.ts'
import { useText } from '../app/locale.tsx'
import { call } from '../calls/api.ts'
import { invalidate, refetch, useRead } from '../calls/reads.ts'
import { formatDateTime } from '../text/format.ts'
import { useAction } from '../ui/action.ts'
import { LookBadge, type StatusLook } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import { DataTable, type Column } from '../ui/table.tsx'
import { OperationsFrame, channelText } from './operations-frame.tsx'
import { useEvery } from './use-every.ts'

type Health = Reply<typeof readHealth>

const everyMs = 30_000

const liveLook: StatusLook = { kind: 'ok', icon: 'check-circle', text: { pl: 'Działa', en: 'Live' } }
const lostLook: StatusLook = { kind: 'error', icon: 'alert', text: { pl: 'Nie zgłasza się', en: 'Not seen' } }
const findingLook: Record<NodeState['findings'][number]['status'], StatusLook> = {
  ok: { kind: 'ok', icon: 'check-circle', text: { pl: 'Działa', en: 'OK' } },
  warning: { kind: 'warning', icon: 'warning', text: { pl: 'Ostrzeżenie', en: 'Warning' } },
  failed: { kind: 'error', icon: 'alert', text: { pl: 'Błąd', en: 'Failed' } },
  'not tested': { kind: 'muted', icon: 'help', text: { pl: 'Nie sprawdzono', en: 'Not tested' } },
}

/** Shows the state of the nodes, their services and the outbox (DSK-31). */
export function HealthScreen() {
  const t = useText()
  const health = useRead(readHealth)
  useEvery(everyMs, () => refetch(readHealth))
  const { run, isBusy, failureText } = useAction(async () => {
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
        <Button icon="refresh" isBusy={isBusy} onClick={() => void run()}>
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
              <Notice kind="warning">
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

const findingColumns: Column<NodeState['findings'][number]>[] = [
  { title: { pl: 'Usługa', en: 'Service' }, lang: 'en', cell: ({ name }) => name },
  { title: { pl: 'Stan', en: 'State' }, cell: ({ status }) => <LookBadge look={findingLook[status]} /> },
  { title: { pl: 'Co wykryto', en: 'What was found' }, lang: 'en', className: 'desk-break', cell: ({ text }) => text },
]

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
          <DataTable
            caption={{ pl: 'Usługi węzła', en: 'Services of the node' }}
            columns={findingColumns}
            rows={findings}
            keyOf={({ name, text }) => name + text}
          />
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

const outboxText = { pl: 'Wiadomości do wysłania', en: 'Outbox' }
const outboxColumns: Column<Health['outbox'][number]>[] = [
  { title: { pl: 'Kanał', en: 'Channel' }, cell: ({ channel }, t) => channelText(t, channel) },
  { title: { pl: 'Czeka', en: 'Waiting' }, cell: ({ waiting }) => waiting },
  { title: { pl: 'Najstarsza, min', en: 'Oldest, min' }, cell: ({ oldestSeconds }) => Math.floor(oldestSeconds / 60) },
  { title: { pl: 'Nieudane', en: 'Failed' }, cell: ({ failed }) => failed },
]

function Outbox({ outbox }: Pick<Health, 'outbox'>) {
  const t = useText()
  return (
    <section className="desk-block" aria-labelledby="outbox">
      <h2 id="outbox">{t(outboxText)}</h2>
      {outbox.length ? (
        <DataTable caption={outboxText} columns={outboxColumns} rows={outbox} keyOf={({ channel }) => channel} />
      ) : (
        <p className="soft">
          {t({ pl: 'Nic nie czeka i\u00a0nic nie zawiodło.', en: 'Nothing waits, and nothing has failed.' })}
        </p>
      )}
    </section>
  )
}

const alarmColumns: Column<Health['alarms'][number]>[] = [
  { title: { pl: 'Alarm', en: 'Alarm' }, translate: 'no', cell: ({ name }) => name },
  {
    title: { pl: 'Czego dotyczy', en: 'About' },
    translate: 'no',
    className: 'desk-break',
    cell: ({ about }) => about ?? '–',
  },
  { title: { pl: 'Razy', en: 'Times' }, cell: ({ times }) => times },
  { title: { pl: 'Ostatnio', en: 'Last' }, cell: ({ at }, t) => formatDateTime(t.locale, at, 'short') },
]

function Alarms({ alarms }: Pick<Health, 'alarms'>) {
  const t = useText()
  return (
    <section className="desk-block" aria-labelledby="alarms">
      <h2 id="alarms">{t({ pl: 'Alarmy z\u00a0ostatniej doby', en: 'Alarms of the last day' })}</h2>
      {alarms.length ? (
        <DataTable
          caption={{ pl: 'Alarmy', en: 'Alarms' }}
          columns={alarmColumns}
          rows={alarms}
          keyOf={({ name, about }) => `${name} ${about}`}
        />
      ) : (
        <p className="soft">{t({ pl: 'Brak alarmów.', en: 'No alarms.' })}</p>
      )}
    </section>
  )
}
