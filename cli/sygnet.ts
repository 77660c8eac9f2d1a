import { parseArgs } from 'node:util'
import { issueClientKey, listClientKeys, revokeClientKeys } from '../server/client-keys.ts'
import { openDatabase } from '../server/db.ts'
import { runAudit } from './audit-command.ts'

const usage = `sygnet: the operator's commands. They work on the database of DATABASE_URL.

  sygnet client-key create NAME [--days N]   make a key of the provider API; it is printed once
  sygnet client-key list                     the keys, without the keys themselves
  sygnet client-key revoke NAME-OR-ID        end a key at once, on every node
  sygnet audit head                          sign where the audit trail ends now, and print it, to be kept elsewhere
  sygnet audit verify [--head FILE]...       name every record that was changed, removed, moved, added or cut off

The audit commands need the portal's DATA_DIR, and its MASTER_KEY_FILE where it has one. A FILE is a printed head.
`

/** Runs one command; returns the exit code. */
async function run(argv: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { days: { type: 'string' }, head: { type: 'string', multiple: true } },
  })
  const [noun, verb, name] = positionals
  const url = process.env['DATABASE_URL']
  if ((noun !== 'client-key' && noun !== 'audit') || !verb) return fail(usage, 2)
  if (!url) return fail('DATABASE_URL is not set: which database?\n', 2)
  if (noun === 'audit') {
    if (verb !== 'head' && verb !== 'verify') return fail(usage, 2)
    const { DATA_DIR: folder, MASTER_KEY_FILE: keyFile } = process.env
    return runAudit(verb, {
      url,
      folder,
      keyFile,
      kept: values.head ?? [],
      print: (text) => process.stdout.write(text),
    })
  }
  const days = values.days === undefined ? undefined : Number(values.days)
  if (days !== undefined && !(Number.isInteger(days) && days > 0))
    return fail('--days takes a whole number from 1 on\n', 2)
  const { db, close } = openDatabase(url, { connections: 1 })
  try {
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
  } finally {
    await close()
  }
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
