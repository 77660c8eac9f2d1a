import type { Endpoint, Input } from '../../contract/endpoint.ts'
import type { Problem } from '../../contract/errors.ts'
import { requestOf } from './browser.ts'
import type { TestPortal } from './portal-nodes.ts'
import { openWire, readAnswers } from './raw-http.ts'

export type PreparedCall = {
  method: string
  path: string
  body: unknown
  cookie?: string | undefined
  address?: string
  node?: number
  /** The Idempotency-Key. */
  key?: string | undefined
}

export type Hit = { status: number; body: unknown; problem: Problem; headers: Record<string, string> }

/** Prepares a call of an endpoint, to be sent together with others. */
export function preparedCall<E extends Endpoint>(
  endpoint: E,
  input: Omit<Input<E>, 'idempotencyKey'>,
  rest: Pick<PreparedCall, 'cookie' | 'address' | 'node'> = {},
): PreparedCall {
  const { path, body = {} } = requestOf(endpoint, input)
  const key = endpoint.idempotent && crypto.randomUUID()
  return { method: endpoint.method, path, body, ...(key && { key }), ...rest }
}

/**
 * Sends requests that reach the nodes at the same moment, distributed over all nodes: each has its own connection and is sent
 * except for its last byte; then all last bytes follow. `during` may break connections: a missing answer has status 0.
 */
export async function sendTogether(portal: TestPortal, shots: PreparedCall[], during?: () => unknown): Promise<Hit[]> {
  const loaded = await Promise.all(
    shots.map(async ({ method, path, body, cookie, address = '198.51.100.7', node, key }, i) => {
      const { origin } = portal.nodes[node ?? i % portal.nodes.length]!
      const wire = openWire(origin)
      const json = JSON.stringify(body)
      const head = [
        `${method} ${path} HTTP/1.1`,
        `host: ${wire.host}`,
        `origin: ${origin}`,
        `x-forwarded-for: ${address}`,
        'content-type: application/json',
        `content-length: ${Buffer.byteLength(json)}`,
        ...(cookie ? [`cookie: ${cookie}`] : []),
        ...(key ? [`idempotency-key: ${key}`] : []),
        'connection: close',
      ]
      const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n${json}`)
      await wire.write(bytes.subarray(0, -1))
      return { wire, last: bytes.subarray(-1) }
    }),
  )
  for (const { wire, last } of loaded) wire.socket.write(last)
  await during?.()
  return Promise.all(
    loaded.map(async ({ wire }) => {
      const [answer] = readAnswers(await wire.untilClosed())
      if (!answer && !during) throw new Error('closed without an answer')
      if (!answer) return { status: 0, body: undefined, problem: {} as Problem, headers: {} }
      // The wire is read as latin1; the body is UTF-8.
      const text = Buffer.from(answer.body, 'latin1').toString('utf8')
      const parsed: unknown = text ? JSON.parse(text) : undefined
      return { status: answer.status, body: parsed, problem: parsed as Problem, headers: answer.headers }
    }),
  )
}

/** Sends one request so many times at the same moment. */
export const fireTimes = (portal: TestPortal, count: number, shot: (i: number) => PreparedCall): Promise<Hit[]> =>
  sendTogether(
    portal,
    Array.from({ length: count }, (_, i) => shot(i)),
  )

/** Counts the responses by error code, or by status where they have none. */
export function outcomesOf(answers: readonly { status: number; problem: Problem | undefined }[]) {
  const counts: Record<string, number> = {}
  for (const { status, problem } of answers) {
    const outcome = problem?.code ?? status
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}
