import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import autocannon from 'autocannon'
import { readTimestampUsage } from '../contract/timestamps.ts'
import { TimestampStore } from '../provider/timestamp-service/timestamp-store.ts'
import { giveTimestampAccount } from '../server/testing/samples/sample-timestamps.ts'
import { makeCustomer, signInAs } from '../server/testing/test-customers.ts'
import { atLeast, atMost, type Figure, median } from './figures.ts'
import { withTestPortal } from './measured-portal.ts'
import { nextMessageValue, ask } from './measured-process.ts'

const rounds = 5
const million = 1_000_000

/** Measures tokens compared with the bare signatures that they need, and the cost of a long history. */
export async function measureTimestamps(): Promise<Figure[]> {
  return [...(await tokens()), await measureCharging(), await measureUsagePages()]
}

/** A query about a SHA-256, without a nonce, as openssl writes it. */
const query = Buffer.from(`30360201013031300d060960864801650304020105000420${'ab'.repeat(32)}`, 'hex')

/** Counts what the authority has charged to packages, not how often it was called. */
async function tokens(): Promise<Figure[]> {
  const child = fork(join(import.meta.dirname, 'timestamp-subject.ts'), { execArgv: [] })
  const port = await nextMessageValue<number>(child, 'ready')
  const stamp = async (duration: number) => {
    const before = await ask<number>(child, 'tokens', true)
    const started = performance.now()
    const { non2xx } = await autocannon({
      url: `http://127.0.0.1:${port}/tsa`,
      connections: 20,
      duration,
      method: 'POST',
      headers: {
        'content-type': 'application/timestamp-query',
        authorization: `Basic ${Buffer.from('bench:Znaczniki1').toString('base64')}`,
      },
      body: query,
    })
    if (non2xx) throw new Error(`${non2xx} answers brought no token`)
    const seconds = (performance.now() - started) / 1000
    return ((await ask<number>(child, 'tokens', true)) - before) / seconds
  }
  await stamp(4)
  const ratios: number[] = []
  const [bare, made]: [number[], number[]] = [[], []]
  for (let i = 0; i < rounds; i++) {
    bare.push(await ask<number>(child, 'signRate', 3))
    made.push(await stamp(4))
    ratios.push(made[i]! / bare[i]!)
  }
  child.kill()
  return [
    { what: 'RSA signatures per second of one core, bare', value: median(bare), unit: '/s' },
    {
      what: 'timestamp tokens, accounting on ÷ bare RSA signatures',
      value: median(ratios),
      limit: atLeast(0.6),
      detail: `${median(made).toFixed(0)} tokens/s`,
    },
  ]
}

/** Measures charging a token in a file with a million of them, compared with one with ten. */
async function measureCharging(): Promise<Figure> {
  const directory = mkdtempSync(join(tmpdir(), 'sygnet-bench-tokens-'))
  try {
    const few = openStore(join(directory, 'few.sqlite'), 10)
    const many = openStore(join(directory, 'many.sqlite'), million)
    await Promise.all([measureTakesPerSecond(few, 20), measureTakesPerSecond(many, 20)])
    const ratios: number[] = []
    let rate = 0
    for (let i = 0; i < rounds; i++) {
      const [short, long] = [await measureTakesPerSecond(few, 60), await measureTakesPerSecond(many, 60)]
      ratios.push(short / long)
      rate = long
    }
    few.close()
    many.close()
    return {
      what: 'taking a token after a million ÷ after ten, time',
      value: median(ratios),
      limit: atMost(1.5),
      detail: `${rate.toFixed(0)}/s, in batches of 20`,
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function openStore(path: string, spent: number) {
  const store = new TimestampStore(path, () => new Date())
  store.putAccount({ id: 'bench', active: true, access: { login: 'bench', passwordHash: '' } })
  store.putPackage('bench', {
    id: 'large',
    startsAt: new Date(0),
    endsAt: null,
    spent,
    kind: 'one-time',
    size: 1_000_000_000,
  })
  // Directly and in one transaction: through the store it would take many minutes.
  const db = new DatabaseSync(path)
  db.exec('begin')
  const insert = db.prepare(`insert into tokens (serial, account, package, at) values (?, 'bench', 'large', ?)`)
  for (let n = 0; n < spent; n++)
    insert.run(randomBytes(16).toString('hex').toUpperCase(), 1_700_000_000_000 + n * 1000)
  db.exec('commit')
  db.close()
  return store
}

async function measureTakesPerSecond(store: TimestampStore, batches: number) {
  const started = performance.now()
  for (let n = 0; n < batches; n++) await Promise.all(Array.from({ length: 20 }, () => store.take('bench')))
  return (batches * 20) / ((performance.now() - started) / 1000)
}

/** Measures a page of the usage of an account that has used a million, compared with one that has used ten. */
const measureUsagePages = (): Promise<Figure> =>
  withTestPortal({}, async (portal) => {
    const person = await makeCustomer(portal)
    const browser = await signInAs(portal, person)
    const few = await giveTimestampAccount(portal, person.id, { login: 'few' })
    const many = await giveTimestampAccount(portal, person.id, { login: 'many' })
    await portal.owner.query(
      `insert into timestamp_usage select $1::uuid, current_date, 10
       union all select $2::uuid, current_date - n, $3::int / 4000 from generate_series(0, 3999) n`,
      [few.id, many.id, million],
    )
    await portal.owner.query('analyze timestamp_usage')
    const read = async (id: string, until?: string) => {
      const started = performance.now()
      const { status } = await browser.call(readTimestampUsage, {
        params: { id },
        ...(until ? { query: { until } } : {}),
      })
      if (status !== 200) throw new Error(`A page was answered with ${status}`)
      return performance.now() - started
    }
    for (let n = 0; n < 200; n++) await read(n % 2 ? few.id : many.id)
    const times: [number[], number[]] = [[], []]
    for (let n = 0; n < 600; n++) {
      times[0].push(await read(few.id))
      times[1].push(await read(many.id, n % 2 ? '2020-01-01' : undefined))
    }
    return {
      what: 'page of usage after a million tokens ÷ after ten',
      value: median(times[1]) / median(times[0]),
      limit: atMost(1.2),
      detail: `${median(times[0]).toFixed(2)} → ${median(times[1]).toFixed(2)} ms`,
    }
  })
