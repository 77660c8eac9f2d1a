import { countProposals } from '../../contract/desk/desk-proposals.ts'
import { useText } from '../app/locale.tsx'
import { invalidate, useRead } from '../calls/reads.ts'
import { useEvery } from './use-every.ts'

const checkIntervalMs = 60_000

/** Shows the number of proposals that this person can decide on, next to the name of the section. */
export function ApprovalCount() {
  const t = useText()
  const open = useRead(countProposals).data?.open
  useEvery(checkIntervalMs, () => invalidate(countProposals))
  if (!open) return null
  return (
    <>
      {' '}
      <span className="desk-count">
        {open}
        <span className="unseen"> {t({ pl: 'do decyzji', en: 'to decide' })}</span>
      </span>
    </>
  )
}
