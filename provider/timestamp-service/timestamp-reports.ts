import { reportsAtOnce, reportTimestampUsage } from '../../contract/provider/provider-timestamps.ts'
import { dayMs } from '../../contract/rules/warsaw-time.ts'
import type { PortalClient } from '../portal-client.ts'
import type { TimestampStore } from './timestamp-store.ts'

type Reporting = {
  store: TimestampStore
  portal: Pick<PortalClient, 'call'>
  /** Accounts of no customer, which are not reported. */
  unlisted?: readonly string[]
}

/** Packages that ended earlier are no longer reported. */
const endedMs = 2 * dayMs

/**
 * Reports the usage to the portal, as the provider's systems do, without delaying timestamp requests. The store records what
 * was reported, so nothing is lost while the portal is unavailable, and repeated reports count once.
 */
export function timestampReports({ store, portal, unlisted = [] }: Reporting) {
  /** Sends one batch; false if there is nothing to report. */
  async function sendBatch(unknown: Set<string>): Promise<boolean> {
    const days = store.unreported(reportsAtOnce, [...unknown])
    if (!days.length) return false
    const accounts = [...new Set(days.map(({ account }) => account))]
    const packages = accounts.flatMap((account) => store.packagesOf(account)).filter(isCounted)
    for (let from = 0; from === 0 || from < packages.length; from += reportsAtOnce) {
      const body = {
        days: from === 0 ? days : [],
        packages: packages.slice(from, from + reportsAtOnce).map((usage) => ({
          package: usage.id,
          spent: usage.spent,
          countedFrom: usage.kind === 'recurring' ? usage.countedFrom.toISOString() : null,
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
      // Accounts that the portal does not know yet are reported next time, and must not block others.
      const unknown = new Set<string>(unlisted)
      while (await sendBatch(unknown));
    },
  }
}

const isCounted = ({ endsAt }: { endsAt: Date | null }) => !endsAt || endsAt.getTime() > Date.now() - endedMs

const everyMs = 2000
const maxMs = 60_000

/** Reports every two seconds; less and less often while the portal does not answer. */
export function startReporting(reporting: Reporting, report: (error: unknown) => void): { stop: () => Promise<void> } {
  const { sendAll } = timestampReports(reporting)
  let wait = everyMs
  let timer: NodeJS.Timeout
  let sending = Promise.resolve()
  const send = () =>
    sendAll().then(
      () => {
        wait = everyMs
      },
      (error: unknown) => {
        if (wait === everyMs) report(error)
        wait = Math.min(2 * wait, maxMs)
      },
    )
  const sendLater = () => {
    timer = setTimeout(() => {
      sending = send().then(sendLater)
    }, wait)
  }
  sendLater()
  return {
    async stop() {
      clearTimeout(timer)
      await sending
      clearTimeout(timer)
    },
  }
}
