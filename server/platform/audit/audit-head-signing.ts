import { signHead, signNewEntries } from './audit-head.ts'
import type { Db } from '../database/database.ts'
import type { Keys } from '../encryption/keys.ts'
import { startJobs } from '../jobs/jobs.ts'
import { jobs } from '../observability/events.ts'

/** The removal of entries older than a minute from the end of the trail is detected (R125). */
const signEverySeconds = 60

export const signingJob = 'sign-audit-heads'

/** Signs the ends of the audit trail at the start, every minute in which it grew, and at the stop (R84). A failure is reported, and the next run tries again. */
export async function startSigningHeads(db: Db, keys: Keys, directory: string, report: (error: unknown) => void) {
  const signNow = () => jobs.do({ job: signingJob }, () => signHead(db, keys, directory)).then(() => {}, report)
  await signNow()
  const run = () => signNewEntries(db, keys, directory)
  const { stop } = startJobs([{ name: signingJob, everySeconds: signEverySeconds, run }], () => report)
  return {
    stop: () => {
      stop()
      return signNow()
    },
  }
}
