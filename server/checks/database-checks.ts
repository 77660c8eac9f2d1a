import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ConnectionOptions } from 'node:tls'
import pg from 'pg'
import { databaseAddresses, type Configuration } from '../platform/configuration/configuration.ts'
import { masterKeyPath, masterKeys } from '../platform/configuration/data-directory.ts'
import { isLoopback } from '../platform/configuration/keys/key-schemas.ts'
import { databaseFault } from '../platform/database/database-fault.ts'
import { connect, readDatabaseTime, readServerTime, type Db } from '../platform/database/database.ts'
import { inspectDatabase } from '../platform/database/migrate.ts'
import {
  canLeaveRole,
  requireMembership,
  requirePoolerSettings,
  requireSameDatabase,
  type DatabaseAddress,
} from '../platform/database/requests-login.ts'
import { readKeys } from '../platform/encrypted-data/open-keys.ts'
import { openReadiness } from '../platform/operations/readiness.ts'
import { failed, notTested, ok, warning, type Check, type CheckFinding } from './check.ts'

export function databaseChecks(configuration: Configuration): Check[] {
  const { databaseUrl, databaseDirectUrl } = configuration
  const [owner, ...others] = databaseAddresses(configuration)
  if (!databaseUrl || !owner)
    return [
      {
        name: 'database',
        run: async () => warning('DATABASE_URL is not set: the embedded PostgreSQL is for the demonstration.'),
      },
    ]
  const { key: ownerKey, url: ownerUrl } = owner
  const isPooled = databaseDirectUrl !== undefined && databaseDirectUrl !== databaseUrl

  /** Runs `work` with the login of requests, on a migrated database in their role. The first start creates the role. */
  const asRequests = (work: (db: Db, isEmpty: boolean, login: string) => Promise<CheckFinding>) =>
    unlessFaulty(ownerKey, async () => {
      const { isEmpty, login } = await inspectDatabase(ownerUrl)
      const { db, close } = connect(databaseUrl, { connections: 1, isPooled, asOwner: isEmpty })
      try {
        return await unlessFaulty('DATABASE_URL', () => work(db, isEmpty, login))
      } finally {
        await close()
      }
    })

  return withEachFaultOnce([
    {
      name: 'database',
      run: () =>
        unlessFaulty(ownerKey, async () => {
          const { server, missing } = await inspectDatabase(ownerUrl)
          const state = missing ? `migrations that the next start applies: ${missing}` : 'all migrations are applied'
          const found = `PostgreSQL ${server} with UTF8; ${state}.`
          const faults = connectionFinding(configuration)
          return faults ? warning(`${found} ${faults.text}`) : ok(found)
        }),
    },
    {
      name: 'database login',
      run: () =>
        asRequests(async (db, isEmpty, login) => {
          const fault = await findOtherDatabase(owner, others)
          if (fault !== undefined) return failed(fault)
          await requireMembership(databaseUrl, login)
          if (isEmpty)
            return ok('The database accepts the login of requests; its rights are tested after the first start.')
          if (isPooled) await requirePoolerSettings(db)
          const hasMoreRights = await canLeaveRole(db)
          if ((await openReadiness(db).findNotReadyReason()) === 'database')
            return failed(
              'The database accepts no writes, or is slow: check that DATABASE_URL does not lead to a standby.',
            )
          if (hasMoreRights)
            return warning(
              'The login of requests can leave its role: give DATABASE_OWNER_URL a login of its own, see docs/guides/operate.md.',
            )
          return ok('The login of requests has the rights of its role only.')
        }),
    },
    {
      name: 'clock',
      run: () => asRequests((db, isEmpty) => checkClock(() => (isEmpty ? readServerTime(db) : readDatabaseTime(db)))),
    },
    { name: 'master key', run: () => unlessFaulty(ownerKey, () => checkMasterKey(configuration, ownerUrl)) },
  ])
}

async function checkMasterKey(configuration: Configuration, ownerUrl: string): Promise<CheckFinding> {
  const directory = resolve(configuration.dataDir ?? '.data')
  const { masterKey, masterKeyFile } = configuration
  const { isEmpty } = await inspectDatabase(ownerUrl)
  // Reading the keys would create one.
  if (!masterKey && !masterKeyFile && !existsSync(masterKeyPath(directory)))
    return isEmpty
      ? warning(
          `MASTER_KEY_FILE is not set: the first start makes a key in ${directory}, which other nodes do not have.`,
        )
      : failed(`There is no master key: set MASTER_KEY_FILE, or restore ${masterKeyPath(directory)}.`)
  const masters = masterKeys(configuration, directory)
  if (isEmpty) return notTested('The database is empty: the first start encrypts its keys with this master key.')
  await readKeys(ownerUrl, masters)
  return ok('The master key decrypts the keys of this database.')
}

async function unlessFaulty(key: string, work: () => Promise<CheckFinding>): Promise<CheckFinding> {
  try {
    return await work()
  } catch (error) {
    return failed(faultIn(error, key))
  }
}

/** Lets a fault that several of the checks meet fail the first one, and leave the others untested. */
function withEachFaultOnce(checks: readonly Check[]): Check[] {
  const reported = new Set<string>()
  return checks.map(({ name, run }) => ({
    name,
    run: async () => {
      const finding = await run()
      if (reported.has(finding.text)) return notTested('The database cannot be used, as reported above.')
      if (finding.status === 'failed') reported.add(finding.text)
      return finding
    },
  }))
}

/** Returns the reason why an address does not lead to the owner's database; undefined if all do. */
async function findOtherDatabase(
  owner: DatabaseAddress,
  others: readonly DatabaseAddress[],
): Promise<string | undefined> {
  for (const other of others)
    try {
      await requireSameDatabase(owner, other)
    } catch (error) {
      return faultIn(error, other.key)
    }
  return undefined
}

/** Throws again what is not about the database. */
function faultIn(error: unknown, key: string): string {
  const fault = databaseFault(error, key)
  if (!fault) throw error
  return fault.text
}

/** Warns of database addresses that lead over a network without TLS, or without a check of the certificate. */
function connectionFinding(configuration: Configuration): CheckFinding | undefined {
  const addresses = databaseAddresses(configuration).toReversed()
  const keysOf = (security: ReturnType<typeof securityOf>) =>
    addresses.flatMap(({ key, url }) => (securityOf(url) === security ? key : []))
  const sentences = [
    { keys: keysOf('none'), what: 'not encrypted' },
    { keys: keysOf('unverified'), what: 'encrypted, but to a server whose certificate or name is not checked' },
  ].flatMap(({ keys, what }) =>
    keys.length ? `Connections by ${keys.join(' and ')} are ${what}: use sslmode=verify-full.` : [],
  )
  return sentences.length ? warning(sentences.join(' ')) : undefined
}

/** Returns the security that the driver derives from an address, its sslmode, and PGSSLMODE. */
function securityOf(url: string): 'local' | 'none' | 'unverified' | 'verified' {
  const { host, ssl }: { host: string; ssl: unknown } = new pg.Client({ connectionString: url })
  if (host.startsWith('/') || isLoopback(host)) return 'local'
  if (!ssl) return 'none'
  const { rejectUnauthorized, checkServerIdentity } = ssl as ConnectionOptions
  return rejectUnauthorized === false || checkServerIdentity ? 'unverified' : 'verified'
}

/** Largest accepted clock difference, in seconds. Certificates, codes and signed requests to a bucket allow no more than some minutes. */
const maxClockDifference = 60

async function checkClock(readTime: () => Promise<Date>): Promise<CheckFinding> {
  const before = Date.now()
  const time = await readTime()
  const seconds = Math.round((before + Date.now() - 2 * time.getTime()) / 2000)
  if (Math.abs(seconds) <= maxClockDifference) return ok('The clocks of this machine and of the database agree.')
  return warning(
    `The clock of this machine is ${Math.abs(seconds)} seconds ${seconds > 0 ? 'ahead of' : 'behind'} the database’s: synchronise both by NTP.`,
  )
}
