import { deskLimits } from '../../contract/desk/desk-limits.ts'
import * as calls from '../../contract/desk/desk-audit.ts'
import { readHead } from '../platform/audit/audit-head.ts'
import {
  allowLongStatements,
  isLongerThan,
  isOnlyVerification,
  periodOfDay,
  verifyTrail,
  type Finding,
} from '../platform/audit/audit-verify.ts'
import type { DeskPortal } from './desk-portal.ts'
import { handler } from '../platform/http/http.ts'

const { verified: longest, findings: most } = deskLimits.trail

/** DSK-14: the chain of a day, verified as `sygnet audit verify --day` does it, with the signed head of this node. */
export const verifyDeskAudit = handler(
  calls.verifyDeskAudit,
  async ({ body: { day }, staff, fail, limit, transaction }, { keys, directory, db }: DeskPortal) => {
    await limit('too-many-requests', ['desk-trail-verifications', staff.subject])
    const head = readHead(keys, directory)
    const heads = { known: head ? [head] : [], now: () => readHead(keys, directory) }
    const findings: Finding[] = []
    let found = 0
    const report = (finding: Finding) => {
      if (++found <= most) findings.push(finding)
    }
    const period = periodOfDay(new Date(`${day}T00:00:00Z`))
    const verified = await db.transaction().execute(async (tx) => {
      if (!(await isOnlyVerification(tx))) throw fail('unavailable', { retryAfter: 2 })
      await allowLongStatements(tx)
      // A longer day would take more time than its connection has: the command has no such limit.
      if (await isLongerThan(tx, period, longest))
        throw fail('invalid-input', { fields: [{ name: 'day', problem: 'too-long' }] })
      return verifyTrail(tx, keys.audit, heads, report, period)
    })
    const { records: entries, chains } = verified
    await transaction((_, audit) => audit('desk-trail-verified', { day, entries, findings: found }, null))
    return { entries, chains, head: head ? { ordinal: head.ordinal, at: head.at } : null, found, findings }
  },
)
