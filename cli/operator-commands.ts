import { unblockAccount } from '../server/platform/authentication/account-block.ts'
import { readBrandFile } from '../server/platform/brand/brand-file.ts'
import { readSources } from '../server/platform/configuration/configuration-sources.ts'
import type { Tx } from '../server/platform/database/database.ts'
import { rotateKeys } from '../server/platform/encrypted-data/encrypted-columns.ts'
import { countNodesWithoutCurrent } from '../server/platform/encrypted-data/open-keys.ts'
import { currentMaster } from '../server/platform/encryption/keys.ts'
import { writeNginxAnswers } from '../server/platform/http/nginx-answers.ts'
import {
  removeFailed,
  listFailed,
  listWaitingMessages,
  resendFailed,
  type FailedMessage,
  type WaitingMessage,
} from '../server/platform/messages/failed-messages.ts'
import { checked, counted, needs, repeated, type AddCommands, type CommandContext } from './command.ts'
import { unusableReasonOf, withDatabase, CliError, exitCodes, usageError } from './environment.ts'

export const addOperatorCommands: AddCommands = (program, context) => {
  program
    .command('account')
    .commandsGroup(needs.database)
    .command('unblock <login-or-email>')
    .description('unblock an account, which keeps its password')
    .action((name) =>
      withDatabase(context, async (db, keys) => {
        const isUnblocked = await db
          .transaction()
          .execute((tx) => unblockAccount(tx, keys, { name }, { actor: 'operator' }))
        if (!isUnblocked) throw new CliError(`No blocked account is called ${name}.`)
        context.printResult({ unblocked: 1 }, '1 account unblocked\n')
      }),
    )

  const messages = program.command('messages').commandsGroup(needs.database)
  messages
    .command('list')
    .description('list mails, SMS and other messages that failed permanently, and why')
    .option('--waiting', 'list instead those that are tried again, also to webhooks, with the time of the next try')
    .addHelpText(
      'after',
      `\nRecipients are not shown. Failed messages are removed after 30 days. For events that a webhook did not accept,
see sygnet webhooks given-up.`,
    )
    .action(({ waiting }) => listMessages(context, waiting ?? false))
  for (const [name, summary, change, done, result] of [
    [
      'resend',
      'send messages that failed permanently again, once the cause is fixed; an expired code is not sent',
      resendFailed,
      'resent',
      'to be sent again',
    ],
    ['drop', 'remove messages that failed permanently', removeFailed, 'dropped', 'dropped'],
  ] as const)
    messages
      .command(name)
      .description(summary)
      .option('--id <id>', 'only this message; repeatable', repeated(checked(isId, 'an id from sygnet messages list')))
      .action(({ id = [] }) => changeFailed(context, { ids: id, change, done, result }))

  program
    .command('keys')
    .commandsGroup(needs.database)
    .command('rotate')
    .description('re-encrypt everything with the first master key, while the portal runs')
    .action(() => rotateMasterKey(context))

  program
    .command('nginx')
    .commandsGroup(needs.brand)
    .command('write <folder>')
    .description('write nginx’s own answers with your brand, such as the page while no portal answers')
    .addHelpText(
      'after',
      `\nWrites answers.conf and refused/, which docs/examples/nginx/sygnet.conf includes, such as into /etc/nginx/sygnet.
Repeat it after an upgrade and after a change of BRAND_FILE, then reload nginx.`,
    )
    .action((folder) => writeNginx(context, folder))
}

const most = 1000

const listMessages = (context: CommandContext, isWaiting: boolean) =>
  withDatabase(context, async (db) => {
    const messages: (FailedMessage & Partial<WaitingMessage>)[] = await (isWaiting ? listWaitingMessages : listFailed)(
      db,
      most,
    )
    const lines = messages.map(({ id, channel, createdAt, tries, failure, nextTryAt }) => {
      const next = nextTryAt ? [`next ${nextTryAt}`] : []
      return `${[id, createdAt, channel, counted(tries, 'try', 'tries'), ...next, failure ?? ''].join('  ')}\n`
    })
    context.printResult(messages, lines.join(''))
    if (messages.length === most) context.note(`These are the ${most} oldest; there may be more.\n`)
  })

/** Checks whether a text is an id of the portal, a UUID. */
const isId = (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

type FailedChange = {
  ids: readonly string[]
  change: (tx: Tx, ids: readonly string[]) => Promise<number>
  done: string
  result: string
}

/** Resends or drops all failed messages, or those named. */
const changeFailed = (context: CommandContext, { ids, change, done, result }: FailedChange) =>
  withDatabase(context, async (db) => {
    const count = await db.transaction().execute((tx) => change(tx, ids))
    context.printResult({ [done]: count }, `${counted(count, 'message')} ${result}\n`)
    if (count < ids.length) context.exitCode = exitCodes.refused
  })

/** Ends with exit code 1 if some values could not be decrypted. */
const rotateMasterKey = (context: CommandContext) =>
  withDatabase(context, async (db, keys) => {
    const key = currentMaster(keys).id.toString('hex')
    const nodes = await countNodesWithoutCurrent(db, keys)
    if (nodes)
      throw new CliError(
        `${counted(nodes, 'running node does', 'running nodes do')} not know the master key ${key} and could no longer read anything. Nothing was changed. Add the key there as the second one, restart, and run this command again.`,
      )
    const { values, unreadable } = await rotateKeys(db, keys)
    const older = keys.masters.length > 1 ? '; the older keys can be removed.\n' : '.\n'
    const rest = unreadable.length
      ? `, except ${unreadable.length} that cannot be decrypted; keep the older keys:\n${unreadable.map((column) => `${column}\n`).join('')}`
      : older
    context.printResult(
      { values, key, unreadable },
      `${values} values re-encrypted. Everything is now encrypted with the master key ${key}${rest}`,
    )
    if (unreadable.length) context.exitCode = exitCodes.refused
  })

function writeNginx({ environment, note, printResult }: CommandContext, folder: string) {
  const errors: string[] = []
  const warnings: string[] = []
  const { texts } = readSources(environment, errors, ['BRAND_FILE'])
  const brand = texts.BRAND_FILE && !errors.length ? readBrandFile(texts.BRAND_FILE, errors, warnings) : undefined
  for (const warning of warnings) note(`${warning}\n`)
  if (!brand)
    throw usageError((errors.length ? errors : ['BRAND_FILE is not set']).map((error) => `${error}.`).join('\n'))
  try {
    writeNginxAnswers(folder, brand)
  } catch (error) {
    throw new CliError(`${folder} cannot be written: ${unusableReasonOf(error)}.`)
  }
  printResult({ folder }, `Written to ${folder}. Now reload nginx.\n`)
}
