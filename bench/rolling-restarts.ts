import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNginx } from '../tools/nginx-run.ts'
import { demonstrationBrand } from '../server/brand.ts'
import { openTestPortal, somebody } from '../server/test-app.ts'
import { freePort } from '../tools/demonstration-run.ts'
import type { Figure } from './figures.ts'
import { withTestPostgres } from './test-postgres.ts'

const restarts = 50
const perSecond = 200

/**
 * R95: two nodes as an operator runs them, behind the example's nginx, of which one after the other is told to stop (SIGTERM) and
 * started again while requests keep coming. Every request must be answered, and every one that writes must have written once.
 */
export const measureRollingRestarts = (): Promise<Figure[]> =>
  withTestPostgres(async (postgres) => {
    const folder = mkdtempSync(join(tmpdir(), 'sygnet-rolling-'))
    const portal = await openTestPortal({ postgres })
    const ports = [await freePort(), await freePort()] as const
    writeFileSync(join(folder, 'brand.json'), JSON.stringify(demonstrationBrand))
    const start = (which: 0 | 1) => startNode(portal.databaseUrl, portal.masterKey, folder, ports[which])
    const nodes = [await start(0), await start(1)]
    await using nginx = await startNginx([`127.0.0.1:${ports[0]}`, `127.0.0.1:${ports[1]}`])
    const load = openLoad(nginx, portal.clientKey)
    try {
      for (let i = 0; i < restarts; i++) {
        const which = (i % 2) as 0 | 1
        nodes[which]!.kill('SIGTERM')
        await once(nodes[which]!, 'exit')
        nodes[which] = await start(which)
        // As the guide says: nginx has a node back a second after it had none of it.
        await new Promise((resolve) => setTimeout(resolve, 2000))
        if (i % 10 === 9) process.stderr.write(`  ${i + 1} restarted, ${load.told()}\n`)
      }
      const { sent, failed, put } = await load.stop()
      const { rows } = await portal.owner.query<{ id: string }>(
        `select provider_id as id from accounts where provider_id like 'rolling-%'`,
      )
      const stored = new Set(rows.map(({ id }) => id))
      const most = { at: 'most' as const, value: 0 }
      return [
        {
          what: `${restarts} rolling restarts at ${perSecond} requests a second: failed`,
          value: failed.length,
          unit: 'requests',
          limit: most,
          detail: `of ${sent} ${countsOf(failed)}`,
        },
        {
          what: 'written and answered, but not there',
          value: put.filter((id) => !stored.has(id)).length,
          unit: 'acts',
          limit: most,
          detail: `of ${put.length}`,
        },
      ]
    } finally {
      for (const node of nodes) node.kill('SIGKILL')
      await portal.close()
      rmSync(folder, { recursive: true })
    }
  })

const countsOf = (words: string[]) =>
  [...Map.groupBy(words, (word) => word)].map(([word, all]) => `${all.length} × ${word}`).join(', ')

/** `server/main.ts` in earnest; its messages have nowhere to go and wait. */
async function startNode(databaseUrl: string, masterKey: Buffer, folder: string, port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../server/main.ts')], {
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      DEMONSTRATION: 'off',
      PUBLIC_URL: 'https://portal.example',
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(folder, String(port)),
      MASTER_KEY: masterKey.toString('base64'),
      TRUSTED_PROXIES: '127.0.0.1',
      BRAND_FILE: join(folder, 'brand.json'),
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

function openLoad(nginx: { origin: string; tls: https.RequestOptions }, clientKey: string) {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 64 })
  const failed: string[] = []
  const put: string[] = []
  const running = new Set<Promise<void>>()
  let sent = 0

  async function ask(method: string, path: string, body?: unknown): Promise<number> {
    const content = body === undefined ? undefined : JSON.stringify(body)
    const request = https.request(nginx.origin + path, {
      ...nginx.tls,
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

  /** Pages, reads and writes by turns: a POST is the one that nginx may never send again. */
  async function one(): Promise<void> {
    const turn = sent++ % 4
    try {
      if (turn === 0) {
        const id = `rolling-${crypto.randomUUID()}`
        const status = await ask('PUT', `/provider/v1/customers/${id}`, somebody())
        if (status >= 300) failed.push(`PUT ${status}`)
        else put.push(id)
        return
      }
      const [method, path, due] = (
        [
          ['GET', '/', 200],
          ['GET', '/api/session', 401],
          ['POST', '/api/session/extend', 401],
        ] as const
      )[turn - 1]!
      const status = await ask(method, path, undefined)
      if (status !== due) failed.push(`${method} ${status}`)
    } catch (error) {
      failed.push((error as NodeJS.ErrnoException).code ?? String(error))
    }
  }

  const timer = setInterval(() => {
    const asked = one().finally(() => running.delete(asked))
    running.add(asked)
  }, 1000 / perSecond)
  return {
    told: () => `${sent} requests, ${failed.length} failed`,
    async stop() {
      clearInterval(timer)
      await Promise.all(running)
      agent.destroy()
      return { sent, failed, put }
    },
  }
}
