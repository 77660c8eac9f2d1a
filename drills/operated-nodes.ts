import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { join } from 'node:path'
import { demonstrationBrand } from '../server/platform/brand/brand.ts'
import { operatorEnvironment } from '../server/testing/operator-environment.ts'
import { samplePerson } from '../server/testing/portal-nodes.ts'
import { atMost, type Figure } from '../bench/figures.ts'

export const perSecond = 200

export type OperatedNode = {
  databaseUrl: string
  masterKey: Buffer
  /** Where its data and its brand are. */
  folder: string
  port: number
  /** The checkout of another version; this one unless given. */
  root?: string
}

/** `server/main.ts` in production, as an operator runs it; its messages cannot be delivered and wait. */
export async function startOperated({
  databaseUrl,
  masterKey,
  folder,
  port,
  root,
}: OperatedNode): Promise<ChildProcess> {
  const brand = join(folder, 'brand.json')
  const dataDirectory = join(folder, String(port))
  // Nodes on one machine can share the folder of the documents; others need a bucket.
  const documents = join(dataDirectory, 'documents')
  mkdirSync(join(folder, 'documents'), { recursive: true })
  mkdirSync(dataDirectory, { recursive: true })
  if (!existsSync(documents)) symlinkSync(join(folder, 'documents'), documents)
  writeFileSync(brand, JSON.stringify(demonstrationBrand))
  const child = spawn(process.execPath, [join(root ?? join(import.meta.dirname, '..'), 'server/main.ts')], {
    env: {
      ...operatorEnvironment(),
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDirectory,
      MASTER_KEY: masterKey.toString('base64'),
      TRUSTED_PROXIES: '127.0.0.1',
      BRAND_FILE: brand,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!(await answers(`http://127.0.0.1:${port}/`))) {
    if (child.exitCode !== null) throw new Error(`A node ended with ${child.exitCode}.`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return child
}

/** Any answer counts: a name that is not the portal's is refused. */
const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  )

/** Whether a node reports that it can serve. */
export async function isReady(origin: string): Promise<boolean> {
  const request = http.get(`${origin}/readyz`, { headers: { host: 'portal.example' }, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode === 200
}

/** Where the load goes: to one origin after another; more may be added meanwhile. */
type Targets = { origins: readonly string[]; tls?: https.RequestOptions }

/** A request that was not answered as expected, with the times when it was sent and settled. */
export type Failure = { what: string; from: number; to: number }

/** Pages, reads and writes at a steady pace, without waiting for those before. Its clock is `performance.now()`. */
export function openSteadyLoad(targets: Targets, clientKey: string) {
  const { tls } = targets
  const { Agent, request: open } = tls ? https : http
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const failed: Failure[] = []
  const put: string[] = []
  const running = new Set<Promise<void>>()
  let sent = 0
  let longest = 0

  async function send(origin: string, method: string, path: string, body?: unknown): Promise<number> {
    const content = body === undefined ? undefined : JSON.stringify(body)
    const request = open(origin + path, {
      ...tls,
      method,
      agent,
      headers: {
        host: 'portal.example',
        origin: 'https://portal.example',
        ...(path.startsWith('/provider') ? { authorization: `Bearer ${clientKey}` } : {}),
        ...(content === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) }),
      },
    })
    const answered = once(request, 'response')
    request.end(content)
    const [response] = (await answered) as [IncomingMessage]
    for await (const _ of response);
    return response.statusCode!
  }

  /** nginx must never repeat a POST. */
  const otherRequests = [
    ['GET', '/', 200],
    ['GET', '/api/session', 401],
    ['POST', '/api/session/extend', 401],
  ] as const

  async function sendNext(): Promise<string | undefined> {
    const index = sent++
    const origin = targets.origins[Math.floor(index / 4) % targets.origins.length]!
    try {
      if (index % 4 === 0) {
        const id = `steady-${crypto.randomUUID()}`
        const status = await send(origin, 'PUT', `/provider/v1/customers/${id}`, samplePerson())
        if (status >= 300) return `PUT ${status}`
        put.push(id)
        return undefined
      }
      const [method, path, expected] = otherRequests[(index % 4) - 1]!
      const status = await send(origin, method, path)
      return status === expected ? undefined : `${method} ${status}`
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error)
    }
  }

  const timer = setInterval(() => {
    const from = performance.now()
    const request = sendNext().then((what) => {
      const to = performance.now()
      running.delete(request)
      if (what) failed.push({ what, from, to })
      else longest = Math.max(longest, to - from)
    })
    running.add(request)
  }, 1000 / perSecond)
  return {
    summary: () => `${sent} requests, ${failed.length} failed`,
    /** The longest time to a good answer since the last call, in milliseconds. */
    longest() {
      const milliseconds = longest
      longest = 0
      return milliseconds
    },
    async stop() {
      clearInterval(timer)
      await Promise.all(running)
      agent.destroy()
      return { sent, failed, put }
    },
  }
}

/** How many writes were answered and are missing. */
export async function missingWrites(
  put: readonly string[],
  owner: { query: (text: string) => Promise<{ rows: { id: string }[] }> },
): Promise<Figure> {
  const { rows } = await owner.query(`select provider_id as id from accounts where provider_id like 'steady-%'`)
  const stored = new Set(rows.map(({ id }) => id))
  return {
    what: 'written and answered, but missing',
    value: put.filter((id) => !stored.has(id)).length,
    unit: 'actions',
    limit: atMost(0),
    detail: `of ${put.length}`,
  }
}

export const countsOf = (failed: readonly Failure[]) =>
  [...Map.groupBy(failed, ({ what }) => what)].map(([what, failures]) => `${failures.length} × ${what}`).join(', ')
