import type { IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { callPath, type Endpoint, type Input, type Reply } from '../contract/endpoint.ts'
import { Problem } from '../contract/errors.ts'
import { requestBy } from '../server/platform/http-clients.ts'
import { unusableReasonOf, type Credentials, exitCodes, CliError } from './environment.ts'

/** The portal's API for the commands: each call returns the reply, or throws a `CliError` with the reason. */
export type PortalCalls = ReturnType<typeof portalCalls>

type CallBody = { body?: string | Buffer<ArrayBuffer>; idempotencyKey?: string }

/** Timeout that is longer than any call takes. */
const timeoutMs = 60_000
/** Seconds before each retry; a Retry-After of the portal takes precedence. */
const waits = [1, 2, 4]

export function portalCalls({ url, key }: Credentials) {
  async function callOnce(endpoint: Endpoint, path: string, { body, idempotencyKey }: CallBody) {
    const type = endpoint.upload ?? 'application/json'
    const options = {
      method: endpoint.method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      },
      signal: AbortSignal.timeout(timeoutMs),
    }
    try {
      // Node's own client follows no redirect, which would send the key to another host. `fetch` cannot be used: it repeats a call that
      // was answered with 421, and fails because the body is used up.
      const response = await new Promise<IncomingMessage>((resolve, reject) =>
        requestBy[url.startsWith('https:') ? 'https:' : 'http:'](url + path, options, resolve)
          .on('error', reject)
          .end(body),
      )
      return {
        status: response.statusCode ?? 0,
        wait: Number(response.headers['retry-after']),
        text: await readText(response),
      }
    } catch (error) {
      return { status: 0, wait: 0, text: unusableReasonOf(error) }
    }
  }

  async function send<E extends Endpoint>(
    endpoint: E,
    { params = {}, query = {} }: { params?: Record<string, string>; query?: Record<string, string | undefined> },
    sent: CallBody = {},
  ): Promise<Reply<E>> {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const search = new URLSearchParams(given).toString()
    const path = callPath(endpoint, params) + (search && `?${search}`)
    let answer = await callOnce(endpoint, path, sent)
    for (const wait of waits) {
      // Every call here is idempotent or has an idempotency key, so it may be repeated. Only uploads wait for a portal
      // that cannot be reached.
      const isTemporary = [429, 502, 503, 504].includes(answer.status) || (answer.status === 0 && endpoint.upload)
      if (!isTemporary) break
      await setTimeout(Math.min(answer.wait || wait, 30) * 1000)
      answer = await callOnce(endpoint, path, sent)
    }
    return read(answer, url) as Reply<E>
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

function read({ status, text }: { status: number; text: string }, url: string): unknown {
  if (status === 0) throw new CliError(`The portal at ${url} cannot be reached: ${text}.`, exitCodes.unreachable)
  if (status === 204) return undefined
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  if (status === 200 && json !== undefined) return json
  const problem = Problem.safeParse(json).data
  if (!problem)
    throw new CliError(
      `${url} answered (${status}), but it is not the portal. Check SYGNET_URL.`,
      exitCodes.unreachable,
    )
  throw refusal(problem)
}

/** The error of a call that the portal has refused. */
class RefusalError extends CliError {
  /** The portal's code for the refusal, by which a command can give a better message. */
  readonly code: string
  constructor(code: string, message: string, exitCode: number) {
    super(message, exitCode)
    this.code = code
  }
}

/** Replaces the portal's message for a code by one of the command; for use in `catch`. */
export const explain = (messages: Record<string, string>) => (error: unknown) => {
  const message = error instanceof RefusalError ? messages[error.code] : undefined
  throw message ? new CliError(message) : error
}

/** Names the object that the portal does not know; for use in `catch`. */
export const explainUnknown = (what: string, id: string) =>
  explain({ 'not-found': `The portal knows no ${what} ${id}.` })

function refusal(problem: Problem): RefusalError {
  const { code, title, status, fields = [], reason, incident } = problem
  const refused = (message: string, exitCode: number = exitCodes.refused) => new RefusalError(code, message, exitCode)
  if (code === 'client-key-refused')
    return refused('The portal refuses the key: it is unknown, was revoked, or has expired.')
  if (code === 'scope-missing') return refused(`The key may not do this: the scope ${reason} is missing.`)
  if (code === 'misdirected-request') return refused('SYGNET_URL is not the name of the portal.', exitCodes.misused)
  if (code === 'too-many-requests')
    return refused('The key has been used too often. Try again in a moment.', exitCodes.unreachable)
  if (status >= 500)
    return refused(
      `The portal cannot do this now (${code}${incident ? `, incident ${incident}` : ''}).`,
      exitCodes.unreachable,
    )
  const wrong = fields.map(({ name, problem: what }) => `${name} (${what})`).join(', ')
  return refused(`The portal refuses: ${title.toLowerCase()}${wrong ? `: ${wrong}` : ''}.`)
}
