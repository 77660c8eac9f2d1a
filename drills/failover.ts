import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres, type EmbeddedPostgres } from '../server/embedded-postgres.ts'
import { openTestPortal } from '../server/testing/portal-nodes.ts'
import { openProcess } from '../server/testing/processes.ts'
import { openLoad, pause, type Outcome } from './acknowledged-load.ts'
import { giveToServer, takeBaseCopy, writeForServer } from './base-copy.ts'
import type { Figure } from './figures.ts'
import { killDatabase, startMigrated } from './killable-database.ts'

const cycles = 10
/** The standby takes nothing for so long before the primary is killed: once longer than any statement of a node may take. */
const stalls = (cycle: number) => (cycle ? 200 : 20_000)

/**
 * R91: the primary is killed under load and its standby promoted, ten times, with the addresses behind a switch as HAProxy has
 * it for Patroni. Each time the standby takes nothing for a while before: what is answered meanwhile is lost, unless the
 * primary waits for the standby (`synchronous_commit=remote_apply`). The control run does not wait, and must lose.
 */
export async function measureFailover(): Promise<Figure[]> {
  const waited = await drill('remote_apply', cycles)
  const control = await drill('local', 3)
  const most = (value: number) => ({ at: 'most' as const, value })
  const what = `${cycles} × primary killed, standby promoted`
  return [
    {
      what: `${what}: answered and lost`,
      value: waited.lost,
      unit: 'acts',
      limit: most(0),
      detail: `of ${waited.acknowledged}`,
    },
    { what: `${what}: done twice`, value: waited.doubled, unit: 'acts', limit: most(0) },
    { what: `${what}: findings in the audit trail`, value: waited.findings, unit: '', limit: most(0) },
    {
      what: `${what}: from promoted until acts are answered again, at most`,
      value: waited.slowest,
      unit: 's',
      limit: most(5),
    },
    {
      what: 'control run, answered before the standby has it: lost',
      value: control.lost,
      unit: 'acts',
      limit: { at: 'least', value: 1 },
      detail: `of ${control.acknowledged}`,
    },
  ]
}

type Place = { folder: string; server: EmbeddedPostgres }

async function drill(commit: 'remote_apply' | 'local', times: number): Promise<Outcome & { slowest: number }> {
  const directory = giveToServer(mkdtempSync(join(tmpdir(), 'sygnet-failover-')))
  const settings = { fsync: 'off', max_connections: '200', wal_keep_size: '1GB', hot_standby: 'on' }
  const folders = ['first', 'second'].map((name) => join(directory, name)) as [string, string]
  for (const folder of folders) giveToServer(mkdirSync(folder, { recursive: true })!)
  let primary: Place = { folder: folders[0], server: await startMigrated(folders[0], settings) }
  const door = await openSwitch(primary.server.url)
  const portal = await openTestPortal({ postgres: door.url })
  const nodes = [await openProcess(portal), await openProcess(portal)]
  const load = await openLoad(portal, nodes)
  const finish = load.run()
  let slowest = 0
  try {
    for (let cycle = 0; cycle < times; cycle++) {
      const standby = await startStandby(primary, folders[(cycle + 1) % 2]!, settings)
      await follow(primary, commit)
      await load.goesOn()
      const [receiver] = await ask<{ pid: number }>(standby.server.url, 'select pid from pg_stat_wal_receiver')
      process.kill(receiver!.pid, 'SIGSTOP')
      await pause(stalls(commit === 'local' ? 1 : cycle))
      killDatabase(primary.folder)
      door.turn(undefined)
      process.kill(receiver!.pid, 'SIGCONT')
      await ask(standby.server.url, 'select pg_promote(true, 60)')
      door.turn(standby.server.url)
      const began = performance.now()
      await load.goesOn()
      slowest = Math.max(slowest, (performance.now() - began) / 1000)
      rmSync(join(primary.folder, 'data'), { recursive: true })
      primary = standby
    }
    await finish()
    return { ...(await load.judge(portal)), slowest }
  } finally {
    await Promise.all(nodes.map((node) => node.kill()))
    await portal.close().catch(() => {})
    await primary.server.stop()
    door.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** A copy of the primary in another folder, which follows it. */
async function startStandby(primary: Place, folder: string, settings: Record<string, string>): Promise<Place> {
  await takeBaseCopy(primary.server.url, primary.folder, folder)
  cpSync(join(primary.folder, 'password'), join(folder, 'password'))
  giveToServer(join(folder, 'password'))
  writeForServer(join(folder, 'data/standby.signal'), '')
  const { hostname, port, username, password } = new URL(primary.server.url)
  const primary_conninfo = `host=${decodeURIComponent(hostname)} port=${port} user=${username} password=${password} application_name=standby`
  return { folder, server: await startPostgres(folder, { ...settings, primary_conninfo }) }
}

/** From now on every commit waits for the standby, or none does; nothing of it goes over to the standby's own settings. */
async function follow({ server }: Place, commit: 'remote_apply' | 'local') {
  for (let here = 0; !here; await pause(20))
    here = (await ask(server.url, `select from pg_stat_replication where state = 'streaming'`)).length
  await ask(server.url, `alter system set synchronous_commit = '${commit}'`)
  await ask(server.url, `alter system set synchronous_standby_names = '${commit === 'local' ? '' : 'standby'}'`)
  await ask(server.url, 'select pg_reload_conf()')
  const wanted = commit === 'local' ? 'async' : 'sync'
  const isSo = async () =>
    (await ask<{ state: string }>(server.url, 'select sync_state as state from pg_stat_replication'))[0]?.state
  while ((await isSo()) !== wanted) await pause(20)
}

async function ask<T extends pg.QueryResultRow>(url: string, statement: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(statement)).rows
  } finally {
    await client.end()
  }
}

/** An address that leads to whichever server is the primary, and ends its connections when that changes. */
async function openSwitch(first: string) {
  const sockets = new Set<Socket>()
  const pathOf = (url: string) => {
    const { hostname, port } = new URL(url)
    return join(decodeURIComponent(hostname), `.s.PGSQL.${port}`)
  }
  let path: string | undefined = pathOf(first)
  const server = createServer((socket) => {
    socket.on('error', () => {})
    if (!path) return void socket.destroy()
    const onward = connect(path)
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.once('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(first)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const turn = (to: string | undefined) => {
    path = to && pathOf(to)
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    turn,
    close() {
      turn(undefined)
      server.close()
    },
  }
}
