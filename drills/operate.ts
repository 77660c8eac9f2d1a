import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { progress, type Figure } from '../bench/figures.ts'
import { isInstalled } from '../tools/installed-programs.mjs'
import { beforeNewestMigration, drillCache, makeReleases, type DrillRelease } from './drill-releases.ts'
import { makeDebian, removeGroups } from './machines.ts'

const programs = ['mmdebstrap', 'systemd-nspawn', 'nsenter', 'ip', 'umoci', 'crun', 'minisign', 'openssl', 'apt-get']

/** The sections of the guide that have commands, in its order, which is that of the drill. */
export const guideSections = ['Install', 'Upgrade', 'Back up', 'Restore', 'The audit trail']

export type OperateOrder = {
  folder: string
  debian: string
  publicKey: string
  before: DrillRelease
  current: DrillRelease
}

/**
 * The guide for operators, followed to the letter: from four empty machines with Debian and systemd to two nodes behind nginx with TLS, by
 * the guide's own commands (`operated-machines.ts`). `FROM` names the commit of the release that is upgraded; by
 * default the newest without the newest migration.
 */
export async function measureOperate(): Promise<Figure[]> {
  if (process.getuid?.() !== 0) throw new Error('The drill operate makes machines, for which it must be root.')
  const absent = programs.filter((program) => !isInstalled(program))
  if (absent.length) throw new Error(`The drill operate needs ${absent.join(', ')}.`)
  const releases = makeReleases(process.env['FROM'] ?? beforeNewestMigration())
  const debian = join(drillCache, 'debian')
  progress('making an empty Debian …')
  makeDebian(debian)
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-operate-'))
  // In namespaces of its own: whatever it starts, mounts and connects ends with it.
  const child = spawn(
    'unshare',
    [
      '--net',
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      '--mount-proc',
      '--',
      process.execPath,
      join(import.meta.dirname, 'operated-machines.ts'),
    ],
    {
      env: { ...process.env, TMPDIR: folder },
      stdio: ['ignore', 'inherit', 'inherit', openSync('/proc/self/ns/net', 'r'), 'ipc'],
    },
  )
  const order: OperateOrder = { folder, debian, ...releases }
  child.send(order)
  let figures: Figure[] | undefined
  child.on('message', (message) => (figures = message as Figure[]))
  const [code] = (await once(child, 'exit')) as [number | null]
  removeGroups(folder)
  rmSync(folder, { recursive: true, force: true })
  if (!figures) throw new Error(`The drill ended with ${code}.`)
  return figures
}
