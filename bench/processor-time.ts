import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'
import type { HashCost } from '../server/platform/authentication/password-hash.ts'
import { ask } from './child-messages.ts'
import { atMost, type Figure } from './figures.ts'
import { signInPeople, withSubject, type Subject } from './server-subject.ts'

/** Next to nothing, so that what a sign-in takes besides its hash is measured. */
const lightCost: HashCost = { memory: 8, passes: 1, lanes: 1 }
const signIns = 400
const requests = 10_000
export const pageRequests = 500
/** How many times as many come first: until then V8 compiles, which would take up to a third of what is measured. */
const warmUp = 3
/** The unit of /proc/<pid>/stat on Linux. */
const ticksPerSecond = 100

/**
 * Processor time of the portal and of PostgreSQL for each sign-in and each read. Other work on the machine hardly changes it, but
 * a slower machine does: the bare route says what a read costs at least on this one.
 */
export const measureProcessorTime = (): Promise<Figure[]> =>
  withSubject(lightCost, async (subject) => {
    const signIn = await timeOf(subject, 2 * warmUp * signIns, signIns, (times) => signInTimes(subject, times))
    const read = (url: string) =>
      timeOf(subject, warmUp * requests, requests, (times) => readTimes(subject, url, times))
    const session = await read(`${subject.portal}/api/session`)
    const bareSession = await read(`${subject.bare}/session?token=${subject.reader.tokenHash}`)
    const list = await read(`${subject.portal}/api/signatures`)
    const both = ({ portal, postgres }: Spent) => `portal ${portal.toFixed(2)}, PostgreSQL ${postgres.toFixed(2)} ms`
    /** One after the other, and twenty at once, where more of a page outlives the collection of young garbage. */
    const readPage = (path: string, connections: number) =>
      timeOf(subject, warmUp * pageRequests, pageRequests, (times) =>
        readTimes(subject, subject.portal + path, times, connections),
      )
    const pages: Figure[] = []
    for (const [what, path] of [
      ['the home page', '/home'],
      ['a page of 20 signatures', '/certificates/signatures'],
    ] as const) {
      const alone = await readPage(path, 1)
      const together = await readPage(path, 20)
      pages.push({
        what: `processor time of the portal for ${what}`,
        value: alone.portal,
        unit: 'ms',
        limit: atMost(8),
        detail: `${both(alone)}; with twenty at once ${both(together)}`,
      })
    }
    return [
      {
        what: 'processor time of a sign-in besides its password hash',
        value: signIn.portal + signIn.postgres,
        unit: 'ms',
        limit: atMost(6),
        detail: both(signIn),
      },
      { what: 'statements of a sign-in, with its SMS', value: signIn.statements },
      {
        what: 'processor time of the portal for a session read',
        value: session.portal,
        unit: 'ms',
        limit: atMost(0.12),
        detail: both(session),
      },
      { what: 'a bare route with the same select', value: bareSession.portal, unit: 'ms', detail: both(bareSession) },
      {
        what: 'processor time of the portal for a list of 20 signatures',
        value: list.portal,
        unit: 'ms',
        limit: atMost(1),
        detail: both(list),
      },
      ...pages,
    ]
  })

/** In milliseconds. */
type Spent = { portal: number; postgres: number; statements: number }

/** What each time takes, after some that warm up: a process that has just started runs its code unoptimised. */
async function timeOf(subject: Subject, first: number, times: number, work: (times: number) => Promise<unknown>) {
  await work(first)
  const before = await spentBy(subject)
  await work(times)
  const after = await spentBy(subject)
  const each = (part: keyof Spent) => (after[part] - before[part]) / times
  return { portal: each('portal'), postgres: each('postgres'), statements: each('statements') }
}

async function spentBy({ process: child, postmaster }: Subject): Promise<Spent> {
  const { seconds, statements } = await ask<{ seconds: number; statements: number }>(child, 'spent', true)
  const running = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ')
  const postgres = [String(postmaster), ...running].reduce((sum, pid) => sum + millisecondsOf(pid), 0)
  return { portal: seconds * 1000, postgres, statements }
}

/** Fields 14 to 17 of its stat: the time in user and kernel mode, its own and that of its children that have ended. The name in field 2 may contain spaces. */
function millisecondsOf(pid: string) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return (ticks / ticksPerSecond) * 1000
}

const signInTimes = (subject: Subject, times: number) =>
  signInPeople(subject, { atOnce: 1, whole: true, goesOn: (done) => done < times })

export async function readTimes({ reader: { cookie } }: Subject, url: string, amount: number, connections = 20) {
  const headers = { cookie, 'accept-encoding': 'br', 'sec-fetch-site': 'none' }
  const { non2xx } = await autocannon({ url, connections, amount, headers })
  if (non2xx) throw new Error(`${url}: ${non2xx} answers were not 2xx`)
}
