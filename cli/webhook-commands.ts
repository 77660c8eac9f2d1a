import type { EventType } from '../contract/provider/events.ts'
import { eventKinds } from '../contract/provider/events.ts'
import * as webhooks from '../contract/provider/webhooks.ts'
import { printItems, type CommandContext, type Command } from './command.ts'
import { secretFileOption, withSecretFile, type SaveSecret } from './secret-file.ts'
import { plainText } from './plain-text.ts'
import { allItems, explainNotFound, RefusalError } from './portal-calls.ts'
import { exitCodes, CliError } from './cli-error.ts'

const types = eventKinds.map(({ type }) => type)
const isEventType = (text: string): text is EventType => types.some((type) => type === text)

/** Runs a command for one webhook and reports if the portal does not know it. */
const forWebhook =
  (work: (context: CommandContext, webhook: string) => Promise<number>) => async (context: CommandContext) => {
    const [webhook = ''] = context.operands
    return work(context, webhook).catch(explainNotFound(`The portal knows no webhook ${webhook}.`))
  }

async function list(context: CommandContext) {
  const calls = context.portal()
  const all = allItems((after?: string) => calls.call(webhooks.listWebhooks, { query: { after } }))
  await printItems(context, all, ({ webhook, url, types: named, waiting, deadLetters, failure }) => [
    webhook,
    url,
    named?.join(',') ?? 'every event',
    `${waiting} waiting`,
    `${deadLetters} failed`,
    ...(failure ? [failure] : []),
  ])
  return exitCodes.done
}

const show = forWebhook(async ({ portal, printResult }, webhook) => {
  const state = await portal().call(webhooks.getWebhook, { params: { webhook } })
  printResult(plainText(state), state)
  return exitCodes.done
})

async function put(context: CommandContext) {
  const [webhook = ''] = context.operands
  const [url] = context.valuesOf('url')
  if (!url) throw new CliError('Give the address for events with --url.', exitCodes.misused)
  const given = context.valuesOf('type')
  const wrong = given.find((type) => !isEventType(type))
  if (wrong) throw new CliError(`There is no event ${wrong}. There are ${types.join(', ')}.`, exitCodes.misused)
  const body = { url, types: given.length ? given.filter(isEventType) : null }
  return withSecretFile(context, async (save) => {
    const { secret, ...state } = await context
      .portal()
      .call(webhooks.putWebhook, { params: { webhook }, body })
      .catch((error: unknown) => {
        throw error instanceof RefusalError && error.code === 'host-not-allowed'
          ? new CliError(`The portal does not accept ${url}. Its operator lists the allowed hosts in WEBHOOK_HOSTS.`)
          : error
      })
    if (secret) printSecret(context, webhook, { secret, state, save })
    else context.printResult(plainText(state), state)
    return exitCodes.done
  })
}

const drawSecret = forWebhook(async (context, webhook) => {
  const idempotencyKey = crypto.randomUUID()
  return withSecretFile(context, async (save) => {
    const { secret, earlierEndsAt } = await context
      .portal()
      .call(webhooks.drawWebhookSecret, { params: { webhook }, idempotencyKey })
    printSecret(context, webhook, { secret, state: { earlierEndsAt }, save })
    context.note(`The earlier secret also signs until ${earlierEndsAt}.\n`)
    return exitCodes.done
  })
})

/** Prints a secret, or saves it in a file. It is shown only once. */
function printSecret(
  context: CommandContext,
  webhook: string,
  { secret, state, save }: { secret: string; state: object; save: SaveSecret | undefined },
) {
  save?.(secret, `Create another one with sygnet webhooks secret ${webhook}.`)
  context.printResult(save ? '' : `${secret}\n`, { ...state, ...(save ? {} : { secret }) })
  context.note(`Events to ${webhook} are signed with this secret. It is not shown again.\n`)
}

const remove = forWebhook(async ({ portal, printResult }, webhook) => {
  await portal().call(webhooks.deleteWebhook, { params: { webhook } })
  printResult('1 webhook removed\n', { removed: 1 })
  return exitCodes.done
})

const listFailed = forWebhook(async (context, webhook) => {
  const calls = context.portal()
  const letters = allItems((after?: number) =>
    calls.call(webhooks.listDeadLetters, { params: { webhook }, query: { after: after?.toString() } }),
  )
  await printItems(context, letters, ({ event, tries, failure }) => [
    String(event.position),
    event.timestamp,
    event.type,
    `${tries} ${tries === 1 ? 'try' : 'tries'}`,
    failure,
  ])
  return exitCodes.done
})

const replay = forWebhook(async ({ portal, printResult }, webhook) => {
  const { replayed } = await portal().call(webhooks.replayDeadLetters, { params: { webhook } })
  printResult(`${replayed} ${replayed === 1 ? 'event' : 'events'} to be sent again\n`, { replayed })
  return exitCodes.done
})

const drop = forWebhook(async (context, webhook) => {
  const [through] = context.valuesOf('through')
  if (!through || !/^\d{1,15}$/.test(through))
    throw new CliError(
      'Give the last event to remove with --through, a position from sygnet webhooks given-up.',
      exitCodes.misused,
    )
  const { dropped } = await context.portal().call(webhooks.dropDeadLetters, { params: { webhook }, query: { through } })
  context.printResult(`${dropped} ${dropped === 1 ? 'event' : 'events'} dropped\n`, { dropped })
  return exitCodes.done
})

const operands = ['WEBHOOK'] as const

export const webhookCommands: readonly Command[] = [
  { name: 'webhooks list', summary: 'list the webhooks and how their deliveries go', needs: 'portal', run: list },
  { name: 'webhooks show', operands, summary: 'show a webhook, by your own id', needs: 'portal', run: show },
  {
    name: 'webhooks put',
    operands,
    summary: 'create or change a webhook; the secret of a new one is shown only once',
    details: `Without --type every event is sent. Kinds of events: ${types.join(', ')}.`,
    options: {
      url: { valueName: 'URL', summary: 'the address, on one of the hosts of WEBHOOK_HOSTS' },
      type: { valueName: 'TYPE', multiple: true, summary: 'only events of this kind; repeatable' },
      ...secretFileOption('secret'),
    },
    needs: 'portal',
    run: put,
  },
  {
    name: 'webhooks secret',
    operands,
    summary: 'create another secret; the earlier one also signs for a day',
    options: secretFileOption('secret'),
    needs: 'portal',
    run: drawSecret,
  },
  {
    name: 'webhooks remove',
    operands,
    summary: 'remove a webhook and its undelivered events',
    needs: 'portal',
    run: remove,
  },
  {
    name: 'webhooks given-up',
    operands,
    summary: 'list events that failed permanently after a day of tries, by position',
    needs: 'portal',
    run: listFailed,
  },
  {
    name: 'webhooks replay',
    operands,
    summary: 'send events that failed permanently again',
    needs: 'portal',
    run: replay,
  },
  {
    name: 'webhooks drop',
    operands,
    summary: 'remove events that failed permanently, up to a position',
    options: { through: { valueName: 'POSITION', summary: 'the last event to remove' } },
    needs: 'portal',
    run: drop,
  },
]
