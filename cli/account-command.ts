import { unblockAccount } from '../server/platform/authentication/account-block.ts'
import type { Command } from './command.ts'
import { withDatabase } from './environment.ts'
import { exitCodes, CliError } from './cli-error.ts'

export const accountCommands: readonly Command[] = [
  {
    name: 'account unblock',
    operands: ['LOGIN-OR-EMAIL'],
    summary: 'unblock an account, which keeps its password',
    needs: 'database',
    run({ operands: [name = ''], environment, printResult }) {
      return withDatabase(environment, async (db, keys) => {
        const unblocked = await db
          .transaction()
          .execute((tx) => unblockAccount(tx, keys, { name }, { actor: 'operator' }))
        if (!unblocked) throw new CliError(`No blocked account is called ${name}.`)
        printResult('1 account unblocked\n', { unblocked: 1 })
        return exitCodes.done
      })
    },
  },
]
