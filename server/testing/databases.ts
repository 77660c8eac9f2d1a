import { randomBytes } from 'node:crypto'
import pg from 'pg'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: string
  }
}

let made = 0

/** A database of its own, made from the migrated template or another one. */
export async function createDatabase(template = 'sygnet_template', given?: string) {
  // Measurements run without the test runner, which refuses to be loaded then.
  const server = given ?? (await import('vitest')).inject('postgres')
  const name = `test_${process.pid}_${made++}_${randomBytes(3).toString('hex')}`
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await admin.query(`create database ${name} template ${admin.escapeIdentifier(template)}`)
  await admin.end()
  const url = new URL(server)
  url.pathname = `/${name}`
  const owner = new pg.Pool({ connectionString: url.href, max: 2 })
  owner.on('error', () => {})
  return {
    url: url.href,
    owner,
    async drop() {
      await owner.end()
      const again = new pg.Client({ connectionString: server })
      await again.connect()
      await again.query(`drop database ${name} with (force)`)
      await again.end()
    },
  }
}

/** Sets the portal's time, which is the database's: every node sees it at once. */
export function clockOf(owner: pg.Pool) {
  const become = (body: string) =>
    owner.query(`create or replace function portal_now() returns timestamptz language sql stable as $$ ${body} $$`)
  let offset = 0
  return {
    /** Stops time at an instant. */
    stopAt: (at: Date) => become(`select timestamptz '${at.toISOString()}'`),
    /** Lets time run on, `seconds` further than it was. */
    async advance(seconds: number) {
      offset += seconds
      await become(`select statement_timestamp() + interval '${offset} seconds'`)
    },
  }
}
