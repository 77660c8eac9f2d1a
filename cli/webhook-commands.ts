import type { EventType } from '../contract/provider/events.ts'
import { eventKinds } from '../contract/provider/events.ts'
import * as api from '../contract/provider/webhooks.ts'
import { checked, counted, needs, printList, repeated, type AddCommands, type CommandContext } from './command.ts'
import { explain, explainUnknown } from './portal-calls.ts'
import { secretFileOption, withSecretFile, type SaveSecret } from './secret-file.ts'

const types = eventKinds.map(({ type }) => type)
const isEventType = (text: string): text is EventType => types.some((type) => type === text)

export const addWebhookCommands: AddCommands = (program, context) => {
  const { portal, printResult } = context
  const webhooks = program.command('webhooks').commandsGroup(needs.portal)
  webhooks
    .command('list')
    .description('list the webhooks and how their deliveries go')
    .action(async () => {
      const read = (after?: string) => portal().call(api.listWebhooks, { query: { after } })
      await printList(context, read, (item) => [
        item.webhook,
        item.url,
        item.types?.join(',') ?? 'every event',
        `${item.waiting} waiting`,
        `${item.deadLetters} failed`,
        ...(item.failure ? [item.failure] : []),
      ])
    })
  webhooks
    .command('show <webhook>')
    .description('show a webhook, by your own id')
    .action(async (webhook) => {
      printResult(await portal().call(api.getWebhook, { params: { webhook } }).catch(unknown(webhook)))
    })
  webhooks
    .command('put <webhook>')
    .description('create or change a webhook; the secret of a new one is shown only once')
    .requiredOption('--url <url>', 'the address, on one of the hosts of WEBHOOK_HOSTS')
    .option(
      '--type <type>',
      'only events of this kind; repeatable',
      repeated(checked(isEventType, `one of ${types.join(', ')}`)),
    )
    .option(...secretFileOption)
    .addHelpText('after', `\nWithout --type every event is sent. Kinds of events: ${types.join(', ')}.`)
    .action((webhook, { url, type, to }) =>
      withSecretFile(context, to, async (save) => {
        const body = { url, types: type ? [...type] : null }
        const refused = `The portal does not accept ${url}. Its operator lists the allowed hosts in WEBHOOK_HOSTS.`
        const call = portal().call(api.putWebhook, { params: { webhook }, body })
        const { secret, ...state } = await call.catch(explain({ 'host-not-allowed': refused }))
        if (secret) printSecret(context, webhook, { secret, state, save })
        else printResult(state)
      }),
    )
  webhooks
    .command('secret <webhook>')
    .description('create another secret; the earlier one also signs for a day')
    .option(...secretFileOption)
    .action((webhook, { to }) =>
      withSecretFile(context, to, async (save) => {
        const input = { params: { webhook }, idempotencyKey: crypto.randomUUID() }
        const { secret, earlierEndsAt } = await portal().call(api.drawWebhookSecret, input).catch(unknown(webhook))
        printSecret(context, webhook, { secret, state: { earlierEndsAt }, save })
        context.note(`The earlier secret also signs until ${earlierEndsAt}.\n`)
      }),
    )
  webhooks
    .command('remove <webhook>')
    .description('remove a webhook and its undelivered events')
    .action(async (webhook) => {
      await portal().call(api.removeWebhook, { params: { webhook } }).catch(unknown(webhook))
      printResult({ removed: 1 }, '1 webhook removed\n')
    })
  addDeadLetterCommands(webhooks, context)
}

/** Adds the commands for dead letters, the events that failed permanently. */
function addDeadLetterCommands(webhooks: Parameters<AddCommands>[0], context: CommandContext) {
  const { portal, printResult } = context
  webhooks
    .command('given-up <webhook>')
    .description('list events that failed permanently after a day of tries, by position')
    .action(async (webhook) => {
      const read = (after?: number) =>
        portal().call(api.listDeadLetters, { params: { webhook }, query: { after: after?.toString() } })
      await printList(context, read, ({ event, tries, failure }) => [
        String(event.position),
        event.timestamp,
        event.type,
        counted(tries, 'try', 'tries'),
        failure,
      ]).catch(unknown(webhook))
    })
  webhooks
    .command('replay <webhook>')
    .description('send events that failed permanently again')
    .action(async (webhook) => {
      const { replayed } = await portal().call(api.replayDeadLetters, { params: { webhook } }).catch(unknown(webhook))
      printResult({ replayed }, `${counted(replayed, 'event')} to be sent again\n`)
    })
  webhooks
    .command('drop <webhook>')
    .description('remove events that failed permanently, up to a position')
    .requiredOption(
      '--through <position>',
      'the last event to remove, by its position from sygnet webhooks given-up',
      checked((text) => /^\d{1,15}$/.test(text), 'a position from sygnet webhooks given-up'),
    )
    .action(async (webhook, { through }) => {
      const call = portal().call(api.dropDeadLetters, { params: { webhook }, query: { through } })
      const { dropped } = await call.catch(unknown(webhook))
      printResult({ dropped }, `${counted(dropped, 'event')} dropped\n`)
    })
}

const unknown = (webhook: string) => explainUnknown('webhook', webhook)

/** Prints a secret, or saves it in a file. It is shown only once. */
function printSecret(
  { printResult, note }: CommandContext,
  webhook: string,
  { secret, state, save }: { secret: string; state: object; save: SaveSecret | undefined },
) {
  save?.(secret, `Create another one with sygnet webhooks secret ${webhook}.`)
  printResult({ ...state, ...(save ? {} : { secret }) }, save ? '' : `${secret}\n`)
  note(`Events to ${webhook} are signed with this secret. It is not shown again.\n`)
}
