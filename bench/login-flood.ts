import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as later } from 'node:timers/promises'
import { signIn, readSession } from '../contract/account.ts'
import { openPasswordHasher, standardCost } from '../server/platform/authentication/password-hash.ts'
import type { TestPortal } from '../server/testing/portal-nodes.ts'
import { openProcess } from '../server/testing/processes.ts'
import { makeCustomer, signInAs } from '../server/testing/test-customers.ts'
import { atMost, type Figure, percentile } from './figures.ts'
import { withTestPortal } from './measured-portal.ts'
import { measureChecksPerSecond } from './measured-process.ts'

const seconds = Number(process.env['FLOOD_SECONDS'] ?? 60)
const perSecond = 500

/** Measures R18: five hundred sign-ins a second for a minute, whether or not they are answered, while a signed-in customer reads. */
export const measureFlood = (): Promise<Figure[]> => withTestPortal({}, flood)

async function flood(portal: TestPortal): Promise<Figure[]> {
  const node = await openProcess(portal, { cost: standardCost })
  try {
    const bare = await measureBareHashRate(4)
    const reader = await signInAs(portal, await makeCustomer(portal))
    const times: number[] = []
    const answers: Record<string, number> = {}
    let silent = 0
    let running = true
    const read = async () => {
      while (running) {
        const before = performance.now()
        const response = await fetch(node.origin + readSession.path, { headers: { cookie: reader.cookie! } })
        if (response.status !== 200) throw new Error(`the read answered ${response.status}`)
        await response.arrayBuffer()
        times.push(performance.now() - before)
        await later(10)
      }
    }
    let peak = 0
    const watch = async () => {
      while (running) {
        peak = Math.max(peak, await node.request('memory'))
        await later(500)
      }
    }
    const agent = new Agent({ keepAlive: true, maxSockets: 2000 })
    const sent: Promise<void>[] = []
    const background = [read(), watch()]
    const checksBefore = await node.request('checks')
    const started = performance.now()
    for (let n = 0; n < seconds * perSecond; n++) {
      const due = started + (n * 1000) / perSecond
      if (due > performance.now()) await later(due - performance.now())
      sent.push(
        post(agent, node.origin, n).then(({ status, retryAfter }) => {
          answers[status] = (answers[status] ?? 0) + 1
          if ((status === 503 || status === 429) && !retryAfter) silent++
        }),
      )
    }
    await Promise.all(sent)
    const took = (performance.now() - started) / 1000
    const checks = (await node.request('checks')) - checksBefore
    running = false
    await Promise.all(background)
    agent.destroy()
    times.sort((a, b) => a - b)
    const strange = Object.keys(answers).filter((status) => !['422', '429', '503'].includes(status))
    return [
      {
        what: `R18 p99 of a read, ${perSecond} sign-ins/s for ${seconds} s`,
        value: percentile(times, 0.99),
        unit: 'ms',
        limit: atMost(300),
        detail: `p50 ${percentile(times, 0.5).toFixed(1)} ms, most ${times.at(-1)!.toFixed(0)} ms, ${times.length} reads`,
      },
      {
        what: 'R18 other answers than 422, 429, 503',
        value: strange.length,
        limit: atMost(0),
        detail: JSON.stringify(answers),
      },
      { what: 'R18 429 and 503 without Retry-After', value: silent, limit: atMost(0) },
      {
        what: 'R18 passwords checked per second in the flood',
        value: checks / took,
        unit: '/s',
        detail: `argon2id alone, one thread: ${bare.toFixed(1)} /s`,
      },
      { what: 'R18 most memory of the node', value: peak / 2 ** 20, unit: 'MiB', limit: atMost(512) },
    ]
  } finally {
    await node.close()
  }
}

/** Returns the hash rate of a node's hasher that has no other work. */
async function measureBareHashRate(duration: number) {
  const hasher = await openPasswordHasher(randomBytes(32))
  try {
    return await measureChecksPerSecond(hasher, duration)
  } finally {
    await hasher.close()
  }
}

function post(agent: Agent, origin: string, n: number) {
  return new Promise<{ status: number; retryAfter: string | undefined }>((resolve, reject) => {
    const from = `10.${(n >> 14) & 255}.${(n >> 6) & 255}.${n & 63}`
    const headers = { 'content-type': 'application/json', origin, 'x-forwarded-for': from }
    const sent = request(origin + signIn.path, { agent, method: 'POST', headers }, (got) => {
      got.resume()
      got.on('end', () => resolve({ status: got.statusCode!, retryAfter: got.headers['retry-after'] }))
    })
    sent.on('error', reject)
    sent.end(JSON.stringify({ login: `nobody${n}`, password: 'Wrong-Password-1!' }))
  })
}
