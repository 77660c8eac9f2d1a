import type { FastifyServerOptions } from 'fastify'
import type { Alarm } from './ports/ports.ts'

/**
 * Structured logs by an allow-list: an event names the route's pattern, never the path, so no id, token or person
 * gets into a log (R3, R86). Errors keep their kind, code and our own stack; messages of the database may quote data.
 */
export const logger: FastifyServerOptions['logger'] = {
  level: 'warn',
  base: null,
  serializers: {
    req: (request) => ({ method: request.method, route: request.routeOptions?.url }),
    alarm: ({ name, about }: Alarm) => ({ name, about }),
    res: (reply) => ({ status: reply.statusCode }),
    err: (error: Error & { code?: string }) => ({
      type: error.name,
      message: '',
      code: error.code,
      stack: (error.stack ?? '').split('\n').slice(1).join('\n'),
    }),
  },
}
