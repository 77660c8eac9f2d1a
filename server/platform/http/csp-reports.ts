import type { FastifyInstance } from 'fastify'
import { limits } from '../contract/limits.ts'
import { cspReported } from './observed.ts'
import { reportsPath } from './security-headers.ts'

/** What a report may be counted as; anybody can send one, so all else is `other`. */
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

const { perSecond, bytes, each } = limits.cspReports

/**
 * Counts what browsers report of our policies (R126), by directive and nothing else: a report names addresses, which no log or
 * figure of ours has (R86). Open to anyone and of no use to anyone: bounded, at a pace, without a statement.
 */
export function serveCspReports(app: FastifyInstance): void {
  const takes = openPace()
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ['application/csp-report', 'application/reports+json'],
      { parseAs: 'string', bodyLimit: bytes },
      (_request, body, done) => done(null, body),
    )
    scope.post(reportsPath, { config: { reports: true } }, async (request, reply) => {
      for (const directive of directivesIn(request.body as string)) if (takes()) cspReported.tell({ directive })
      return reply.code(204).send()
    })
  })
}

/** Of a node, since it must cost nothing: what is above it is not counted. */
function openPace() {
  let [second, taken] = [0, 0]
  return () => {
    const now = Math.floor(performance.now() / 1000)
    if (now !== second) [second, taken] = [now, 0]
    return taken++ < perSecond
  }
}

/** Both forms: one report of `report-uri`, and the list of the Reporting API. */
function directivesIn(text: string): Directive[] {
  const parsed = parse(text)
  const list = Array.isArray(parsed) ? parsed.slice(0, each) : [parsed]
  return list.map((report) => {
    const { body, 'csp-report': old } = fieldsOf(report)
    const { effectiveDirective } = fieldsOf(body)
    const { 'effective-directive': effective, 'violated-directive': violated } = fieldsOf(old)
    const named = effectiveDirective ?? effective ?? violated
    return reportedDirectives.find((one) => one === named) ?? 'other'
  })
}

const fieldsOf = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
