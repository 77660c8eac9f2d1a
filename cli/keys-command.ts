import { nodesWithoutCurrent } from '../server/platform/encrypted-data/known-keys.ts'
import { rotateKeys } from '../server/platform/encrypted-data/encrypted-columns.ts'
import { currentMaster } from '../server/platform/encryption/keys.ts'
import type { Command } from './command.ts'
import { withDatabase } from './environment.ts'
import { exitCodes, CliError } from './cli-error.ts'

export const keyCommands: readonly Command[] = [
  {
    name: 'keys rotate',
    summary: 're-encrypt everything with the first master key, while the portal runs',
    needs: 'database',
    /** Ends with exit code 1 if some values could not be decrypted. */
    run: ({ environment, printResult }) =>
      withDatabase(environment, async (db, keys) => {
        const key = currentMaster(keys).id.toString('hex')
        const nodes = await nodesWithoutCurrent(db, keys)
        if (nodes)
          throw new CliError(
            `${nodes} running ${nodes === 1 ? 'node does' : 'nodes do'} not know the master key ${key} and could no longer read anything. Nothing was changed. Add the key there as the second one, restart, and run this command again.`,
          )
        const { values, unreadable } = await rotateKeys(db, keys)
        const done = `${values} values re-encrypted. Everything is now encrypted with the master key ${key}`
        const rest = unreadable.length
          ? `, except ${unreadable.length} that cannot be decrypted; keep the older keys:\n${unreadable.map((column) => `${column}\n`).join('')}`
          : keys.masters.length > 1
            ? '; the older keys can be removed.\n'
            : '.\n'
        printResult(done + rest, { values, key, unreadable })
        return unreadable.length ? exitCodes.refused : exitCodes.done
      }),
  },
]
