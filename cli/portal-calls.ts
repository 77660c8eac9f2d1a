import { setTimeout } from 'node:timers/promises'
import type { Endpoint, Input, Reply } from '../contract/endpoint.ts'
import { Problem } from '../contract/errors.ts'
import { reasonOf, type Entrance } from './surroundings.ts'
import { exitCodes, Told } from './told.ts'

/** The portal's API as the command asks it: an answer, or a sentence that says why there is none. */
export type PortalCalls = ReturnType<typeof portalCalls>

type Sent = { body?: string | Buffer<ArrayBuffer>; idempotencyKey?: string }

/** Longer than the portal takes for anything. */
const patience = 60_000
/** Seconds before another try of a call that may be repeated; the portal's own word goes before. */
const waits = [1, 2, 4]

export function portalCalls({ url, key }: Entrance) {
  async function once(endpoint: Endpoint, path: string, { body, idempotencyKey }: Sent) {
    const type = endpoint.upload ?? 'application/json'
    let response: Response
    try {
      response = await fetch(url + path, {
        method: endpoint.method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'content-type': type }),
          ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
        },
        ...(body === undefined ? {} : { body }),
        // The key goes to the portal and nowhere else.
        redirect: 'error',
        signal: AbortSignal.timeout(patience),
      })
      return { status: response.status, wait: Number(response.headers.get('retry-after')), text: await response.text() }
    } catch (error) {
      const { cause } = error as { cause?: unknown }
      return { status: 0, wait: 0, text: reasonOf(cause ?? error) }
    }
  }

  async function send<E extends Endpoint>(
    endpoint: E,
    { params = {}, query = {} }: { params?: Record<string, string>; query?: Record<string, string> },
    sent: Sent = {},
  ): Promise<Reply<E>> {
    const search = new URLSearchParams(query).toString()
    const path =
      endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!)) +
      (search && `?${search}`)
    let answer = await once(endpoint, path, sent)
    for (const wait of waits) {
      // Every call here states or reads what is, or has a key of its own, so it may be repeated; a portal that is not there for reading is not waited for.
      const isPassing = [429, 502, 503, 504].includes(answer.status) || (answer.status === 0 && endpoint.upload)
      if (!isPassing) break
      await setTimeout(Math.min(answer.wait || wait, 30) * 1000)
      answer = await once(endpoint, path, sent)
    }
    return read(answer) as Reply<E>
  }

  function read({ status, text }: { status: number; text: string }): unknown {
    if (status === 0) throw new Told(`The portal at ${url} cannot be reached: ${text}.`, exitCodes.unreachable)
    if (status === 204) return undefined
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      json = undefined
    }
    if (status === 200 && json !== undefined) return json
    const problem = Problem.safeParse(json).data
    if (!problem) throw new Told(`${url} answers (${status}), but not as the portal does. Is SYGNET_URL right?`, 3)
    throw refusal(problem)
  }

  return {
    url,
    call<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Reply<E>> {
      const { body, idempotencyKey, ...rest } = input as { body?: unknown; idempotencyKey?: string }
      return send(endpoint, rest, {
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      })
    },
    upload: <E extends Endpoint & { upload: string }>(endpoint: E, file: Buffer<ArrayBuffer>): Promise<Reply<E>> =>
      send(endpoint, {}, { body: file }),
  }
}

/** What the portal has refused, for a person; `code` lets a command say it better. */
export class Refusal extends Told {
  readonly code: string
  constructor(code: string, sentence: string, exitCode: number) {
    super(sentence, exitCode)
    this.code = code
  }
}

function refusal(problem: Problem): Refusal {
  const { code, title, status, fields = [], reason, incident } = problem
  const of = (sentence: string, exitCode: number = exitCodes.refused) => new Refusal(code, sentence, exitCode)
  if (code === 'client-key-refused') return of('The portal refuses the key: it is unknown, was revoked, or has ended.')
  if (code === 'scope-missing') return of(`The key may not do this: its scope ${reason} is missing.`)
  if (code === 'misdirected-request') return of('The portal has another name than SYGNET_URL says.', exitCodes.misused)
  if (code === 'too-many-requests')
    return of('The key has been used too often. Try again in a moment.', exitCodes.unreachable)
  if (status >= 500)
    return of(
      `The portal cannot do this now (${code}${incident ? `, incident ${incident}` : ''}).`,
      exitCodes.unreachable,
    )
  const wrong = fields.map(({ name, problem: what }) => `${name} (${what})`).join(', ')
  return of(`The portal refuses: ${title.toLowerCase()}${wrong ? `: ${wrong}` : ''}.`)
}
