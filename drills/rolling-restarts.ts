import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atMost, type Figure, progress } from '../bench/figures.ts'
import { withTestPortal } from '../bench/measured-portal.ts'
import { demonstrationBrand } from '../server/platform/brand/brand.ts'
import { samplePerson } from '../server/testing/portal-nodes.ts'
import { freePort, operatorEnvironment } from '../server/testing/processes.ts'
import { startNginx } from '../server/testing/proxies.ts'
import { pause } from './acknowledged-load.ts'

/**
 * Measures R95: two nodes as an operator runs them, behind nginx as in the example, are stopped in turn (SIGTERM) and started again under
 * load. Every request must be answered, and every write must be stored once.
 */
export const measureRollingRestarts = (): Promise<Figure[]> =>
  restartInTurn({
    signal: 'SIGTERM',
    times: 50,
    // As the guide says: nginx uses a node again a second after it refused a request.
    restMs: 2000,
    title: '50 rolling restarts',
    failedShare: 0,
  })

/** Measures R96: the same as R95 with nodes that are killed, each with the requests that it is serving. */
export const measureNodeKills = (): Promise<Figure[]> =>
  restartInTurn({ signal: 'SIGKILL', times: 10, restMs: 10_000, title: '10 nodes killed in turn', failedShare: 0.001 })

type Restarts = { signal: 'SIGTERM' | 'SIGKILL'; times: number; restMs: number; title: string; failedShare: number }

const perSecond = 200

type OperatedNode = {
  databaseUrl: string
  masterKey: Buffer
  /** Folder with its data and its brand. */
  folder: string
  port: number
}

/** Starts `server/main.ts` in production, as an operator runs it; its messages cannot be delivered and wait. */
async function startOperated({ databaseUrl, masterKey, folder, port }: OperatedNode): Promise<ChildProcess> {
  const brand = join(folder, 'brand.json')
  const dataDirectory = join(folder, String(port))
  // Nodes on one machine can share the folder of the documents; others need a bucket.
  const documents = join(dataDirectory, 'documents')
  mkdirSync(join(folder, 'documents'), { recursive: true })
  mkdirSync(dataDirectory, { recursive: true })
  if (!existsSync(documents)) symlinkSync(join(folder, 'documents'), documents)
  writeFileSync(brand, JSON.stringify(demonstrationBrand))
  const child = spawn(process.execPath, [join(import.meta.dirname, '../server/main.ts')], {
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

/** Checks whether a node answers. Any answer counts: a name that is not the portal's is refused. */
const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  )

/**
 * Starts a load of pages, reads and writes at a steady pace, without waiting for earlier ones. `failed` has how each failed request was
 * answered.
 */
function openSteadyLoad(origin: string, tls: https.RequestOptions, clientKey: string) {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 256 })
  const failed: string[] = []
  const put: string[] = []
  const running = new Set<Promise<void>>()
  let sent = 0

  async function send(method: string, path: string, body?: unknown): Promise<number> {
    const content = body === undefined ? undefined : JSON.stringify(body)
    const request = https.request(origin + path, {
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
    try {
      if (index % 4 === 0) {
        const id = `steady-${crypto.randomUUID()}`
        const status = await send('PUT', `/provider/v1/customers/${id}`, samplePerson())
        if (status >= 300) return `PUT ${status}`
        put.push(id)
        return undefined
      }
      const [method, path, expected] = otherRequests[(index % 4) - 1]!
      const status = await send(method, path)
      return status === expected ? undefined : `${method} ${status}`
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error)
    }
  }

  const timer = setInterval(() => {
    const request = sendNext().then((failure) => {
      running.delete(request)
      if (failure) failed.push(failure)
    })
    running.add(request)
  }, 1000 / perSecond)
  return {
    summary: () => `${sent} requests, ${failed.length} failed`,
    async stop() {
      clearInterval(timer)
      await Promise.all(running)
      agent.destroy()
      return { sent, failed, put }
    },
  }
}

async function findMissingWrites(
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

const countsOf = (failed: readonly string[]) =>
  [...Map.groupBy(failed, (what) => what)].map(([what, failures]) => `${failures.length} × ${what}`).join(', ')

const restartInTurn = ({ signal, times, restMs, title, failedShare }: Restarts): Promise<Figure[]> =>
  withTestPortal({}, async (portal) => {
    const folder = mkdtempSync(join(tmpdir(), 'sygnet-rolling-'))
    const ports = [await freePort(), await freePort()] as const
    const start = (which: 0 | 1) => startOperated({ ...portal, folder, port: ports[which] })
    const nodes = [await start(0), await start(1)]
    await using nginx = await startNginx([`127.0.0.1:${ports[0]}`, `127.0.0.1:${ports[1]}`])
    const load = openSteadyLoad(nginx.origin, nginx.tls, portal.clientKey)
    try {
      for (let i = 0; i < times; i++) {
        const which = (i % 2) as 0 | 1
        nodes[which]!.kill(signal)
        await once(nodes[which]!, 'exit')
        nodes[which] = await start(which)
        await pause(restMs)
        if (i % 10 === 9) progress(`${i + 1} restarted, ${load.summary()}`)
      }
      const { sent, failed, put } = await load.stop()
      return [
        {
          what: `${title} at ${perSecond} requests a second: failed`,
          value: failed.length,
          unit: 'requests',
          limit: atMost(Math.floor(sent * failedShare)),
          detail: `of ${sent} ${countsOf(failed)}`,
        },
        await findMissingWrites(put, portal.owner),
      ]
    } finally {
      for (const node of nodes) node.kill('SIGKILL')
      rmSync(folder, { recursive: true })
    }
  })
