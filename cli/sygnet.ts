import { parseArgs } from 'node:util'
import { unblockAccount } from '../server/account-block.ts'
import { issueClientKey, listClientKeys, revokeClientKeys } from '../server/client-keys.ts'
import { openDatabase, type Db } from '../server/db.ts'
import type { Keys } from '../server/keys.ts'
import { runAudit } from './audit-command.ts'
import { runRotation } from './keys-command.ts'
import { portalKeys, type Surroundings } from './portal-keys.ts'

const usage = `sygnet: the operator's commands. They work on the database of DATABASE_URL.

  sygnet client-key create NAME [--days N]   make a key of the provider API; it is printed once
  sygnet client-key list                     the keys, without the keys themselves
  sygnet client-key revoke NAME-OR-ID        end a key at once, on every node
  sygnet account unblock LOGIN-OR-EMAIL      open a blocked account for its present password
  sygnet audit head                          sign where the audit trail ends now, and print it, to be kept elsewhere
  sygnet audit verify [--head FILE]...       name every record that was changed, removed, moved, added or cut off
  sygnet keys rotate                         seal everything anew under the first of the master keys, while the portal runs

The account, audit and keys commands need the portal's DATA_DIR, and its MASTER_KEY_FILE or MASTER_KEY where it has one.
A FILE is a printed head.
`

type Words = { verb: string | undefined; name: string | undefined; days: number | undefined; keys: Keys | undefined }

/** Runs one command; returns the exit code. */
async function run(argv: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { days: { type: 'string' }, head: { type: 'string', multiple: true } },
  })
  const [noun, verb, name] = positionals
  const command = noun === 'client-key' ? clientKey : noun === 'account' ? account : undefined
  const url = process.env['DATABASE_URL']
  if ((!command && noun !== 'audit' && noun !== 'keys') || !verb) return fail(usage, 2)
  if (!url) return fail('DATABASE_URL is not set: which database?\n', 2)
  const { DATA_DIR, MASTER_KEY: masterKey, MASTER_KEY_FILE: masterKeyFile } = process.env
  const surroundings: Surroundings = { url, folder: DATA_DIR || '.data', masterKey, masterKeyFile }
  const print = (text: string) => process.stdout.write(text)
  if (noun === 'audit') {
    if (verb !== 'head' && verb !== 'verify') return fail(usage, 2)
    return runAudit(verb, surroundings, { kept: values.head ?? [], print })
  }
  if (!command) return verb === 'rotate' ? runRotation(surroundings, print) : fail(usage, 2)
  const days = values.days === undefined ? undefined : Number(values.days)
  if (days !== undefined && !(Number.isInteger(days) && days > 0))
    return fail('--days takes a whole number from 1 on\n', 2)
  if (command === account && (verb !== 'unblock' || !name)) return fail(usage, 2)
  // What it does to an account is recorded in the trail.
  const keys = command === account ? await portalKeys(surroundings) : undefined
  const { db, close } = openDatabase(url, { connections: 1, ...(keys ? { auditKey: keys.audit } : {}) })
  try {
    return await command(db, { verb, name, days, keys })
  } finally {
    await close()
  }
}

async function clientKey(db: Db, { verb, name, days }: Words): Promise<number> {
  if (verb === 'create' && name) {
    const { id, key } = await issueClientKey(db, name, days)
    process.stdout.write(`${key}\n`)
    process.stderr.write(`Key ${id} is made. It is not shown again.\n`)
    return 0
  }
  if (verb === 'list') {
    for (const key of await listClientKeys(db)) {
      const state = key.revoked_at
        ? `revoked ${key.revoked_at.toISOString()}`
        : key.expires_at
          ? `until ${key.expires_at.toISOString()}`
          : 'without end'
      process.stdout.write(`${key.id}  ${key.created_at.toISOString()}  ${state}  ${key.name}\n`)
    }
    return 0
  }
  if (verb === 'revoke' && name) {
    const ended = await revokeClientKeys(db, name)
    process.stdout.write(`${ended} ${ended === 1 ? 'key' : 'keys'} revoked\n`)
    return ended ? 0 : 1
  }
  return fail(usage, 2)
}

async function account(db: Db, { name, keys }: Words): Promise<number> {
  if (!(await unblockAccount(db, keys!, name!))) return fail(`No blocked account is called ${name}\n`, 1)
  process.stdout.write('1 account unblocked\n')
  return 0
}

function fail(text: string, code: number) {
  process.stderr.write(text)
  return code
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  process.exitCode = fail(`${(error as Error).message}\n`, 1)
}
