import { nodesWithoutCurrent } from '../server/known-keys.ts'
import { rotateKeys } from '../server/sealed-columns.ts'
import type { Command } from './command.ts'
import { withDatabase } from './surroundings.ts'
import { exitCodes, Told } from './told.ts'

export const keyCommands: readonly Command[] = [
  {
    words: 'keys rotate',
    says: 'seal everything anew under the first of the master keys, while the portal runs',
    needs: 'database',
    /** Exit code 1 when something was left. */
    run: ({ surroundings, say }) =>
      withDatabase(surroundings, async (db, keys) => {
        const key = keys.masters[0]!.id.toString('hex')
        const nodes = await nodesWithoutCurrent(db, keys)
        if (nodes)
          throw new Told(
            `${nodes} running ${nodes === 1 ? 'node does' : 'nodes do'} not know the master key ${key}, and could read nothing any more. Nothing was changed. Add it there as the second key, restart, and run this again.`,
          )
        const { values, unreadable } = await rotateKeys(db, keys)
        const done = `${values} values sealed anew. Everything is under the master key ${key} now`
        const rest = unreadable.length
          ? `, but for ${unreadable.length} that cannot be opened; keep the older keys:\n${unreadable.map((place) => `${place}\n`).join('')}`
          : keys.masters.length > 1
            ? '; the older ones can be put away.\n'
            : '.\n'
        say(done + rest, { values, key, unreadable })
        return unreadable.length ? exitCodes.refused : exitCodes.done
      }),
  },
]
