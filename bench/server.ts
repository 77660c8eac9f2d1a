import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { standardCost } from '../server/platform/authentication/password-hash.ts'
import { answer, ask } from './child-messages.ts'
import { atLeast, atMost, type Figure, median, percentile } from './figures.ts'
import { measureProcessorTime, pageRequests, readTimes } from './processor-time.ts'
import { signInPeople, withSubject, type Subject } from './server-subject.ts'

const rounds = 5

/** The processor time of sign-ins, reads, lists and pages of the real server, and the rate of sign-ins compared with its limit in the same run. */
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
 * Sign-ins a second by 40 customers at a time: the password with all that hangs on it (rate limits, session, code, SMS by the
 * outbox, audit), of which the hash takes the most.
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

/** How long reads take during `work`. */
async function latenciesDuring(reader: ChildProcess, work: () => Promise<unknown>): Promise<number[]> {
  const times = answer<number[]>(reader, 'times')
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
  await answer(reading, 'reading')
  await latenciesDuring(reading, () => setTimeout(2000))
  const idle: number[] = []
  const busy: number[] = []
  const rates: number[] = []
  for (let i = 0; i < 3; i++) {
    idle.push(...(await latenciesDuring(reading, () => setTimeout(3000))))
    const signingIn = async () => rates.push(await signInsPerSecond(subject, 5, true))
    busy.push(...(await latenciesDuring(reading, signingIn)))
  }
  reading.kill()
  for (const times of [idle, busy]) times.sort((a, b) => a - b)
  const ratio = (share: number) => percentile(busy, share) / percentile(idle, share)
  const detail = (share: number) => `${percentile(idle, share).toFixed(2)} → ${percentile(busy, share).toFixed(2)} ms`
  return [
    {
      what: 'session read during a sign-in storm, p50 ÷ idle',
      value: ratio(0.5),
      limit: atMost(1.2),
      detail: detail(0.5),
    },
    {
      what: 'session read during a sign-in storm, p99 ÷ idle',
      value: ratio(0.99),
      limit: atMost(4),
      detail: detail(0.99),
    },
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
