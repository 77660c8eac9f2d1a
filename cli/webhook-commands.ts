import type { EventType, ProviderEvent } from '../contract/events.ts'
import { eventKinds } from '../contract/events.ts'
import {
  deleteWebhook,
  drawWebhookSecret,
  dropDeadLetters,
  getWebhook,
  listDeadLetters,
  listWebhooks,
  putWebhook,
  replayDeadLetters,
  type WebhookState,
} from '../contract/webhooks.ts'
import type { Asked, Command } from './command.ts'
import { toFile, writeSecret } from './hand-over.ts'
import { plainLines } from './plain-lines.ts'
import { Refusal, type PortalCalls } from './portal-calls.ts'
import { exitCodes, Told } from './told.ts'

const types = eventKinds.map(({ type }) => type)

/** Runs for one webhook, whose absence is told in a sentence. */
const ofWebhook = (work: (asked: Asked, webhook: string) => Promise<number>) => async (asked: Asked) => {
  const webhook = asked.operands[0]!
  try {
    return await work(asked, webhook)
  } catch (error) {
    throw error instanceof Refusal && error.code === 'not-found'
      ? new Told(`The portal knows no webhook ${webhook}.`)
      : error
  }
}

async function* allWebhooks(calls: PortalCalls): AsyncGenerator<WebhookState> {
  for (let after: string | null | undefined; after !== null;) {
    const page: { items: WebhookState[]; next: string | null } = await calls.call(listWebhooks, {
      query: after ? { after } : {},
    })
    yield* page.items
    after = page.next
  }
}

async function list({ portal, has, print }: Asked) {
  for await (const one of allWebhooks(portal()))
    print(
      has('json')
        ? `${JSON.stringify(one)}\n`
        : `${one.webhook}  ${one.url}  ${one.types?.join(',') ?? 'every event'}  ${one.waiting} waiting  ${one.deadLetters} given up${one.failure ? `  ${one.failure}` : ''}\n`,
    )
  return exitCodes.done
}

const show = ofWebhook(async ({ portal, say }, webhook) => {
  const state = await portal().call(getWebhook, { params: { webhook } })
  say(plainLines(state), state)
  return exitCodes.done
})

async function put(asked: Asked) {
  const webhook = asked.operands[0]!
  const [url] = asked.values('url')
  if (!url) throw new Told('Say where events are to go with --url.', exitCodes.misused)
  const given = asked.values('type')
  const wrong = given.find((type) => !types.includes(type as EventType))
  if (wrong) throw new Told(`There is no event ${wrong}. There are ${types.join(', ')}.`, exitCodes.misused)
  const body = { url, types: given.length ? (given as EventType[]) : null }
  const { secret, ...state } = await asked
    .portal()
    .call(putWebhook, { params: { webhook }, body })
    .catch((error: unknown) => {
      throw error instanceof Refusal && /\burl \(/.test(error.message)
        ? new Told(`The portal does not take ${url}. Its operator names the hosts that there are in WEBHOOK_HOSTS.`)
        : error
    })
  if (secret) tellSecret(asked, webhook, secret, state)
  else asked.say(plainLines(state), state)
  return exitCodes.done
}

const redraw = ofWebhook(async (asked, webhook) => {
  const idempotencyKey = crypto.randomUUID()
  const { secret, earlierEndsAt } = await asked
    .portal()
    .call(drawWebhookSecret, { params: { webhook }, idempotencyKey })
  tellSecret(asked, webhook, secret, { earlierEndsAt })
  asked.note(`The one before it signs as well until ${earlierEndsAt}.\n`)
  return exitCodes.done
})

/** Told once: to the screen, or to a file. */
function tellSecret(asked: Asked, webhook: string, secret: string, state: object) {
  const [file] = asked.values('to')
  if (file) writeSecret(file, secret, `Draw another one with sygnet webhooks secret ${webhook}.`)
  asked.say(file ? '' : `${secret}\n`, { ...state, ...(file ? {} : { secret }) })
  asked.note(`Events to ${webhook} are signed by this secret. It is not shown again.\n`)
}

const remove = ofWebhook(async ({ portal, say }, webhook) => {
  await portal().call(deleteWebhook, { params: { webhook } })
  say('1 webhook removed\n', { removed: 1 })
  return exitCodes.done
})

type DeadLetter = { event: ProviderEvent; tries: number; failure: string }

async function* allDeadLetters(calls: PortalCalls, webhook: string): AsyncGenerator<DeadLetter> {
  for (let after: number | null | undefined; after !== null;) {
    const page: { items: DeadLetter[]; next: number | null } = await calls.call(listDeadLetters, {
      params: { webhook },
      query: after ? { after: String(after) } : {},
    })
    yield* page.items
    after = page.next
  }
}

const listGivenUp = ofWebhook(async ({ portal, has, print }, webhook) => {
  for await (const letter of allDeadLetters(portal(), webhook)) {
    const { event, tries, failure } = letter
    print(
      has('json')
        ? `${JSON.stringify(letter)}\n`
        : `${event.position}  ${event.timestamp}  ${event.type}  ${tries} ${tries === 1 ? 'try' : 'tries'}  ${failure}\n`,
    )
  }
  return exitCodes.done
})

const replay = ofWebhook(async ({ portal, say }, webhook) => {
  const { replayed } = await portal().call(replayDeadLetters, { params: { webhook } })
  say(`${replayed} ${replayed === 1 ? 'event' : 'events'} to be sent again\n`, { replayed })
  return exitCodes.done
})

const drop = ofWebhook(async (asked, webhook) => {
  const [through] = asked.values('through')
  if (!through || !/^\d{1,15}$/.test(through))
    throw new Told('Say up to which event with --through: a position that given-up lists.', exitCodes.misused)
  const { dropped } = await asked.portal().call(dropDeadLetters, { params: { webhook }, query: { through } })
  asked.say(`${dropped} ${dropped === 1 ? 'event' : 'events'} dropped\n`, { dropped })
  return exitCodes.done
})

const operands = ['WEBHOOK'] as const

export const webhookCommands: readonly Command[] = [
  { words: 'webhooks list', says: 'where events are sent to, and how that goes', needs: 'portal', run: list },
  { words: 'webhooks show', operands, says: 'one webhook, by your own id', needs: 'portal', run: show },
  {
    words: 'webhooks put',
    operands,
    says: 'state where events are sent to from now on; a new webhook tells its secret, once',
    more: `Without --type every event is sent. Kinds of events: ${types.join(', ')}.`,
    options: {
      url: { takes: 'URL', says: 'where to, on one of the hosts of WEBHOOK_HOSTS' },
      type: { takes: 'TYPE', multiple: true, says: 'only events of this kind; can be said several times' },
      ...toFile('secret'),
    },
    needs: 'portal',
    run: put,
  },
  {
    words: 'webhooks secret',
    operands,
    says: 'draw another secret; for a day the one before it signs as well',
    options: toFile('secret'),
    needs: 'portal',
    run: redraw,
  },
  {
    words: 'webhooks remove',
    operands,
    says: 'end a webhook, with what it has not delivered',
    needs: 'portal',
    run: remove,
  },
  {
    words: 'webhooks given-up',
    operands,
    says: 'events that were not taken in a day of tries, by their position',
    needs: 'portal',
    run: listGivenUp,
  },
  { words: 'webhooks replay', operands, says: 'try all of these again', needs: 'portal', run: replay },
  {
    words: 'webhooks drop',
    operands,
    says: 'remove these for good, up to one that you have seen',
    options: { through: { takes: 'POSITION', says: 'the last one to be removed' } },
    needs: 'portal',
    run: drop,
  },
]
