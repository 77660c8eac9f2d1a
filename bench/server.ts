import { fork, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import autocannon from 'autocannon'
import { standardCost, type HashCost } from '../server/platform/authentication/password-hash.ts'
import { atLeast, atMost, type Figure, median, percentile } from './figures.ts'
import { nextMessageValue, ask } from './measured-process.ts'
import { signInPeople, withSubject, type Subject } from './server-subject.ts'

const rounds = 5

/** Next to nothing, so that what a sign-in takes besides its hash is measured. */
const lightCost: HashCost = { memory: 8, passes: 1, lanes: 1 }
const signInsCounted = 400
const requests = 10_000
const pageRequests = 500
/** Number of warm-up requests per measured request: until then V8 compiles, which would take up to a third of the measured time. */
const warmUp = 3
/** The unit of /proc/<pid>/stat on Linux. */
const ticksPerSecond = 100

/**
 * Measures the processor time of the portal and of PostgreSQL for each sign-in and each read. Other work on the machine hardly changes it,
 * but a slower machine does: the bare route shows the least that a read costs on this one.
 */
const measureProcessorTime = (): Promise<Figure[]> =>
  withSubject(lightCost, async (subject) => {
    const signIn = await measureTime(subject, 2 * warmUp * signInsCounted, signInsCounted, (times) =>
      signInTimes(subject, times),
    )
    const read = (url: string) =>
      measureTime(subject, warmUp * requests, requests, (times) => readTimes(subject, url, times))
    const session = await read(`${subject.portal}/api/session`)
    const bareSession = await read(`${subject.bare}/session?token=${subject.reader.tokenHash}`)
    const list = await read(`${subject.portal}/api/signatures`)
    const both = ({ portal, postgres }: Spent) => `portal ${portal.toFixed(2)}, PostgreSQL ${postgres.toFixed(2)} ms`
    const portalTime = (what: string, spent: Spent, most: number, detail = both(spent)): Figure => ({
      what: `processor time of the portal for ${what}`,
      value: spent.portal,
      unit: 'ms',
      limit: atMost(most),
      detail,
    })
    /** Measures reads of a page one after the other, or twenty at once, when more of a page survives the collection of young garbage. */
    const readPage = (path: string, connections: number) =>
      measureTime(subject, warmUp * pageRequests, pageRequests, (times) =>
        readTimes(subject, subject.portal + path, times, connections),
      )
    const pages: Figure[] = []
    for (const [what, path] of [
      ['the home page', '/home'],
      ['a page of 20 signatures', '/certificates/signatures'],
    ] as const) {
      const alone = await readPage(path, 1)
      const together = await readPage(path, 20)
      pages.push(portalTime(what, alone, 8, `${both(alone)}; with twenty at once ${both(together)}`))
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
      portalTime('a session read', session, 0.12),
      { what: 'a bare route with the same select', value: bareSession.portal, unit: 'ms', detail: both(bareSession) },
      portalTime('a list of 20 signatures', list, 1),
      ...pages,
    ]
  })

/** Processor times in milliseconds, and the number of statements. */
type Spent = { portal: number; postgres: number; statements: number }

/** Returns the cost of one run of the work, after some that warm up: a process that has just started runs its code unoptimised. */
async function measureTime(subject: Subject, first: number, times: number, work: (times: number) => Promise<unknown>) {
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

/**
 * Returns the processor time of a process, from fields 14 to 17 of its stat: the time in user and kernel mode, its own and that of its
 * children that have ended. The name in field 2 may contain spaces.
 */
function millisecondsOf(pid: string) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return (ticks / ticksPerSecond) * 1000
}

const signInTimes = (subject: Subject, times: number) =>
  signInPeople(subject, { atOnce: 1, whole: true, goesOn: (done) => done < times })

async function readTimes({ reader: { cookie } }: Subject, url: string, amount: number, connections = 20) {
  const headers = { cookie, 'accept-encoding': 'br', 'sec-fetch-site': 'none' }
  const { non2xx } = await autocannon({ url, connections, amount, headers })
  if (non2xx) throw new Error(`${url}: ${non2xx} answers were not 2xx`)
}

/**
 * Measures the processor time of sign-ins, reads, lists and pages of the real server, and the rate of sign-ins compared with its limit in
 * the same run.
 */
export async function measureServer(): Promise<Figure[]> {
  return [
    ...(await measureProcessorTime()),
    ...(await withSubject(standardCost, async (subject) => [
      ...(await signIns(subject)),
      ...(await storm(subject)),
      ...(await memory(subject)),
    ])),
  ]
}

/**
 * Returns the number of sign-ins a second by 40 customers at a time: the password with everything that depends on it (rate limits, session,
 * code, SMS from the outbox, audit). The hash takes most of the time.
 */
async function signInsPerSecond(subject: Subject, seconds: number, whole: boolean): Promise<number> {
  const started = performance.now()
  const end = started + seconds * 1000
  const done = await signInPeople(subject, { atOnce: 40, whole, goesOn: () => performance.now() < end })
  return done / ((performance.now() - started) / 1000)
}

async function signIns(subject: Subject): Promise<Figure[]> {
  // A node that has just started runs its code unoptimised for a while.
  await signInsPerSecond(subject, 15, true)
  const limits: number[] = []
  const passwords: number[] = []
  const wholes: number[] = []
  for (let i = 0; i < rounds; i++) {
    limits.push(await ask<number>(subject.process, 'hashRate', 3))
    passwords.push(await signInsPerSecond(subject, 5, false))
    wholes.push(await signInsPerSecond(subject, 5, true))
  }
  const ratio = (rates: number[]) => median(rates.map((rate, i) => rate / limits[i]!))
  const perSecond = (rates: number[]) => `${median(rates).toFixed(0)}/s`
  return [
    { what: 'argon2id checks per second, the pool alone', value: median(limits), unit: '/s' },
    {
      what: 'sign-ins (password, audit, rate limits, SMS) ÷ argon2id checks',
      value: ratio(passwords),
      limit: atLeast(0.9),
      detail: perSecond(passwords),
    },
    { what: 'the same with the code entered ÷ argon2id checks', value: ratio(wholes), detail: perSecond(wholes) },
  ]
}

async function measureLatenciesDuring(reader: ChildProcess, work: () => Promise<unknown>): Promise<number[]> {
  const times = nextMessageValue<number[]>(reader, 'times')
  reader.send('start')
  await work()
  reader.send('stop')
  return times
}

async function storm(subject: Subject): Promise<Figure[]> {
  const reading = fork(
    join(import.meta.dirname, 'reader.ts'),
    [`${subject.portal}/api/session`, subject.reader.cookie],
    { execArgv: [] },
  )
  await nextMessageValue(reading, 'reading')
  await measureLatenciesDuring(reading, () => setTimeout(2000))
  const idle: number[] = []
  const busy: number[] = []
  const rates: number[] = []
  for (let i = 0; i < 3; i++) {
    idle.push(...(await measureLatenciesDuring(reading, () => setTimeout(3000))))
    const signingIn = async () => rates.push(await signInsPerSecond(subject, 5, true))
    busy.push(...(await measureLatenciesDuring(reading, signingIn)))
  }
  reading.kill()
  for (const times of [idle, busy]) times.sort((a, b) => a - b)
  return [
    ...[
      { name: 'p50', share: 0.5, most: 1.2 },
      { name: 'p99', share: 0.99, most: 4 },
    ].map(({ name, share, most }) => ({
      what: `session read during a sign-in storm, ${name} ÷ idle`,
      value: percentile(busy, share) / percentile(idle, share),
      limit: atMost(most),
      detail: `${percentile(idle, share).toFixed(2)} → ${percentile(busy, share).toFixed(2)} ms`,
    })),
    { what: 'sign-ins per second in that storm', value: median(rates), unit: '/s' },
  ]
}

async function memory(subject: Subject): Promise<Figure[]> {
  const resident = async () => (await ask<number>(subject.process, 'memory', true)) / 2 ** 20
  const afterCalls = await resident()
  for (const path of ['/home', '/certificates/signatures', '/security'])
    await readTimes(subject, subject.portal + path, pageRequests)
  return [
    { what: 'resident memory of the node after these calls', value: afterCalls, unit: 'MiB', limit: atMost(220) },
    { what: 'the same after 1,500 rendered pages', value: await resident(), unit: 'MiB', limit: atMost(220) },
  ]
}
