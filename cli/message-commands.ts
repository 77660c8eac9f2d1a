import {
  dropFailed,
  listFailed,
  listWaiting,
  resendFailed,
  type FailedMessage,
  type WaitingMessage,
} from '../server/platform/messages/failed-messages.ts'
import type { Tx } from '../server/platform/database/database.ts'
import { isId, type CommandContext, type Command } from './command.ts'
import { withDatabase } from './environment.ts'
import { exitCodes, CliError } from './cli-error.ts'

const most = 1000

const list = (context: CommandContext) =>
  withDatabase(context.environment, async (db) => {
    const messages: (FailedMessage & Partial<WaitingMessage>)[] = context.has('waiting')
      ? await listWaiting(db, most)
      : await listFailed(db, most)
    const lines = messages.map(({ id, channel, createdAt, tries, failure, nextTryAt }) => {
      const next = nextTryAt ? [`next ${nextTryAt}`] : []
      return `${[id, createdAt, channel, `${tries} ${tries === 1 ? 'try' : 'tries'}`, ...next, failure ?? ''].join('  ')}\n`
    })
    context.printResult(lines.join(''), messages)
    if (messages.length === most) context.note(`These are the ${most} oldest; there may be more.\n`)
    return exitCodes.done
  })

/** Resends or drops all failed messages, or those named. */
const changeFailed =
  (change: (tx: Tx, ids: readonly string[]) => Promise<number>, done: 'resent' | 'dropped', word: string) =>
  (context: CommandContext) => {
    const ids = context.valuesOf('id')
    const wrong = ids.find((id) => !isId(id))
    if (wrong !== undefined) throw new CliError(`${wrong} is not an id from sygnet messages list.`, exitCodes.misused)
    return withDatabase(context.environment, async (db) => {
      const count = await db.transaction().execute((tx) => change(tx, ids))
      context.printResult(`${count} ${count === 1 ? 'message' : 'messages'} ${word}\n`, { [done]: count })
      return count < ids.length ? exitCodes.refused : exitCodes.done
    })
  }

const id = { id: { valueName: 'ID', multiple: true as const, summary: 'only this message; repeatable' } }

export const messageCommands: readonly Command[] = [
  {
    name: 'messages list',
    summary: 'list mails, SMS and other messages that failed permanently, and why',
    details: `Recipients are not shown. Failed messages are removed after 30 days. For events that a webhook did not accept, see
sygnet webhooks given-up. With --waiting: those that have failed so far and are tried again, also to webhooks.`,
    options: { waiting: { summary: 'list instead those that are tried again, with the time of the next try' } },
    needs: 'database',
    run: list,
  },
  {
    name: 'messages resend',
    summary: 'send messages that failed permanently again, once the cause is fixed',
    details: 'An expired code is not sent.',
    options: id,
    needs: 'database',
    run: changeFailed(resendFailed, 'resent', 'to be sent again'),
  },
  {
    name: 'messages drop',
    summary: 'remove messages that failed permanently',
    options: id,
    needs: 'database',
    run: changeFailed(dropFailed, 'dropped', 'dropped'),
  },
]
