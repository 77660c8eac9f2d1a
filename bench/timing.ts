import { Agent, request } from 'node:http'
import { signIn } from '../contract/account.ts'
import { requestPasswordReset } from '../contract/passwords.ts'
import type { HashCost } from '../server/platform/authentication/password-hash.ts'
import { standardCost } from '../server/platform/authentication/password-hash.ts'
import { cloneCustomers } from '../server/testing/attacks.ts'
import type { TestPortal } from '../server/testing/portal-nodes.ts'
import { openProcess } from '../server/testing/processes.ts'
import { atMost, type Figure, median } from './figures.ts'
import { withTestPortal } from './measured-portal.ts'

const samples = Number(process.env['SAMPLES'] ?? 2000)
const light: HashCost = { memory: 64, passes: 1, lanes: 1 }

/** Function that returns the n-th request of a class. */
type Sample = (n: number) => { path: string; body: object }
type Classes = Record<string, Sample>

/**
 * Measures R15: what response times reveal about an account. Samples of two classes alternate; the figure is how often one class is slower
 * than the other.
 */
export const measureTiming = async (): Promise<Figure[]> => [
  // Weak hashes, so that their noise does not hide differences in the rest of the request.
  ...(await onServer(light, lightClasses)),
  ...(await onServer(standardCost, standardClasses)),
]

const onServer = (cost: HashCost, classesOf: (portal: TestPortal) => Promise<Record<string, Classes>>) =>
  withTestPortal({ cost }, async (portal) => {
    const node = await openProcess(portal, { cost })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      const figures: Figure[] = []
      const groups = await classesOf(portal)
      await portal.owner.query('analyze')
      for (const [group, classes] of Object.entries(groups))
        figures.push(...(await compare(group, classes, agent, node.origin)))
      return figures
    } finally {
      agent.destroy()
      await node.close()
    }
  })

const wrong = 'Wrong-Password-1!'
const login = (people: { login: string }[], password: string): Sample => {
  return (n) => ({ path: signIn.path, body: { login: people[n % people.length]!.login, password } })
}
const reset = (people: { email: string }[]): Sample => {
  return (n) => ({
    path: requestPasswordReset.path,
    body: { email: people[n]!.email, locale: 'pl', botProof: crypto.randomUUID() },
  })
}

/** Returns accounts that do not exist, with names of the same length. */
const nobodyLike = (people: { login: string; email: string }[]) =>
  people.map(({ login: name, email }) => ({
    login: name.replace('person', 'nobody'),
    email: email.replace('person', 'nobody'),
  }))

async function lightClasses(portal: TestPortal): Promise<Record<string, Classes>> {
  const warm = samples / 10
  const clones = (over: object = {}) => cloneCustomers(portal, samples + warm, over)
  const known = await clones()
  const blocked = await clones({ blocked_at: '2026-01-01T00:00:00Z' })
  const unset = await clones({ password_hash: null })
  const absent = nobodyLike(known)
  // Separate accounts: ten wrong passwords would block them during the measurement.
  const [second, third] = [await clones(), await clones()]
  return {
    'wrong password': {
      existing: login(known, wrong),
      absent: login(absent, wrong),
      blocked: login(blocked, wrong),
      'without password': login(unset, wrong),
    },
    'password of 1 character': { existing: login(second, 'x'), absent: login(nobodyLike(second), 'x') },
    'password of 1,024 characters': {
      existing: login(third, 'x'.repeat(1024)),
      absent: login(nobodyLike(third), 'x'.repeat(1024)),
    },
    'password of 10,000 characters': {
      existing: login(second, 'x'.repeat(10_000)),
      absent: login(nobodyLike(second), 'x'.repeat(10_000)),
    },
    'empty password': { existing: login(second, ''), absent: login(nobodyLike(second), '') },
    reset: { known: reset(known), unknown: reset(absent), blocked: reset(blocked), 'without password': reset(unset) },
  }
}

async function standardClasses(portal: TestPortal): Promise<Record<string, Classes>> {
  const known = await cloneCustomers(portal, samples + samples / 10)
  return {
    'wrong password, argon2id at its standard': {
      existing: login(known, wrong),
      absent: login(nobodyLike(known), wrong),
    },
  }
}

let network = 0
/** Returns an address in a new network for each request, so that no rate limit applies. */
const nextNetwork = () => `10.${(network >> 16) & 255}.${(network >> 8) & 255}.${network++ & 255}`

async function compare(group: string, classes: Classes, agent: Agent, origin: string): Promise<Figure[]> {
  const names = Object.keys(classes)
  const times: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]))
  for (let n = 0; n < samples + samples / 10; n++)
    for (const name of shuffled(names)) {
      const { path, body } = classes[name]!(n)
      const took = await time(agent, origin, path, JSON.stringify(body))
      // The first tenth warms up.
      if (n >= samples / 10) times[name]!.push(took)
    }
  const [first, ...rest] = names
  return rest.flatMap((name): Figure[] => {
    const [base, sample] = [times[first!]!, times[name]!]
    const share = shareAbove(base, sample)
    const what = `R15 ${group}: ${first} – ${name}`
    return [
      {
        what: `${what}, |AUC − 0.5|`,
        value: Math.abs(share - 0.5),
        limit: atMost(0.05),
        detail: `AUC ${share.toFixed(3)} of ${base.length} and ${sample.length}`,
      },
      {
        what: `${what}, median gap`,
        value: Math.abs(median(base) - median(sample)),
        unit: 'ms',
        limit: atMost(5),
        detail: `${median(base).toFixed(2)} and ${median(sample).toFixed(2)} ms`,
      },
    ]
  })
}

const shuffled = <T>(items: T[]): T[] =>
  items
    .map((item) => ({ item, rank: Math.random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item)

/** Returns the Mann–Whitney statistic: the probability that a value of the first sample exceeds one of the second; ties count half. */
function shareAbove(first: number[], second: number[]): number {
  const sorted = second.toSorted((a, b) => a - b)
  const below = (value: number, orEqual: boolean) => {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (sorted[middle]! < value || (orEqual && sorted[middle] === value)) low = middle + 1
      else high = middle
    }
    return low
  }
  const wins = first.reduce((sum, value) => sum + (below(value, false) + below(value, true)) / 2, 0)
  return wins / (first.length * second.length)
}

function time(agent: Agent, origin: string, path: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      origin,
      'x-forwarded-for': nextNetwork(),
    }
    const started = performance.now()
    const sent = request(origin + path, { agent, method: 'POST', headers }, (got) => {
      got.resume()
      got.on('end', () => {
        const took = performance.now() - started
        if ([204, 400, 422].includes(got.statusCode!)) resolve(took)
        else reject(new Error(`${path}: ${got.statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
