import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { scopeOf } from '../../../contract/provider/client-keys.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { pathParams } from '../../../contract/path-params.ts'
import { errorStatus, Problem } from '../../../contract/errors.ts'
import { eventKinds } from '../../../contract/provider/events.ts'
import { printOpenApi } from '../../../contract/meta.ts'
import { serve } from './http.ts'
import type { Portal } from '../portal.ts'

/** Prints the served contract as OpenAPI 3.1 (OPS-4). The document is made once, at the first request. */
export function serveOpenApi(app: FastifyInstance, portal: Portal): void {
  let document: ReturnType<typeof openApi> | undefined
  serve(app, portal, printOpenApi, async () => (document ??= openApi(app.endpoints)))
}

const json = (schema: z.core.$ZodType, io: 'input' | 'output') => {
  // The dialect is OpenAPI 3.1's own; transforms and refinements have no JSON Schema form and are left open.
  const { $schema: _, ...printed } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return printed
}

export function openApi(endpoints: readonly Endpoint[]) {
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sygnet',
      version: '1',
      description: 'The portal’s own API (/api) and the provider’s (/provider/v1).',
    },
    paths,
    webhooks: Object.fromEntries(eventKinds.map((kind) => [kind.type, { post: webhookOperation(kind) }])),
    components: {
      schemas: { Problem: json(Problem, 'output') },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: '__Host-sygnet' },
        clientKey: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

/** An event as it comes to a webhook (Standard Webhooks 1.0). */
const webhookOperation = ({ type, summary, schema }: (typeof eventKinds)[number]) => ({
  operationId: `on ${type}`.replace(/[^A-Za-z]([A-Za-z])/g, (_, letter: string) => letter.toUpperCase()),
  summary,
  security: [],
  parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
    name,
    in: 'header',
    required: true,
    schema: { type: 'string' },
  })),
  requestBody: { required: true, content: { 'application/json': { schema: json(schema, 'output') } } },
  responses: {
    '2XX': { description: 'The event was accepted' },
    default: { description: 'It was not, a redirect included; it is sent again later' },
  },
})

function operation(endpoint: Endpoint): object {
  const { method, path, summary, access, query, body, upload, reply, download } = endpoint
  const scope = scopeOf(endpoint)
  // OpenAPI 3.1.1 §4.8.30: for schemes other than OAuth, the list names the roles that the caller needs.
  const security =
    access === 'open' ? [] : [access === 'provider' ? { clientKey: scope ? [scope] : [] } : { session: [] }]
  const content = upload
    ? { [upload]: { schema: { type: 'string', contentEncoding: 'binary' } } }
    : body && { 'application/json': { schema: json(body, 'input') } }
  return {
    operationId: [method.toLowerCase(), ...path.split(/[^A-Za-z0-9]/).filter(Boolean)]
      .map((word, i) => (i ? word.charAt(0).toUpperCase() + word.slice(1) : word))
      .join(''),
    summary,
    security,
    ...(endpoint.stepUp ? { 'x-step-up': endpoint.stepUp } : {}),
    parameters: [
      ...listed('path', pathParams(endpoint)),
      ...listed('query', query),
      ...(endpoint.idempotent
        ? [
            {
              name: 'Idempotency-Key',
              in: 'header',
              required: true,
              schema: { type: 'string', pattern: '^[\\w-]{16,64}$' },
            },
          ]
        : []),
    ],
    ...(content ? { requestBody: { required: true, content } } : {}),
    responses: { ...good(reply, download), ...failures(endpoint) },
  }
}

function listed(where: 'path' | 'query', schema: z.ZodMiniObject | undefined) {
  const optional = (part: z.core.$ZodType) => where === 'query' && z.safeParse(part, undefined).success
  return Object.entries(schema?.shape ?? {}).map(([name, part]) => ({
    name,
    in: where,
    required: !optional(part),
    schema: json(part, 'input'),
  }))
}

function good(reply: z.ZodMiniType | undefined, download: readonly string[] | undefined) {
  if (download)
    return {
      200: {
        description: 'The file',
        content: Object.fromEntries(
          download.map((type) => [type, { schema: { type: 'string', contentEncoding: 'binary' } }]),
        ),
      },
    }
  return reply
    ? { 200: { description: 'Done', content: { 'application/json': { schema: json(reply, 'output') } } } }
    : { 204: { description: 'Done' } }
}

/** The statuses an endpoint can fail with, each with its codes. */
function failures(endpoint: Endpoint) {
  const { errors = [], access, stepUp, idempotent, query, body } = endpoint
  const own = {
    open: [],
    pending: ['signed-out'],
    customer: ['signed-out'],
    provider: ['client-key-refused', 'scope-missing'],
  } as const
  const all = [
    ...errors,
    'too-many-requests' as const,
    ...own[access],
    ...(stepUp ? (['step-up-required'] as const) : []),
    ...(idempotent ? (['idempotency-key-missing', 'idempotency-key-reused'] as const) : []),
    ...(pathParams(endpoint) || query || body ? (['invalid-input'] as const) : []),
  ]
  const byStatus = Map.groupBy(new Set(all), (code) => errorStatus[code])
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.join(', '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}
