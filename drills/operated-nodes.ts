import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { join } from 'node:path'
import { demonstrationBrand } from '../server/brand.ts'
import { somebody } from '../server/testing/portal-nodes.ts'
import type { Figure } from './figures.ts'

export const perSecond = 200

export type OperatedNode = {
  databaseUrl: string
  masterKey: Buffer
  /** Where its data and its brand are. */
  folder: string
  port: number
  /** The version that it is of; this one unless given. */
  root?: string
}

/** `server/main.ts` in earnest, as an operator runs it; its messages have nowhere to go and wait. */
export async function startOperated({
  databaseUrl,
  masterKey,
  folder,
  port,
  root,
}: OperatedNode): Promise<ChildProcess> {
  const brand = join(folder, 'brand.json')
  writeFileSync(brand, JSON.stringify(demonstrationBrand))
  const child = spawn(process.execPath, [join(root ?? join(import.meta.dirname, '..'), 'server/main.ts')], {
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      DEMONSTRATION: 'off',
      PUBLIC_URL: 'https://portal.example',
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(folder, String(port)),
      MASTER_KEY: masterKey.toString('base64'),
      TRUSTED_PROXIES: '127.0.0.1',
      BRAND_FILE: brand,
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'portal@provider.example',
      SMS_GATEWAY: 'generic',
      SMS_URL: 'http://127.0.0.1:9/',
      SMS_TOKEN: randomBytes(16).toString('hex'),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!(await answers(`http://127.0.0.1:${port}/`))) {
    if (child.exitCode !== null) throw new Error(`A node ended with ${child.exitCode}.`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return child
}

/** Any answer will do: of a name that is not the portal's it is a refusal. */
const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  )

/** Whether a node says that it can serve. */
export async function isReady(origin: string): Promise<boolean> {
  const request = http.get(`${origin}/readyz`, { headers: { host: 'portal.example' }, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode === 200
}

/** Where the load goes: one place after another, by turns; more may come to it meanwhile. */
type Places = { origins: readonly string[]; tls?: https.RequestOptions }

/** A request that was not answered as it should be, and when it was sent and done with. */
export type Failure = { what: string; from: number; to: number }

/** Pages, reads and writes at a steady pace, whatever becomes of those before. Its clock is `performance.now()`. */
export function openSteadyLoad(places: Places, clientKey: string) {
  const { tls } = places
  const { Agent, request: open } = tls ? https : http
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const failed: Failure[] = []
  const put: string[] = []
  const running = new Set<Promise<void>>()
  let sent = 0
  let longest = 0

  async function ask(origin: string, method: string, path: string, body?: unknown): Promise<number> {
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

  /** A POST is the one that nginx may never send again. */
  const others = [
    ['GET', '/', 200],
    ['GET', '/api/session', 401],
    ['POST', '/api/session/extend', 401],
  ] as const

  async function one(): Promise<string | undefined> {
    const turn = sent++
    const origin = places.origins[Math.floor(turn / 4) % places.origins.length]!
    try {
      if (turn % 4 === 0) {
        const id = `steady-${crypto.randomUUID()}`
        const status = await ask(origin, 'PUT', `/provider/v1/customers/${id}`, somebody())
        if (status >= 300) return `PUT ${status}`
        put.push(id)
        return undefined
      }
      const [method, path, due] = others[(turn % 4) - 1]!
      const status = await ask(origin, method, path)
      return status === due ? undefined : `${method} ${status}`
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error)
    }
  }

  const timer = setInterval(() => {
    const from = performance.now()
    const asked = one().then((what) => {
      const to = performance.now()
      running.delete(asked)
      if (what) failed.push({ what, from, to })
      else longest = Math.max(longest, to - from)
    })
    running.add(asked)
  }, 1000 / perSecond)
  return {
    told: () => `${sent} requests, ${failed.length} failed`,
    /** The longest that a good answer took since this was asked before, in milliseconds. */
    longest() {
      const told = longest
      longest = 0
      return told
    },
    async stop() {
      clearInterval(timer)
      await Promise.all(running)
      agent.destroy()
      return { sent, failed, put }
    },
  }
}

/** How many of what was written and answered are not there. */
export async function notThere(
  put: readonly string[],
  owner: { query: (text: string) => Promise<{ rows: { id: string }[] }> },
): Promise<Figure> {
  const { rows } = await owner.query(`select provider_id as id from accounts where provider_id like 'steady-%'`)
  const stored = new Set(rows.map(({ id }) => id))
  return {
    what: 'written and answered, but not there',
    value: put.filter((id) => !stored.has(id)).length,
    unit: 'acts',
    limit: { at: 'most', value: 0 },
    detail: `of ${put.length}`,
  }
}

export const countsOf = (failed: readonly Failure[]) =>
  [...Map.groupBy(failed, ({ what }) => what)].map(([word, all]) => `${all.length} × ${word}`).join(', ')
