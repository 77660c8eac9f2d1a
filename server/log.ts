import type { FastifyServerOptions } from 'fastify'
import { errorStatus } from '../contract/errors.ts'
import type { Alarm } from './ports/ports.ts'

/** What a line of the log may say beside level, time and the request's own id. An unknown field fails `npm run check` (R86). */
export const logFields: readonly string[] = ['req', 'res', 'err', 'responseTime', 'alarm', 'trace']

/** Texts are constants: what Fastify would put a path or an error's words into is told as `other`. */
export const logMessages: readonly string[] = [
  ...Object.keys(errorStatus),
  'alarm',
  'background work failed',
  'the database login of requests can leave its role: give DATABASE_OWNER_URL a login of its own, see docs/guides/operate.md',
  'the web part is not built',
  'incoming request',
  'request completed',
  'request errored',
  'stream closed prematurely',
]

/**
 * Structured logs by an allow-list, one JSON line an event (R76, R86): an event names the route's pattern, never the path,
 * so no id, token or person gets into a log (R3). Errors keep their kind, code and where they arose; messages, the
 * database's above all, may quote data.
 */
export const logger: Exclude<FastifyServerOptions['logger'], boolean | undefined> = {
  level: 'warn',
  base: null,
  hooks: {
    logMethod([first, second]: readonly unknown[], write) {
      const given = first instanceof Error ? { err: first } : typeof first === 'object' && first ? first : {}
      const known = Object.entries(given).filter(([name]) => logFields.includes(name))
      const message = String(typeof first === 'string' ? first : second)
      write.call(this, Object.fromEntries(known), logMessages.includes(message) ? message : 'other')
    },
  },
  serializers: {
    req: (request) => ({ method: request.method, route: request.routeOptions?.url }),
    alarm: ({ name, about }: Alarm) => ({ name, about }),
    res: (reply) => ({ status: reply.statusCode }),
    err: (error: Error & { code?: unknown }) => ({
      type: wordOf(error.name) ?? 'Error',
      message: '',
      code: wordOf(error.code),
      stack: (error.stack ?? '')
        .split('\n')
        .filter((line) => /^ {4}at [\x20-\x7e]+$/.test(line))
        .join('\n'),
    }),
  },
}

/** Names and codes are words; whatever else stands in their place is not told. */
const wordOf = (value: unknown) => (typeof value === 'string' && /^[\w-]{1,40}$/.test(value) ? value : undefined)
