import { spawnSync } from 'node:child_process'
import { chownSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

/** The embedded server has an account of its own when we are root. */
export function giveToServer(path: string): string {
  if (process.getuid?.() === 0) chownSync(path, 65_534, 65_534)
  return path
}

/** A file for the server, such as the signals by which it knows what to be. */
export const writeForServer = (path: string, content: string) => {
  writeFileSync(path, content)
  giveToServer(path)
}

/** A base copy of a running server's folder in another one, by PostgreSQL's low-level way. */
export async function takeBaseCopy(url: string, from: string, to: string): Promise<void> {
  // The two calls belong to one session.
  const session = new pg.Client({ connectionString: url })
  await session.connect()
  await session.query(`select pg_backup_start('drill', true)`)
  // A file may go while it is copied; what the log has of it brings it back.
  spawnSync('cp', ['-a', join(from, 'data'), to])
  const { rows } = await session.query<{ labelfile: string }>('select labelfile from pg_backup_stop(true)')
  await session.end()
  rmSync(join(to, 'data/postmaster.pid'), { force: true })
  for (const name of readdirSync(join(to, 'data/pg_wal'))) rmSync(join(to, 'data/pg_wal', name), { recursive: true })
  writeForServer(join(to, 'data/backup_label'), rows[0]!.labelfile)
}
