import { reportsAtOnce, reportTimestampUsage } from '../contract/provider-timestamps.ts'
import type { PortalClient } from './portal-client.ts'
import type { TimestampStore } from './timestamp-store.ts'

type Desk = {
  store: TimestampStore
  portal: Pick<PortalClient, 'call'>
  /** Accounts that are no customer's, of which nobody is told. */
  unlisted?: readonly string[]
}

/** A package that ended earlier than this is not counted any more. */
const endedMs = 2 * 86_400_000

/**
 * Tells the portal what was spent, as the provider's systems do, beside the answering of requests and never in their way.
 * The store remembers what was told, so nothing is lost by a portal that is away, and what arrives twice counts once.
 */
export function timestampReports({ store, portal, unlisted = [] }: Desk) {
  /** Sends one batch; false when there is nothing to tell. */
  async function sendSome(unknown: Set<string>): Promise<boolean> {
    const days = store.unreported(reportsAtOnce, [...unknown])
    if (!days.length) return false
    const accounts = [...new Set(days.map(({ account }) => account))]
    const packages = accounts.flatMap((account) => store.packagesOf(account)).filter(isCounted)
    for (let from = 0; from === 0 || from < packages.length; from += reportsAtOnce) {
      const body = {
        days: from === 0 ? days : [],
        packages: packages.slice(from, from + reportsAtOnce).map((one) => ({
          package: one.id,
          spent: one.spent,
          countedFrom: one.kind === 'recurring' ? one.countedFrom.toISOString() : null,
        })),
      }
      const { unknownAccounts } = await portal.call(reportTimestampUsage, { body })
      for (const account of unknownAccounts) unknown.add(account)
    }
    store.markReported(days.filter(({ account }) => !unknown.has(account)))
    return true
  }

  return {
    async sendAll() {
      // Accounts that the portal does not know yet are told of the next time, and must not be in the way of others.
      const unknown = new Set<string>(unlisted)
      while (await sendSome(unknown));
    },
  }
}

const isCounted = ({ endsAt }: { endsAt: Date | null }) => !endsAt || endsAt.getTime() > Date.now() - endedMs

const everyMs = 2000
const longestMs = 60_000

/** Looks every two seconds; while the portal does not answer, less and less often. */
export function startReporting(desk: Desk, report: (error: unknown) => void): { stop: () => Promise<void> } {
  const { sendAll } = timestampReports(desk)
  let wait = everyMs
  let timer: NodeJS.Timeout
  let sending = Promise.resolve()
  const send = () =>
    sendAll().then(
      () => void (wait = everyMs),
      (error: unknown) => {
        if (wait === everyMs) report(error)
        wait = Math.min(2 * wait, longestMs)
      },
    )
  const later = () => {
    timer = setTimeout(() => {
      sending = send().then(later)
    }, wait)
  }
  later()
  return {
    async stop() {
      clearTimeout(timer)
      await sending
      clearTimeout(timer)
    },
  }
}
