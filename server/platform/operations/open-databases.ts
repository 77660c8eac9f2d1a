import { dirname, join } from 'node:path'
import { databaseAddresses, type Configuration } from '../configuration/configuration.ts'
import { makeDatabaseDirectory, masterKeys } from '../configuration/data-directory.ts'
import { connect } from '../database/database.ts'
import { startPostgres } from '../database/embedded-postgres.ts'
import { inspectDatabase, migrate, UnsupportedDatabaseError } from '../database/migrate.ts'
import {
  createRequestsLogin,
  requireMembership,
  requirePoolerSettings,
  requireSameDatabase,
} from '../database/requests-login.ts'
import { loadKeys } from '../encrypted-data/open-keys.ts'

/** The functions that close what was opened, called at the end in reverse order. */
export type Closers = (() => Promise<void> | void)[]

/** Connects to the migrated database, once more for the readiness, which a full pool must not delay. */
export async function openDatabases(configuration: Configuration, directory: string, closers: Closers) {
  const masters = masterKeys(configuration, directory)
  const { databaseUrl, ownerUrl } = await openMigratedDatabase(configuration, directory, closers)
  const directUrl = configuration.databaseDirectUrl ?? databaseUrl
  const isPooled = directUrl !== databaseUrl
  const keys = await loadKeys(ownerUrl, masters)
  const { db, connections, close } = connect(databaseUrl, {
    connections: configuration.databaseConnections,
    auditKey: keys.audit,
    isPooled,
  })
  closers.push(close)
  if (isPooled) await requirePoolerSettings(db)
  const readinessPool = connect(databaseUrl, { connections: 1, statementTimeoutMs: 3000, isPooled })
  closers.push(readinessPool.close)
  return { db, connections, keys, ownerUrl, directUrl, readinessDb: readinessPool.db }
}

export type Databases = Awaited<ReturnType<typeof openDatabases>>

/** Opens the operator's database, or the embedded one, which always has separate logins for owner and requests, and migrates it. */
async function openMigratedDatabase(configuration: Configuration, directory: string, closers: Closers) {
  const { databaseUrl } = configuration
  const [owner, ...others] = databaseAddresses(configuration)
  if (databaseUrl && owner) {
    const { isEmpty, login } = await inspectDatabase(owner.url)
    const requireConnections = async () => {
      for (const other of others) await requireSameDatabase(owner, other)
      await requireMembership(databaseUrl, login)
    }
    // Before another portal's database is migrated. A pooler can connect to an empty one only once it has the role of requests.
    if (!isEmpty) await requireConnections()
    await migrate(owner.url)
    if (isEmpty) await requireConnections()
    return { databaseUrl, ownerUrl: owner.url }
  }
  const databaseFolder = makeDatabaseDirectory(directory)
  const database = await startPostgres(databaseFolder)
  closers.push(() => database.stop())
  try {
    await migrate(database.url)
  } catch (error) {
    if (!(error instanceof UnsupportedDatabaseError)) throw error
    const folders = new Set([directory, dirname(databaseFolder)])
    throw new UnsupportedDatabaseError(
      `${error.message} For a new one, move ${[...folders].join(' and ')} away, or choose another folder with DATA_DIR.`,
      { cause: error },
    )
  }
  return {
    databaseUrl: await createRequestsLogin(database.url, join(databaseFolder, 'password-requests')),
    ownerUrl: database.url,
  }
}
