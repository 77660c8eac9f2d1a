import type { FastifyInstance } from 'fastify'
import { limits } from '../../../contract/limits.ts'
import { cspReported } from '../observability/events.ts'
import { reportsPath } from './security-headers.ts'

/** Directives that are counted by name; anybody can send a report, so all others are `other`. */
export const reportedDirectives = [
  'default-src',
  'script-src',
  'script-src-elem',
  'script-src-attr',
  'style-src',
  'style-src-elem',
  'style-src-attr',
  'img-src',
  'font-src',
  'connect-src',
  'frame-src',
  'worker-src',
  'manifest-src',
  'form-action',
  'base-uri',
  'object-src',
  'frame-ancestors',
  'require-trusted-types-for',
  'trusted-types',
  'other',
] as const
type Directive = (typeof reportedDirectives)[number]

const { perSecond, bytes, violations } = limits.cspReports

/**
 * Counts browsers' reports of our policies (R126) by directive alone: a report contains addresses, which must not be in logs or
 * metrics (R86). It is open to anyone, so its size and rate are bounded and it uses no database.
 */
export function serveCspReports(app: FastifyInstance): void {
  const isCounted = openCountLimit()
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ['application/csp-report', 'application/reports+json'],
      { parseAs: 'string', bodyLimit: bytes },
      (_request, body, done) => done(null, body),
    )
    scope.post<{ Body: string }>(reportsPath, { config: { reports: true } }, async (request, reply) => {
      for (const directive of directivesIn(request.body)) if (isCounted()) cspReported.publish({ directive })
      return reply.code(204).send()
    })
  })
}

/** Creates a limit per node and second, in memory because it must be cheap; further reports are not counted. */
function openCountLimit() {
  let [second, taken] = [0, 0]
  return () => {
    const now = Math.floor(performance.now() / 1000)
    if (now !== second) [second, taken] = [now, 0]
    return taken++ < perSecond
  }
}

/** Reads both forms: a single report of `report-uri`, and the list of the Reporting API. */
function directivesIn(text: string): Directive[] {
  const parsed = parse(text)
  const list = Array.isArray(parsed) ? parsed.slice(0, violations) : [parsed]
  return list.map((report) => {
    const { body, 'csp-report': old } = fieldsOf(report)
    const { effectiveDirective } = fieldsOf(body)
    const { 'effective-directive': effective, 'violated-directive': violated } = fieldsOf(old)
    const named = effectiveDirective ?? effective ?? violated
    return reportedDirectives.find((directive) => directive === named) ?? 'other'
  })
}

const fieldsOf = (value: unknown): { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null ? { ...value } : {}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
