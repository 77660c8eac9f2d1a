import { spawn } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { putCustomer } from '../contract/provider/provider-api.ts'
import { openTestPortal, sampleIdentification, type TestPortal } from '../server/testing/portal-nodes.ts'
import { openBrowser } from '../server/testing/browser.ts'
import { openProcess, reachedThrough } from '../server/testing/processes.ts'
import { atLeast, atMost, type Figure } from './figures.ts'
import { residentMegabytes } from './resident-size.ts'
import { withTestPostgres } from './testing/postgres.ts'

const many = 100_000
const singles = 1000
const atOnce = 20

const customer = (n: number) => ({
  customer: `c-${n}`,
  login: `customer.${n}`,
  email: `customer.${n}@mail.example`,
  phone: `+48${500_000_000 + n}`,
  firstName: 'Małgorzata',
  secondName: n % 3 ? null : 'Ewa',
  surname: 'Wiśniewska-Kaźmierczak',
  locale: n % 10 ? 'pl' : 'en',
  ...(n % 2 ? { identification: sampleIdentification } : {}),
})

/** A hundred thousand customers from a file by the command, into a node in its own process; then the same file again, which changes nothing. */
export const measureImport = (): Promise<Figure[]> =>
  withTestPostgres(async (postgres) => {
    const folder = mkdtempSync(join(tmpdir(), 'sygnet-bench-import-'))
    const portal = await openTestPortal({ postgres })
    const node = await openProcess(portal)
    try {
      const file = join(folder, 'customers.ndjson')
      await write(file)
      writeFileSync(join(folder, 'key'), portal.clientKey, { mode: 0o600 })
      const alone = await putSingly(portal, node.origin)
      const first = await importFile(file, folder, node)
      const again = await importFile(file, folder, node)
      if (first.report['created'] !== many || again.report['unchanged'] !== many)
        throw new Error(JSON.stringify([first.report, again.report]))
      return [
        { what: 'customers by a call each, 20 at once', value: alone, unit: '/s' },
        {
          what: `${many} customers imported by the command`,
          value: many / first.seconds,
          unit: '/s',
          detail: `${first.seconds.toFixed(0)} s`,
        },
        { what: 'import ÷ a call each', value: many / first.seconds / alone, limit: atLeast(5) },
        {
          what: 'the same file again',
          value: many / again.seconds,
          unit: '/s',
          detail: `${again.seconds.toFixed(0)} s`,
        },
        ...growth('the node', [...first.node, ...again.node]),
        ...growth('the command', first.command),
      ]
    } finally {
      await node.close()
      await portal.close()
      rmSync(folder, { recursive: true })
    }
  })

async function write(file: string) {
  const stream = createWriteStream(file)
  for (let n = 0; n < many; n++)
    if (!stream.write(`${JSON.stringify(customer(n))}\n`)) await new Promise((resolve) => stream.once('drain', resolve))
  stream.end()
  await finished(stream)
}

async function putSingly(portal: TestPortal, origin: string): Promise<number> {
  const { call } = openBrowser(reachedThrough(portal, [{ origin }]))
  let next = many
  const began = performance.now()
  const work = async () => {
    while (next < many + singles) {
      const { customer: id, ...body } = customer(next++)
      const { status } = await call(putCustomer, { params: { customer: id }, body: body as never })
      if (status !== 200) throw new Error(`a PUT was answered with ${status}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return singles / ((performance.now() - began) / 1000)
}

async function importFile(file: string, folder: string, node: { origin: string; pid: number }) {
  const sizes = { node: [] as number[], command: [] as number[] }
  const began = performance.now()
  const child = spawn(process.execPath, ['cli/sygnet.ts', 'customers', 'import', file, '--json'], {
    env: { PATH: process.env['PATH'], SYGNET_URL: node.origin, SYGNET_KEY_FILE: join(folder, 'key') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  const sampling = setInterval(() => {
    sizes.node.push(residentMegabytes(node.pid))
    sizes.command.push(residentMegabytes(child.pid!))
  }, 250)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearInterval(sampling)
  if (code !== 0) throw new Error(`the command ended with ${code}: ${out}`)
  return { ...sizes, seconds: (performance.now() - began) / 1000, report: JSON.parse(out) as Record<string, number> }
}

/** Its largest size in the second half, minus that in the first: a warm process does not grow. */
function growth(who: string, sizes: number[]): Figure[] {
  const half = Math.floor(sizes.length / 2)
  const [before, after] = [Math.max(...sizes.slice(0, half)), Math.max(...sizes.slice(half))]
  return [
    {
      what: `resident size of ${who}, its second half over its first`,
      value: after - before,
      unit: 'MB more',
      limit: atMost(30),
      detail: `${before.toFixed(0)} → ${after.toFixed(0)} MB`,
    },
  ]
}
