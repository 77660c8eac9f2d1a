import { InvalidArgumentError } from 'commander'
import { clientGroups } from '../contract/api-tags.ts'
import { limits } from '../contract/limits.ts'
import { ClientKeyName, clientScopes, getClientKey, type ClientScope } from '../contract/provider/client-keys.ts'
import {
  issueClientKey,
  listClientKeys,
  revokeClientKey,
  rotateClientKey,
  type ListedKey,
} from '../server/client-keys/client-keys.ts'
import { checked, needs, wholeNumber, type AddCommands, type CommandContext } from './command.ts'
import { CliError, withDatabase } from './environment.ts'
import { secretFileOption, withSecretFile, type SaveSecret } from './secret-file.ts'

const { days, maxDays, perSecond, maxPerSecond, overlapHours } = limits.clientKey
const maxHours = 24 * 90
const daysOption = [
  '--days <days>',
  `until it ends; default ${days}, at most ${maxDays}`,
  wholeNumber(1, maxDays),
] as const
const newName = checked(
  (name) => ClientKeyName.safeParse(name).success,
  'a name of up to 64 of a–z, 0–9, dot, hyphen and underscore, which begins with a letter or digit and is not an id',
)

export const addClientKeyCommands: AddCommands = (program, context) => {
  program
    .command('health')
    .helpGroup(needs.portal)
    .description('check that the portal answers, and show the rights of your key')
    .action(() => checkHealth(context))

  const keys = program.command('client-key').commandsGroup(needs.database)
  keys
    .command('create')
    .description('create a key for the provider API; it is shown only once')
    .argument('<name>', 'the system that uses the key, such as crm; no two current keys have the same', newName)
    .requiredOption('--scope <scope>', 'what the key may do; repeatable', scopes)
    .option(...daysOption)
    .option('--per-second <calls>', `average over ten seconds; default ${perSecond}`, wholeNumber(1, maxPerSecond))
    .option(...secretFileOption)
    .addHelpText(
      'after',
      `\nA scope is a group of objects with :read or :write, such as customers:write; writing includes reading. all:read and
all:write mean all groups, which are ${clientGroups.join(', ')}.`,
    )
    .action((name, { scope, to, ...options }) =>
      withSecretFile(context, to, (save) =>
        withDatabase(context, async (db) =>
          printKey(context, await issueClientKey(db, { name, scopes: scope, ...options }), save),
        ),
      ),
    )
  keys
    .command('list')
    .description('list the keys, without their secret values')
    .action(() =>
      withDatabase(context, async (db) => {
        const listed = await listClientKeys(db)
        context.printResult(listed, listed.map(lineOf).join(''))
      }),
    )
  keys
    .command('rotate <name-or-id>')
    .description('create a new key with the same rights; the old one stays valid for a while')
    .option(
      '--overlap <hours>',
      `until the old key ends; default ${overlapHours}, 0 for at once`,
      wholeNumber(0, maxHours),
    )
    .option(...daysOption)
    .option(...secretFileOption)
    .action((name, { overlap, to, ...options }) =>
      withSecretFile(context, to, (save) =>
        withDatabase(context, async (db) => {
          const made = await rotateClientKey(db, name, { ...options, overlapHours: overlap })
          if (!made) throw new CliError(`No valid key that was not replaced yet is called ${name}.`)
          printKey(context, made, save)
          context.note(`The key before it ends within ${overlap ?? overlapHours} hours.\n`)
        }),
      ),
    )
  keys
    .command('revoke <name-or-id>')
    .description('revoke one key at once, on every node')
    .addHelpText(
      'after',
      `\nBy its name, this is the current key. A key that a rotation has replaced stays valid until its end, and is named then.`,
    )
    .action((name) =>
      withDatabase(context, async (db) => {
        const revoked = await revokeClientKey(db, name)
        if (!revoked) throw new CliError(`No key that is not yet revoked is called ${name}.`)
        context.printResult(revoked, `Key ${revoked.id} revoked\n`)
        for (const { id, expiresAt } of revoked.stillLive)
          context.note(
            `Another key called ${revoked.name} is still valid ${expiresAt ? `until ${expiresAt.toISOString()}` : 'without end'}. Revoke it too: sygnet client-key revoke ${id}\n`,
          )
      }),
    )
}

const allScopes = (right: string) => clientScopes.filter((scope) => scope.endsWith(`:${right}`))

/** Adds the scopes of an option. `all:read` and `all:write` mean today's groups: a key does not get the scopes of later versions. */
function scopes(text: string, earlier: ClientScope[] | undefined): ClientScope[] {
  const named = /^all:(?:read|write)$/.test(text)
    ? allScopes(text.slice(4))
    : clientScopes.filter((scope) => scope === text)
  if (!named.length)
    throw new InvalidArgumentError(
      `A scope is one of these with :read or :write: ${['all', ...clientGroups].join(', ')}.`,
    )
  return [...new Set([...(earlier ?? []), ...named])]
}

/** Prints a new key, or saves it in a file. It is shown only once. */
function printKey(
  context: CommandContext,
  { id, key, expiresAt }: { id: string; key: string; expiresAt: Date },
  save: SaveSecret | undefined,
) {
  save?.(key, `The key ${id} was created but not saved: revoke it.`)
  const until = expiresAt.toISOString()
  context.printResult({ id, expiresAt: until, ...(save ? {} : { key }) }, save ? '' : `${key}\n`)
  context.note(`Created key ${id}, which ends ${until}. It is not shown again.\n`)
}

/** Describes until when a key can be used. */
function endOf({ expiresAt, revokedAt, state }: ListedKey) {
  if (revokedAt) return `revoked ${revokedAt.toISOString()}`
  if (!expiresAt) return 'without end'
  return `${{ live: 'until', replaced: 'replaced, until', ended: 'ended', revoked: '' }[state]} ${expiresAt.toISOString()}`
}

const lineOf = (key: ListedKey) =>
  [key.id, key.createdAt.toISOString(), endOf(key), `${key.perSecond}/s`, key.name, abbreviateScopes(key.scopes)].join(
    '  ',
  ) + '\n'

/** Formats the scopes of a key, abbreviated if it has all of them. */
function abbreviateScopes(own: readonly string[]): string {
  for (const right of ['write', 'read'])
    if (allScopes(right).every((scope) => own.includes(scope))) return `all:${right}`
  return own.join(' ') || '(nothing)'
}

/** Checks the address and the key by the same call that every other command makes. */
async function checkHealth({ portal, printResult }: CommandContext) {
  const { url, call } = portal()
  const began = performance.now()
  const key = await call(getClientKey, {})
  const milliseconds = Math.round(performance.now() - began)
  printResult(
    { url, milliseconds, key },
    `${url} answers in ${milliseconds} ms. The key ${key.name} is valid ${key.expiresAt ? `until ${key.expiresAt}` : 'without end'}, for ${key.perSecond} calls a second, with the scopes ${abbreviateScopes(key.scopes)}.\n`,
  )
}
