import { LogController, type FastifyReply, type FastifyRequest, type FastifyServerOptions } from 'fastify'
import { errorStatus } from '../../../contract/errors.ts'
import type { Alarm } from '../ports.ts'

/** A failed try to deliver a message, without its recipient (R86). */
export type LoggedTry = {
  id: string
  channel: string
  tries: number
  isPermanent: boolean
  /** The number of further tries with this cause since its last line. */
  skipped: number
}

/** The fields of a log line in addition to level, time and the request's id. `npm run check` refuses unknown ones (R86). */
export const logFields: readonly string[] = [
  'req',
  'res',
  'err',
  'responseTime',
  'alarm',
  'delivery',
  'trace',
  'check',
  'problem',
  'skipped',
  'work',
  'service',
  'repeats',
  'version',
]

/** The messages of the log, which are constants. Fastify's messages that contain a path or an error's text are logged as `other`. */
export const logMessages: readonly string[] = [
  ...Object.keys(errorStatus),
  'a first read of a page failed',
  'a message could not be delivered',
  'a page could not be rendered',
  'alarm',
  'an X-Forwarded-For is ignored',
  'a trusted list cannot be used',
  'background work failed',
  'credentials of the signing service are not supported',
  'the checks of the start are done',
  'the portal has started',
  'the service that activates signing apps cannot be used',
  'the signing service answers again',
  'the signing service cannot be used',
  'the start found a problem',
  'the web part is not built',
  'request aborted',
  'request completed',
  'request errored',
  'server listening',
]

/** The lines of requests: one for each, at its end, with its method and route. */
export class RequestLines extends LogController {
  override incomingRequest() {}

  override requestCompleted(error: Error | null, request: FastifyRequest, reply: FastifyReply) {
    const responseTime = reply.elapsedTime
    if (error) reply.log.error({ req: request, res: reply, err: error, responseTime }, 'request errored')
    else reply.log.info({ req: request, res: reply, responseTime }, 'request completed')
  }

  override streamError(error: Error & { code?: string }, request: FastifyRequest, reply: FastifyReply) {
    // A client that leaves has a line of its own.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') reply.log.warn({ req: request, err: error }, 'request errored')
  }
}

/**
 * Structured logs by an allow-list, one JSON line per event (R76, R86). An event names the route's pattern, never the path, so no
 * id, token or personal data gets into a log (R3). Errors keep their type, code and stack; their messages are dropped, because
 * those of the database may quote data.
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
    delivery: ({ id, channel, tries, isPermanent, skipped }: LoggedTry) => ({
      id,
      channel,
      tries,
      isPermanent,
      skipped,
    }),
    check: printable,
    // What a service says about itself, or is said about it, which is about nobody.
    problem: printable,
    skipped: (reasons: Record<string, number>) =>
      Object.fromEntries(Object.entries(reasons).map(([reason, count]) => [printable(reason), count])),
    res: (reply) => ({ status: reply.statusCode }),
    err: (error: Error & { code?: unknown }) => ({
      type: safeWord(error.name) ?? 'Error',
      message: '',
      code: safeWord(error.code),
      stack: (error.stack ?? '')
        .split('\n')
        .filter((line) => /^ {4}at [\x20-\x7e]+$/.test(line))
        .join('\n'),
    }),
  },
}

function printable(text: string) {
  return text.replace(/[^\x20-\x7e’]/g, '?').slice(0, 300)
}

/** Returns the name or code of an error if it is a single word; other values are not logged. */
const safeWord = (value: unknown) => (typeof value === 'string' && /^[\w-]{1,40}$/.test(value) ? value : undefined)
