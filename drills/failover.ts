import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { atMost, type Figure } from '../bench/figures.ts'
import { startPostgres, type EmbeddedPostgres } from '../server/platform/database/embedded-postgres.ts'
import { openTestPortal } from '../server/testing/portal-nodes.ts'
import { openProcess } from '../server/testing/processes.ts'
import { figureOfControl, figuresOfOutcome, openLoad, pause, type Outcome } from './acknowledged-load.ts'
import { killDatabase, startMigrated, giveToServer, takeBaseCopy, writeForServer } from './killable-database.ts'

const cycles = 10
/**
 * Returns the time for which the standby replicates nothing before the primary is killed: once longer than any statement of a node may
 * take.
 */
const standbyPauseMs = (cycle: number) => (cycle ? 200 : 20_000)

/**
 * Measures R91: the primary is killed under load and its standby promoted, ten times, behind a load balancer that works like HAProxy with
 * Patroni. Each time the standby is paused before: changes answered meanwhile are lost, unless the primary waits for the standby
 * (`synchronous_commit=remote_apply`). The control run does not wait, and must lose changes.
 */
export async function measureFailover(): Promise<Figure[]> {
  const waited = await drill('remote_apply', cycles)
  const control = await drill('local', 3)
  const what = `${cycles} × primary killed, standby promoted`
  return [
    ...figuresOfOutcome(what, waited),
    {
      what: `${what}: from promoted until changes are answered again, at most`,
      value: waited.slowest,
      unit: 's',
      limit: atMost(5),
    },
    figureOfControl('answered before the standby has it', control),
  ]
}

type Server = { folder: string; server: EmbeddedPostgres }

async function drill(commit: 'remote_apply' | 'local', times: number): Promise<Outcome & { slowest: number }> {
  const directory = giveToServer(mkdtempSync(join(tmpdir(), 'sygnet-failover-')))
  const settings = { fsync: 'off', max_connections: '200', wal_keep_size: '1GB', hot_standby: 'on' }
  const folders = [join(directory, 'first'), join(directory, 'second')] as const
  for (const folder of folders) {
    mkdirSync(folder)
    giveToServer(folder)
  }
  let primary: Server = { folder: folders[0], server: await startMigrated(folders[0], settings) }
  const balancer = await openLoadBalancer(primary.server.url)
  const portal = await openTestPortal({ postgres: balancer.url })
  const nodes = [await openProcess(portal), await openProcess(portal)]
  const load = await openLoad(portal, nodes)
  const finish = load.run()
  let slowest = 0
  try {
    for (let cycle = 0; cycle < times; cycle++) {
      const standby = await startStandby(primary, folders[(cycle + 1) % 2]!, settings)
      await setSynchronousCommit(primary, commit)
      await load.untilAnswered()
      const [receiver] = await query<{ pid: number }>(standby.server.url, 'select pid from pg_stat_wal_receiver')
      process.kill(receiver!.pid, 'SIGSTOP')
      await pause(standbyPauseMs(commit === 'local' ? 1 : cycle))
      killDatabase(primary.folder)
      balancer.pointTo(undefined)
      process.kill(receiver!.pid, 'SIGCONT')
      await query(standby.server.url, 'select pg_promote(true, 60)')
      balancer.pointTo(standby.server.url)
      const began = performance.now()
      await load.untilAnswered()
      slowest = Math.max(slowest, (performance.now() - began) / 1000)
      rmSync(join(primary.folder, 'data'), { recursive: true })
      primary = standby
    }
    await finish()
    return { ...(await load.verify(portal)), slowest }
  } finally {
    await Promise.all(nodes.map((node) => node.kill()))
    await portal.close().catch(() => {})
    await primary.server.stop()
    balancer.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Starts a copy of the primary in another folder, which replicates from it. */
async function startStandby(primary: Server, folder: string, settings: Record<string, string>): Promise<Server> {
  await takeBaseCopy(primary.server.url, primary.folder, folder)
  cpSync(join(primary.folder, 'password'), join(folder, 'password'))
  giveToServer(join(folder, 'password'))
  writeForServer(join(folder, 'data/standby.signal'), '')
  const { hostname, port, username, password } = new URL(primary.server.url)
  const primary_conninfo = `host=${decodeURIComponent(hostname)} port=${port} user=${username} password=${password} application_name=standby`
  return { folder, server: await startPostgres(folder, { ...settings, primary_conninfo }) }
}

/** Makes every commit wait for the standby from now on, or none. The standby's own settings stay as they are. */
async function setSynchronousCommit({ server }: Server, commit: 'remote_apply' | 'local') {
  for (let standbys = 0; !standbys; await pause(20))
    standbys = (await query(server.url, `select from pg_stat_replication where state = 'streaming'`)).length
  await query(server.url, `alter system set synchronous_commit = '${commit}'`)
  await query(server.url, `alter system set synchronous_standby_names = '${commit === 'local' ? '' : 'standby'}'`)
  await query(server.url, 'select pg_reload_conf()')
  const wanted = commit === 'local' ? 'async' : 'sync'
  const syncState = async () =>
    (await query<{ state: string }>(server.url, 'select sync_state as state from pg_stat_replication'))[0]?.state
  while ((await syncState()) !== wanted) await pause(20)
}

async function query<T extends pg.QueryResultRow>(url: string, statement: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(statement)).rows
  } finally {
    await client.end()
  }
}

/** Opens an address that leads to the primary, and ends its connections when another server becomes the primary. */
async function openLoadBalancer(first: string) {
  const sockets = new Set<Socket>()
  const pathOf = (url: string) => {
    const { hostname, port } = new URL(url)
    return join(decodeURIComponent(hostname), `.s.PGSQL.${port}`)
  }
  let path: string | undefined = pathOf(first)
  const server = createServer((socket) => {
    socket.on('error', () => {})
    if (!path) return void socket.destroy()
    const upstream = connect(path)
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.once('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(first)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const pointTo = (primary: string | undefined) => {
    path = primary && pathOf(primary)
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    pointTo,
    close() {
      pointTo(undefined)
      server.close()
    },
  }
}
