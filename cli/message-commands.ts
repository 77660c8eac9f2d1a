import { dropGivenUp, listGivenUp, resendGivenUp } from '../server/given-up-messages.ts'
import type { Tx } from '../server/db.ts'
import type { Asked, Command } from './command.ts'
import { withDatabase } from './surroundings.ts'
import { exitCodes, Told } from './told.ts'

const most = 1000
const isId = (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

const list = (asked: Asked) =>
  withDatabase(asked.surroundings, async (db) => {
    const messages = await listGivenUp(db, most)
    const lines = messages.map(
      ({ id, channel, createdAt, tries, failure }) =>
        `${id}  ${createdAt}  ${channel}  ${tries} ${tries === 1 ? 'try' : 'tries'}  ${failure ?? ''}\n`,
    )
    asked.say(lines.join(''), messages)
    if (messages.length === most) asked.note(`These are the ${most} oldest; there may be more.\n`)
    return exitCodes.done
  })

/** Does something with all of them, or with those named. */
const treat =
  (act: (tx: Tx, ids: readonly string[]) => Promise<number>, done: 'resent' | 'dropped', word: string) =>
  (asked: Asked) => {
    const ids = asked.values('id')
    const wrong = ids.find((id) => !isId(id))
    if (wrong !== undefined) throw new Told(`${wrong} is no id, as sygnet messages list tells them.`, exitCodes.misused)
    return withDatabase(asked.surroundings, async (db) => {
      const count = await db.transaction().execute((tx) => act(tx, ids))
      asked.say(`${count} ${count === 1 ? 'message' : 'messages'} ${word}\n`, { [done]: count })
      return count < ids.length ? exitCodes.refused : exitCodes.done
    })
  }

const id = { id: { takes: 'ID', multiple: true as const, says: 'only this one; can be said several times' } }

export const messageCommands: readonly Command[] = [
  {
    words: 'messages list',
    says: 'mails, SMS and other messages that were given up, and why',
    more: `Whom they are for is not told. What was given up is removed after 30 days. Events that a webhook did not take are
at sygnet webhooks given-up.`,
    needs: 'database',
    run: list,
  },
  {
    words: 'messages resend',
    says: 'try all of them again, once what stood in the way is mended',
    more: 'A code that has run out meanwhile is not sent.',
    options: id,
    needs: 'database',
    run: treat(resendGivenUp, 'resent', 'to be sent again'),
  },
  {
    words: 'messages drop',
    says: 'remove all of them for good',
    options: id,
    needs: 'database',
    run: treat(dropGivenUp, 'dropped', 'dropped'),
  },
]
