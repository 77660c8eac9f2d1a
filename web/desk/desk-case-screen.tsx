import { useState } from 'react'
import {
  actOnDeskCase,
  readDeskCase,
  type CaseAction,
  type CaseKind,
  type DeskCase,
} from '../../contract/desk/desk-cases.ts'
import { mayCall } from '../../contract/desk/desk-permissions.ts'
import type { DeskSession } from '../../contract/desk/desk-session.ts'
import { listDeskTasks } from '../../contract/desk/desk-tasks.ts'
import { refusalText } from '../../contract/refusal-text.ts'
import { useText } from '../app/locale.tsx'
import { usePage } from '../app/page-title.ts'
import { call } from '../calls/api.ts'
import { setCached, useRead, invalidate } from '../calls/reads.ts'
import { DateTimeText } from '../text/date-text.tsx'
import { formatDateTime } from '../text/format.ts'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import { DecisionResult, type Decision } from './case-decision.tsx'
import './desk.css'
import { caseActionText, caseStateText, caseKindText, waitsFor, caseWaitText } from './case-text.ts'
import { isOpenTo } from './desk-sections.ts'
import { DocumentTask } from './document-task.tsx'
import { IdentityTask } from './identity-task.tsx'
import { actionText, actorText } from './trail-parts.tsx'
import { UploadCheck } from './upload-check.tsx'

type Params = { id: string; kind: CaseKind; case: string }

/** Shows a renewal, a document or a voucher case step by step, and the actions of an agent (DSK-19, DSK-20). */
export function DeskCaseScreen({ params, session }: { params: Params; session: DeskSession }) {
  const t = useText()
  const read = useRead(readDeskCase, { params })
  return (
    <>
      <p>
        <Link to={`/customers/${params.id}`}>{t({ pl: 'Wróć do klienta', en: 'Back to the customer' })}</Link>
      </p>
      <Region query={read} label={t({ pl: 'Wczytujemy sprawę', en: 'Loading the case' })}>
        {(found) => <Case found={found} params={params} session={session} />}
      </Region>
    </>
  )
}

function Case({ found, params, session }: { found: DeskCase; params: Params; session: DeskSession }) {
  const t = useText()
  const { kind, number, state, refusal } = found
  usePage({ title: { pl: 'Sprawa klienta', en: 'Case of a customer' } })
  return (
    <>
      <div className="page__head">
        <h1>
          {t(caseKindText[kind])} <span translate="no">{number}</span>
        </h1>
      </div>
      <div className="desk-customer desk-case">
        <section aria-labelledby="now">
          <h2 id="now">{t(caseStateText(kind, state, refusal !== null))}</h2>
          <Waiting found={found} />
          <Causes found={found} />
          <CaseActions found={found} params={params} session={session} />
        </section>
        {found.uploadCheck && <UploadCheck found={found.uploadCheck} />}
        <CaseTasks key={found.id} found={found} account={params.id} session={session} />
        <section aria-labelledby="steps">
          <h2 id="steps">{t({ pl: 'Przebieg', en: 'Step by step' })}</h2>
          <Steps found={found} />
        </section>
      </div>
    </>
  )
}

function Waiting({ found: { kind, waits, since, endsAt } }: { found: DeskCase }) {
  const t = useText()
  const at = (moment: string) => formatDateTime(t.locale, moment, 'short')
  if (!waits) return <p>{t({ pl: `Sprawa zakończyła się ${at(since)}.`, en: `The case ended on ${at(since)}.` })}</p>
  const { what, help } = caseWaitText(kind, waits)
  return (
    <ul className="desk-obstacles">
      <li>
        <b>
          {t(waitsFor(waits))} {t({ pl: `od ${at(since)}.`, en: `since ${at(since)}.` })}
        </b>
        <span>{t(what)}</span>
        <span>{t(help)}</span>
        {endsAt && waits.startsWith('renewal-') && waits !== 'renewal-app' && (
          <span>{t({ pl: `Odnowienie wygaśnie ${at(endsAt)}.`, en: `The renewal expires on ${at(endsAt)}.` })}</span>
        )}
      </li>
    </ul>
  )
}

/** Shows why something has failed, as the customer was told, and the failure of the signing service. */
function Causes({ found: { refusal, note, failure } }: { found: DeskCase }) {
  const t = useText()
  return (
    <>
      {refusal && (
        <Notice kind="error" title={t({ pl: 'Dlaczego odrzucono', en: 'Why it was refused' })}>
          <p>{t(refusalText[refusal.reason].why)}</p>
          {refusal.note && <p>{t(refusal.note)}</p>}
          <p>
            {t({ pl: 'Wskazówka dla klienta: ', en: 'The customer was advised: ' })}
            {t(refusalText[refusal.reason].advice)}
          </p>
        </Notice>
      )}
      {note && (
        <Notice title={t({ pl: 'Wiadomość dostawcy dla klienta', en: 'The provider’s text for the customer' })}>
          {t(note)}
        </Notice>
      )}
      {failure && (
        <Notice
          kind="error"
          title={t({ pl: 'Ostatni błąd usługi podpisu', en: 'The last failure of the signing service' })}
        >
          <p lang="en">{failure.cause}</p>
          <p>
            {t({ pl: `Prób: ${failure.tries}.`, en: `Tries: ${failure.tries}.` })}{' '}
            {failure.nextTryAt &&
              t({
                pl: `Następna: ${formatDateTime('pl', failure.nextTryAt, 'short')}.`,
                en: `The next one: ${formatDateTime('en', failure.nextTryAt, 'short')}.`,
              })}
          </p>
        </Notice>
      )}
    </>
  )
}

function CaseActions({ found, params, session }: { found: DeskCase; params: Params; session: DeskSession }) {
  const t = useText()
  const [done, setDone] = useState<CaseAction>()
  const { run, isBusy, failureText } = useAction(async (action: CaseAction) => {
    setDone(undefined)
    await setCached(readDeskCase, { params }, await call(actOnDeskCase, { params, body: { action } }))
    setDone(action)
  })
  if (!mayCall(actOnDeskCase, session.roles)) return null
  return (
    <>
      {found.actions.length > 0 && (
        <div className="buttons">
          {found.actions.map((action) => (
            <Button key={action} isBusy={isBusy} onClick={() => void run(action)}>
              {caseActionText[action].label[t.locale]}
            </Button>
          ))}
        </div>
      )}
      <div role="status">{done && <Notice kind="ok">{t(caseActionText[done].done)}</Notice>}</div>
      {failureText && (
        <Notice kind="error" role="alert">
          {failureText}
        </Notice>
      )}
    </>
  )
}

function Steps({ found: { steps } }: { found: DeskCase }) {
  const t = useText()
  if (!steps.length) return <p className="soft">{t({ pl: 'Nie ma jeszcze wpisów.', en: 'No entries yet.' })}</p>
  return (
    <ol className="desk-steps">
      {steps.map(({ at, action, actor }, i) => (
        <li key={`${at} ${i}`}>
          <DateTimeText at={at} length="short" />
          <b>{actionText(t.locale, action)}</b>
          <span>{t(actorText[actor])}</span>
        </li>
      ))}
    </ol>
  )
}

/** Shows the decision that an agent makes for the provider in this case, where no other system does (DSK-38). */
function CaseTasks({ found, account, session }: { found: DeskCase; account: string; session: DeskSession }) {
  const t = useText()
  const [decision, setDecision] = useState<Decision>()
  const { kind, id, waits } = found
  async function onDecided(made: Decision, reply: DeskCase) {
    setDecision(made)
    void invalidate(listDeskTasks)
    await setCached(readDeskCase, { params: { id: account, kind, case: id } }, reply)
  }
  const Task = waits === 'identity-check' ? IdentityTask : waits && kind === 'document' ? DocumentTask : undefined
  if (!isOpenTo(session, listDeskTasks) || !(Task || decision)) return null
  return (
    <section aria-labelledby="tasks">
      <h2 id="tasks">{t({ pl: 'Decyzja dostawcy', en: 'The provider’s decision' })}</h2>
      {Task ? (
        <Task found={found} account={account} onDecided={onDecided} />
      ) : (
        decision && <DecisionResult kind={kind} decision={decision} />
      )}
    </section>
  )
}
