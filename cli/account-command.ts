import { unblockAccount } from '../server/account-block.ts'
import type { Command } from './command.ts'
import { withDatabase } from './surroundings.ts'
import { exitCodes, Told } from './told.ts'

export const accountCommands: readonly Command[] = [
  {
    words: 'account unblock',
    operands: ['LOGIN-OR-EMAIL'],
    says: 'open a blocked account for its present password',
    needs: 'database',
    run({ operands, surroundings, say }) {
      const name = operands[0]!
      return withDatabase(surroundings, async (db, keys) => {
        const unblocked = await db
          .transaction()
          .execute((tx) => unblockAccount(tx, keys, { name }, { actor: 'operator' }))
        if (!unblocked) throw new Told(`No blocked account is called ${name}.`)
        say('1 account unblocked\n', { unblocked: 1 })
        return exitCodes.done
      })
    },
  },
]
