import { useState } from 'react'
import { readDeskCase, type DeskCase } from '../../contract/desk/desk-cases.ts'
import type { DeskSession } from '../../contract/desk/desk-session.ts'
import { listDeskTasks } from '../../contract/desk/desk-tasks.ts'
import { useText } from '../locale.tsx'
import { invalidate, setCached } from '../reads.ts'
import { DecisionResult, type Decision } from './case-decision.tsx'
import { isOpenTo } from './desk-sections.ts'
import { DocumentTask } from './document-task.tsx'
import { IdentityTask } from './identity-task.tsx'

/** DSK-38: what an agent decides for the provider in this case, where no other system does. */
export function CaseTasks({ found, account, session }: { found: DeskCase; account: string; session: DeskSession }) {
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
