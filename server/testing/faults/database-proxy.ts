import { join } from 'node:path'
import { openFaultyWire } from './faulty-wire.ts'

/** A proxy to the database that can be cut, go silent, or have other faults. */
export async function startDatabaseProxy(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const wire = await openFaultyWire({ path: join(decodeURIComponent(target.hostname), `.s.PGSQL.${target.port}`) })
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${wire.port}`
  return { ...wire, url: url.href }
}
