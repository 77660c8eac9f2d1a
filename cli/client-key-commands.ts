import { ClientKeyName, clientScopes, getClientKey, type ClientScope } from '../contract/provider/client-keys.ts'
import { clientGroups } from '../contract/features.ts'
import { limits } from '../contract/limits.ts'
import {
  issueClientKey,
  listClientKeys,
  revokeClientKey,
  rotateClientKey,
  type ListedKey,
} from '../server/client-keys/client-key-store.ts'
import type { CommandContext, Command } from './command.ts'
import { secretFileOption, withSecretFile, type SaveSecret } from './secret-file.ts'
import { withDatabase } from './environment.ts'
import { exitCodes, CliError } from './cli-error.ts'

const { days, daysMost, perSecond: defaultPerSecond, perSecondMost, overlapHours } = limits.clientKey
const hoursMost = 24 * 90

/** `all:read` and `all:write` mean today's groups: a key does not get the scopes of later versions. */
function scopesOf(context: CommandContext): ClientScope[] {
  const scopes = context
    .valuesOf('scope')
    .flatMap((scope) => (/^all:(?:read|write)$/.test(scope) ? allScopes(scope.slice(4)) : scope))
  const wrong = scopes.find((scope) => !isClientScope(scope))
  if (wrong || !scopes.length)
    throw new CliError(
      `${wrong ? `There is no scope ${wrong}.` : 'Name the scopes of the key with --scope.'} A scope is one of these with :read or :write: ${['all', ...clientGroups].join(', ')}.`,
      exitCodes.misused,
    )
  return [...new Set(scopes.filter(isClientScope))]
}

const allScopes = (right: string) => clientScopes.filter((scope) => scope.endsWith(`:${right}`))

const isClientScope = (text: string): text is ClientScope => clientScopes.some((scope) => scope === text)

function newName({ operands: [name = ''] }: CommandContext): string {
  if (!ClientKeyName.safeParse(name).success)
    throw new CliError(
      'NAME has up to 64 of a–z, 0–9, dot, hyphen and underscore, begins with a letter or digit, and is not an id.',
      exitCodes.misused,
    )
  return name
}

/** Prints a new key, or saves it in a file. It is shown only once. */
function printKey(
  context: CommandContext,
  { id, key, expiresAt }: { id: string; key: string; expiresAt: Date },
  save: SaveSecret | undefined,
) {
  save?.(key, `The key ${id} was created but not saved: revoke it.`)
  const until = expiresAt.toISOString()
  context.printResult(save ? '' : `${key}\n`, { id, expiresAt: until, ...(save ? {} : { key }) })
  context.note(`Created key ${id}, which ends ${until}. It is not shown again.\n`)
}

const create = (context: CommandContext) => {
  const options = {
    name: newName(context),
    scopes: scopesOf(context),
    days: context.wholeNumber('days', 1, daysMost),
    perSecond: context.wholeNumber('per-second', 1, perSecondMost),
  }
  return withSecretFile(context, (save) =>
    withDatabase(context.environment, async (db) => {
      printKey(context, await issueClientKey(db, options), save)
      return exitCodes.done
    }),
  )
}

const rotate = (context: CommandContext) => {
  const [name = ''] = context.operands
  const options = {
    days: context.wholeNumber('days', 1, daysMost),
    overlapHours: context.wholeNumber('overlap', 0, hoursMost),
  }
  return withSecretFile(context, (save) =>
    withDatabase(context.environment, async (db) => {
      const made = await rotateClientKey(db, name, options)
      if (!made) throw new CliError(`No valid key that was not replaced yet is called ${name}.`)
      printKey(context, made, save)
      context.note(`The key before it ends within ${options.overlapHours ?? overlapHours} hours.\n`)
      return exitCodes.done
    }),
  )
}

const revoke = (context: CommandContext) => {
  const [name = ''] = context.operands
  return withDatabase(context.environment, async (db) => {
    const revoked = await revokeClientKey(db, name)
    if (!revoked) throw new CliError(`No key that is not yet revoked is called ${name}.`)
    context.printResult(`Key ${revoked.id} revoked\n`, revoked)
    for (const { id, expiresAt } of revoked.stillLive)
      context.note(
        `Another key called ${revoked.name} is still valid ${expiresAt ? `until ${expiresAt.toISOString()}` : 'without end'}. Revoke it too: sygnet client-key revoke ${id}\n`,
      )
    return exitCodes.done
  })
}

const list = (context: CommandContext) =>
  withDatabase(context.environment, async (db) => {
    const keys = await listClientKeys(db)
    context.printResult(keys.map(lineOf).join(''), keys)
    return exitCodes.done
  })

const lineOf = ({ id, name, scopes, createdAt, expiresAt, revokedAt, state, ...key }: ListedKey) =>
  [
    id,
    createdAt.toISOString(),
    revokedAt
      ? `revoked ${revokedAt.toISOString()}`
      : expiresAt
        ? `${{ live: 'until', replaced: 'replaced, until', ended: 'ended', revoked: '' }[state]} ${expiresAt.toISOString()}`
        : 'without end',
    `${key.perSecond}/s`,
    name,
    shortOf(scopes),
  ].join('  ') + '\n'

/** The scopes of a key, in short where it has all of them. */
function shortOf(scopes: readonly string[]): string {
  for (const right of ['write', 'read'])
    if (allScopes(right).every((scope) => scopes.includes(scope))) return `all:${right}`
  return scopes.join(' ') || '(nothing)'
}

/** Checks the address and the key by the same call that every other command makes. */
async function health({ portal, printResult }: CommandContext): Promise<number> {
  const calls = portal()
  const began = performance.now()
  const key = await calls.call(getClientKey, {})
  const milliseconds = Math.round(performance.now() - began)
  printResult(
    `${calls.url} answers in ${milliseconds} ms. The key ${key.name} is valid ${key.expiresAt ? `until ${key.expiresAt}` : 'without end'}, for ${key.perSecond} calls a second, with the scopes ${shortOf(key.scopes)}.\n`,
    { url: calls.url, milliseconds, key },
  )
  return exitCodes.done
}

const lifeOption = { days: { valueName: 'DAYS', summary: `until it ends; default ${days}, at most ${daysMost}` } }
const fileOption = secretFileOption('key')

export const clientKeyCommands: readonly Command[] = [
  {
    name: 'health',
    summary: 'check that the portal answers, and show the rights of your key',
    needs: 'portal',
    run: health,
  },
  {
    name: 'client-key create',
    operands: ['NAME'],
    summary: 'create a key for the provider API; it is shown only once',
    details: `NAME is the system that uses the key, such as crm; no two current keys have the same. A scope is a group of objects with :read or :write, such as customers:write;
writing includes reading. Groups: ${clientGroups.join(', ')}; all:read and all:write mean all groups.`,
    options: {
      scope: { valueName: 'SCOPE', multiple: true, summary: 'what the key may do; repeatable' },
      ...lifeOption,
      'per-second': { valueName: 'CALLS', summary: `average over ten seconds; default ${defaultPerSecond}` },
      ...fileOption,
    },
    needs: 'database',
    run: create,
  },
  { name: 'client-key list', summary: 'list the keys, without their secret values', needs: 'database', run: list },
  {
    name: 'client-key rotate',
    operands: ['NAME-OR-ID'],
    summary: 'create a new key with the same rights; the old one stays valid for a while',
    options: {
      overlap: { valueName: 'HOURS', summary: `until the old key ends; default ${overlapHours}, 0 for at once` },
      ...lifeOption,
      ...fileOption,
    },
    needs: 'database',
    run: rotate,
  },
  {
    name: 'client-key revoke',
    operands: ['NAME-OR-ID'],
    summary: 'revoke one key at once, on every node',
    details: `By its name, this is the current key. A key that a rotation has replaced stays valid until its end, and is named then.`,
    needs: 'database',
    run: revoke,
  },
]
