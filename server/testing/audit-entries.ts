import type { AuditAction } from '../../contract/audit-actions.ts'
import { listEvents, type ProviderEvent } from '../../contract/provider/events.ts'
import { putWebhook } from '../../contract/provider/webhooks.ts'
import type { Head } from '../platform/audit/audit-head.ts'
import { verifyTrail, type Finding, type AuditPeriod } from '../platform/audit/audit-verify.ts'
import type { Db } from '../platform/database/database.ts'
import { bodyOf, openBrowser } from './browser.ts'
import type { TestPortal } from './portal-nodes.ts'

type Filters = {
  login?: string
  /** The id of the account. */
  account?: string
  action?: AuditAction
  details?: Record<string, string | number>
}
type Entry = {
  at: Date
  action: AuditAction
  account: string | null
  actor: string
  address: string | null
  details: Record<string, unknown>
}

/** Returns the entries of the audit trail that match all filters, in order. */
export async function auditEntries(
  { owner }: TestPortal,
  { login, account, action, details = {} }: Filters,
): Promise<Entry[]> {
  const { rows } = await owner.query<Entry>(
    `select at, act as action, account_id as account, actor, address, details from audit
      where ($1::text is null or account_id = (select id from accounts where login = $1))
        and ($2::text is null or act = $2) and details @> $3 and ($4::uuid is null or account_id = $4) order by id`,
    [login, action, details, account],
  )
  return rows
}

export const readAuditedActions = async (portal: TestPortal, filters: Filters): Promise<AuditAction[]> =>
  (await auditEntries(portal, filters)).map(({ action }) => action)

/** Counts the audit entries of an action on the account with this login. */
export const countEntries = async (portal: TestPortal, { login }: { login: string }, action: AuditAction) =>
  (await auditEntries(portal, { login, action })).length

/** Verifies the trail, or a period of it, by default without kept heads. */
export async function collectFindings(
  db: Db,
  key: Buffer,
  {
    known = [],
    now = () => undefined,
    period,
  }: { known?: Head[]; now?: () => Head | undefined; period?: AuditPeriod } = {},
): Promise<{ findings: Finding[]; records: number }> {
  const findings: Finding[] = []
  const { records } = await db
    .transaction()
    .execute((tx) => verifyTrail(tx, key, { known, now }, (finding) => findings.push(finding), period))
  return { findings, records }
}

/** Reads the feed from a position to its end, page by page. */
export async function readFeed(portal: TestPortal, after = 0, node = 0): Promise<ProviderEvent[]> {
  const events: ProviderEvent[] = []
  for (let next = after; ;) {
    const query = { after: String(next), limit: '500' }
    const page = bodyOf(await openBrowser(portal, { node }).call(listEvents, { query }))
    if (!page.items.length) return events
    events.push(...page.items)
    next = page.next
  }
}

export const endOfFeed = async (portal: TestPortal): Promise<number> => (await readFeed(portal)).at(-1)?.position ?? 0

/** Creates a webhook to a receiver; returns its name and secret. */
export async function giveWebhook(portal: TestPortal, url: string, types: ProviderEvent['type'][] | null = null) {
  const webhook = `w-${crypto.randomUUID()}`
  const { secret } = bodyOf(await openBrowser(portal).call(putWebhook, { params: { webhook }, body: { url, types } }))
  return { webhook, secret: secret! }
}
