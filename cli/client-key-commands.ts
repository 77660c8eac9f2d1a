import { clientScopes, getClientKey, type ClientScope } from '../contract/client-keys.ts'
import { clientGroups } from '../contract/enums.ts'
import { limits } from '../contract/limits.ts'
import {
  issueClientKey,
  listClientKeys,
  revokeClientKeys,
  rotateClientKey,
  type ListedKey,
} from '../server/client-keys.ts'
import type { Asked, Command } from './command.ts'
import { toFile, writeSecret } from './hand-over.ts'
import { withDatabase } from './surroundings.ts'
import { exitCodes, Told } from './told.ts'

const { days, daysMost, perSecond, perSecondMost, overlapHours } = limits.clientKey
const hoursMost = 24 * 90

/** `all:read` and `all:write` are what there is today: a key gains nothing by what the portal learns later. */
function scopesOf(asked: Asked): ClientScope[] {
  const given = asked.values('scope')
  const known = new Set<string>(clientScopes)
  const scopes = given.flatMap((scope) =>
    /^all:(?:read|write)$/.test(scope) ? clientGroups.map((group) => `${group}:${scope.slice(4)}`) : scope,
  )
  const wrong = scopes.find((scope) => !known.has(scope))
  if (wrong || !scopes.length)
    throw new Told(
      `${wrong ? `There is no scope ${wrong}.` : 'Say what the key may do with --scope.'} A scope is one of these with :read or :write: ${['all', ...clientGroups].join(', ')}.`,
      exitCodes.misused,
    )
  return [...new Set(scopes)] as ClientScope[]
}

/** The key is told once. */
function handOver(asked: Asked, { id, key, expiresAt }: { id: string; key: string; expiresAt: Date }) {
  const [file] = asked.values('to')
  if (file) writeSecret(file, key, `The key ${id} is made, and nobody has it: revoke it.`)
  const until = expiresAt.toISOString()
  asked.say(file ? '' : `${key}\n`, { id, expiresAt: until, ...(file ? {} : { key }) })
  asked.note(`Key ${id} is made and ends ${until}. It is not shown again.\n`)
}

const create = (asked: Asked) => {
  const wish = {
    name: asked.operands[0]!,
    scopes: scopesOf(asked),
    days: asked.whole('days', 1, daysMost),
    perSecond: asked.whole('per-second', 1, perSecondMost),
  }
  return withDatabase(asked.surroundings, async (db) => {
    handOver(asked, await issueClientKey(db, wish))
    return exitCodes.done
  })
}

const rotate = (asked: Asked) => {
  const which = asked.operands[0]!
  const wish = { days: asked.whole('days', 1, daysMost), overlapHours: asked.whole('overlap', 0, hoursMost) }
  return withDatabase(asked.surroundings, async (db) => {
    const made = await rotateClientKey(db, which, wish)
    if (!made) throw new Told(`No live key is called ${which}.`)
    handOver(asked, made)
    asked.note(`Keys from before end within ${wish.overlapHours ?? overlapHours} hours.\n`)
    return exitCodes.done
  })
}

const revoke = (asked: Asked) => {
  const which = asked.operands[0]!
  return withDatabase(asked.surroundings, async (db) => {
    const revoked = await revokeClientKeys(db, which)
    if (!revoked) throw new Told(`No key is called ${which} that was not revoked before.`)
    asked.say(`${revoked} ${revoked === 1 ? 'key' : 'keys'} revoked\n`, { revoked })
    return exitCodes.done
  })
}

const list = (asked: Asked) =>
  withDatabase(asked.surroundings, async (db) => {
    const keys = await listClientKeys(db)
    asked.say(keys.map(lineOf).join(''), keys)
    return exitCodes.done
  })

const lineOf = ({ id, name, scopes, perSecond: pace, createdAt, expiresAt, revokedAt, state }: ListedKey) =>
  [
    id,
    createdAt.toISOString(),
    state === 'revoked'
      ? `revoked ${revokedAt!.toISOString()}`
      : expiresAt
        ? `${state === 'live' ? 'until' : 'ended'} ${expiresAt.toISOString()}`
        : 'without end',
    `${pace}/s`,
    name,
    shortOf(scopes),
  ].join('  ') + '\n'

/** What a key for everything may do need not be read in twenty words. */
function shortOf(scopes: readonly string[]): string {
  for (const right of ['write', 'read'])
    if (clientGroups.every((group) => scopes.includes(`${group}:${right}`))) return `all:${right}`
  return scopes.join(' ') || '(nothing)'
}

/** Whether the portal answers, and what it makes of the key: the whole way that every other command takes. */
async function health({ portal, say }: Asked): Promise<number> {
  const calls = portal()
  const began = performance.now()
  const key = await calls.call(getClientKey, {})
  const milliseconds = Math.round(performance.now() - began)
  say(
    `${calls.url} answers in ${milliseconds} ms. The key ${key.name} is good ${key.expiresAt ? `until ${key.expiresAt}` : 'without end'}, for ${key.perSecond} calls a second and ${shortOf(key.scopes)}.\n`,
    { url: calls.url, milliseconds, key },
  )
  return exitCodes.done
}

const howLong = { days: { takes: 'DAYS', says: `until it ends; ${days} unless said, at most ${daysMost}` } }
const where = toFile('key')

export const clientKeyCommands: readonly Command[] = [
  { words: 'health', says: 'whether the portal answers, and what your key may do', needs: 'portal', run: health },
  {
    words: 'client-key create',
    operands: ['NAME'],
    says: 'make a key of the provider API; it is told once',
    more: `NAME says which system it is for. A scope is a group of objects with :read or :write, such as customers:write;
writing includes reading. Groups: ${clientGroups.join(', ')}; all:read and all:write are all of them.`,
    options: {
      scope: { takes: 'SCOPE', multiple: true, says: 'what it may do; can be said several times' },
      ...howLong,
      'per-second': { takes: 'CALLS', says: `so many on the average of ten seconds; ${perSecond} unless said` },
      ...where,
    },
    needs: 'database',
    run: create,
  },
  { words: 'client-key list', says: 'the keys, without the keys themselves', needs: 'database', run: list },
  {
    words: 'client-key rotate',
    operands: ['NAME-OR-ID'],
    says: 'make a key like the present one, which goes on for a while beside it',
    options: {
      overlap: { takes: 'HOURS', says: `until the present ones end; ${overlapHours} unless said, 0 for at once` },
      ...howLong,
      ...where,
    },
    needs: 'database',
    run: rotate,
  },
  {
    words: 'client-key revoke',
    operands: ['NAME-OR-ID'],
    says: 'end a key at once, on every node',
    needs: 'database',
    run: revoke,
  },
]
