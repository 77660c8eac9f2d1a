import { randomBytes } from 'node:crypto'
import pg from 'pg'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: string
  }
}

let made = 0

/** The pools that create and drop databases, one per server for all files of this worker; an idle pool keeps no process alive. */
const makers = new Map<string, pg.Pool>()

function makerOn(server: string) {
  const known = makers.get(server)
  if (known) return known
  const maker = new pg.Pool({ connectionString: server, allowExitOnIdle: true })
  maker.on('error', () => {})
  makers.set(server, maker)
  return maker
}

/** Creates a separate database from the migrated template or another one. */
export async function createDatabase(template = 'sygnet_template', given?: string) {
  // Measurements run without the test runner, which refuses to be loaded then.
  const server = given ?? (await import('vitest')).inject('postgres')
  const name = `test_${process.pid}_${made++}_${randomBytes(3).toString('hex')}`
  const maker = makerOn(server)
  // Copying the files of a small template costs less than logging their contents.
  await maker.query(`create database ${name} template ${pg.escapeIdentifier(template)} strategy file_copy`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const owner = new pg.Pool({ connectionString: url.href, max: 2 })
  owner.on('error', () => {})
  return {
    url: url.href,
    owner,
    async drop() {
      await owner.end()
      await maker.query(`drop database ${name} with (force)`)
    },
  }
}

/** Sets the portal's time, which is the database's: every node sees it at once. */
export function createClock(owner: pg.Pool) {
  const setNow = (body: string) =>
    owner.query(`create or replace function portal_now() returns timestamptz language sql stable as $$ ${body} $$`)
  let offset = 0
  return {
    stopAt: (at: Date) => setNow(`select timestamptz '${at.toISOString()}'`),
    /** Lets time run on, ahead by a further `seconds`. */
    async advance(seconds: number) {
      offset += seconds
      await setNow(`select statement_timestamp() + interval '${offset} seconds'`)
    },
  }
}
