import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { browserTags, providerTags, findTag, type Tag } from '../../../contract/api-tags.ts'
import { texts } from '../../../contract/documented.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { errorStatus, Problem, type ErrorCode } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { printBrowserApi, printProviderApi } from '../../../contract/openapi.ts'
import { pathParams } from '../../../contract/path-params.ts'
import { findScope } from '../../../contract/provider/client-keys.ts'
import { eventKinds } from '../../../contract/provider/events.ts'
import { sessionCookie } from '../authentication/session.ts'
import { serve } from '../http/http.ts'
import { version } from '../observability/version.ts'
import type { Portal } from '../portal.ts'
import type { Settings } from '../settings.ts'
import { codesOf, etagHeader, headerComponents, problemResponse, rateHeaders } from './openapi-answers.ts'
import { createExample, examplesOfCalls } from './openapi-examples.ts'

/** Prints the served contract as OpenAPI 3.1 (API-1). Each document is made once, at the first request. */
export function serveOpenApi(app: FastifyInstance, portal: Portal): void {
  for (const [endpoint, print] of [
    [printProviderApi, providerApi],
    [printBrowserApi, browserApi],
  ] as const) {
    let printed: ReturnType<typeof print> | undefined
    serve(app, portal, endpoint, async () => (printed ??= print(app.endpoints, portal.settings)))
  }
}

const isProvider = ({ access }: Endpoint) => access === 'provider'

export type OpenApi = ReturnType<typeof providerApi>

/** Describes the API by which the provider's systems reach the portal, with the events that the portal sends. */
export function providerApi(endpoints: readonly Endpoint[], settings: AboutPortal) {
  const shared: Shared = { schemas: {}, responses: {} }
  const webhooks = Object.fromEntries(eventKinds.map((kind) => [kind.type, { post: webhookOperation(kind, shared) }]))
  const about = {
    title: `${settings.brand.product}: provider API`,
    description: providerIntroduction,
    tags: providerTags,
  }
  return { ...document(endpoints.filter(isProvider), settings, about, shared), webhooks }
}

export function browserApi(endpoints: readonly Endpoint[], settings: AboutPortal) {
  return document(
    endpoints.filter((endpoint) => !isProvider(endpoint)),
    settings,
    {
      title: `${settings.brand.product}: calls of the portal’s pages`,
      description:
        'What the pages of the portal call, for reviews and tests. It changes with every version of the portal: systems of the provider use the provider API.',
      tags: browserTags,
    },
    { schemas: {}, responses: {} },
  )
}

const providerIntroduction = `Objects have your own ids. A \`PUT\` states the whole object, so it can be repeated until it is answered. The few calls that must not happen twice take an \`Idempotency-Key\`.

A failure is problem details (RFC 9457) with a stable \`code\`. Of 429, 503 and calls without an answer, repeat the same call after \`Retry-After\`, or with growing pauses.

Lists have pages: pass \`next\` of an answer as \`cursor\` of the next call until it is null. Instants are in UTC with milliseconds. Unknown fields are refused.`

const aboutClientKeys = `Every call has the header \`Authorization: Bearer KEY\`. The client key is \`sygnet_\` and 43 characters; the operator of the portal creates it by \`sygnet client-key create\`. Without a valid key the answer is 401.

A key has scopes, and each call names the one that it needs; without it the answer is 403. Whoever has the key has its rights: keep it secret, and call this address by HTTPS only. Events that the portal sends have a signature instead.`

type AboutPortal = Pick<Settings, 'publicUrl'> & { brand: Pick<Settings['brand'], 'product' | 'company' | 'email'> }
type About = { title: string; description: string; tags: readonly Tag[] }

/** The components that the operations of a document share: schemas with a name, and responses for the same failures. */
type Shared = { schemas: Record<string, object>; responses: Record<string, object> }

function document(
  endpoints: readonly Endpoint[],
  { publicUrl, brand }: AboutPortal,
  { tags, ...about }: About,
  shared: Shared,
) {
  json(Problem, 'output', shared)
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, tags, shared) }
  }
  return {
    openapi: '3.1.0',
    info: {
      ...about,
      version,
      contact: { name: brand.company, email: brand.email },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl, description: 'This portal' }],
    tags: tags.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      ...shared,
      headers: headerComponents,
      securitySchemes: endpoints.some(isProvider)
        ? { clientKey: { type: 'http', scheme: 'bearer', description: aboutClientKeys } }
        : { session: { type: 'apiKey', in: 'cookie', name: sessionCookie, description: 'A customer’s session.' } },
    },
  }
}

/** Converts a schema to JSON Schema. Schemas with a name become components of the document, which are the same wherever they are used. */
function json(schema: z.core.$ZodType, io: 'input' | 'output', { schemas }: Shared) {
  // The dialect is OpenAPI 3.1's own; transforms and refinements have no JSON Schema form and are left open.
  const printed = z.toJSONSchema(schema, { io, metadata: texts, unrepresentable: 'any', override: simplify })
  const {
    $schema: _,
    $defs = {},
    ...used
  } = JSON.parse(JSON.stringify(printed).replaceAll('"#/$defs/', '"#/components/schemas/')) as {
    $schema?: string
    $defs?: Record<string, object>
  }
  for (const [name, part] of Object.entries($defs))
    if (!isDeepStrictEqual((schemas[name] ??= part), part)) throw new Error(`Different schemas are called ${name}.`)
  return used
}

function simplify({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) {
  // Many tools read patterns without Unicode properties, which JSON Schema has.
  if (jsonSchema.pattern?.includes(String.raw`\p{`)) delete jsonSchema.pattern
  // The bounds of every whole number in JavaScript say nothing of this one.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

const media = (schema: z.core.$ZodType, io: 'input' | 'output', shared: Shared, given?: unknown) => {
  return { 'application/json': { schema: json(schema, io, shared), example: given ?? createExample(schema) } }
}

const binary = (type: string) => [type, { schema: { type: 'string', contentMediaType: type } }] as const

/** Describes NDJSON content: in each line an object of this schema. */
const lines = (line: z.core.$ZodType, io: 'input' | 'output', shared: Shared) => {
  const contentMediaType = 'application/x-ndjson'
  const schema = { type: 'string', contentMediaType, contentSchema: json(line, io, shared) }
  return { [contentMediaType]: { schema, example: `${JSON.stringify(createExample(line))}\n` } }
}

const idOf = (...words: string[]) =>
  words
    .flatMap((word) => word.split(/[^A-Za-z0-9]/))
    .filter(Boolean)
    .map((word, i) => (i ? word.charAt(0).toUpperCase() + word.slice(1) : word.toLowerCase()))
    .join('')

const webhookHeaders = [
  ['webhook-id', 'The `id` of the event.', '7c0e3b0a-9d1f-4b7e-8f53-0f6a1c1f7a11'],
  ['webhook-timestamp', 'When it was sent, in seconds since 1970.', '1795262400'],
  [
    'webhook-signature',
    'The signatures by the secrets that are valid now, separated by spaces: `v1,` and base64 of HMAC-SHA-256 over `id.timestamp.body`.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
].map(([name, description, example]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
}))

/** Describes an event as a webhook receives it (Standard Webhooks 1.0). */
const webhookOperation = ({ type, summary, schema }: (typeof eventKinds)[number], shared: Shared) => ({
  operationId: idOf('on', type),
  summary,
  description: `Answer 2xx within ${limits.webhooks.callTimeout} seconds, after you have verified the signature (Standard Webhooks 1.0). The same \`id\` can come again.`,
  tags: ['Events'],
  security: [],
  parameters: webhookHeaders,
  requestBody: { required: true, content: media(schema, 'output', shared) },
  responses: {
    '2XX': { description: 'The event was accepted' },
    default: { description: 'It was not, a redirect included; it is sent again later' },
  },
})

function operation(endpoint: Endpoint, tags: readonly Tag[], shared: Shared): object {
  const { method, path, summary, access, query, body, upload, ndjsonLine, stepUp, idempotent } = endpoint
  const scope = findScope(endpoint)
  const given = examplesOfCalls[`${method} ${path}`] ?? {}
  const security = access === 'open' ? [] : [access === 'provider' ? { clientKey: [] } : { session: [] }]
  const file = upload && (ndjsonLine ? lines(ndjsonLine, 'input', shared) : Object.fromEntries([binary(upload)]))
  const content = file ?? (body && media(body, 'input', shared, given.body))
  return {
    operationId: idOf(method, path.replace(/^\/(?:provider\/v1|api)/, '')),
    summary,
    description: describe(endpoint),
    tags: [findTag(tags, endpoint)],
    security,
    ...(scope && { 'x-scope': scope }),
    ...(stepUp && { 'x-step-up': stepUp }),
    parameters: [
      ...listed('path', pathParams(endpoint), shared),
      ...listed('query', query, shared, given.query),
      ...(idempotent ? [idempotencyKey] : []),
    ],
    ...(content ? { requestBody: { required: true, content } } : {}),
    responses: { ...good(endpoint, shared, given.reply), ...failures(endpoint, shared) },
  }
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description: 'A new random text for each change; the same again for a repetition of it, which gets the first answer.',
  schema: { type: 'string', pattern: '^[\\w-]{16,64}$' },
  example: '0d3c6a0e-1f5b-4c1e-9a57-2f6f7f0f4c11',
}

/** Returns the description of a call: the contract's text, and sentences that follow from its properties. */
function describe(endpoint: Endpoint) {
  const { description, stepUp, idempotent, upload, maxBytes = limits.http.pdfBytes } = endpoint
  const scope = findScope(endpoint)
  return [
    description,
    scope && `Scope: \`${scope}\`.`,
    stepUp && `Needs a fresh second factor for \`${stepUp}\`.`,
    idempotent && 'Must not happen twice: repeat it with the same `Idempotency-Key`.',
    upload && `At most ${maxBytes.toLocaleString('en')} bytes.`,
  ]
    .filter(Boolean)
    .join('\n\n')
}

type Printed = { $ref?: string; description?: string }

function listed(
  where: 'path' | 'query',
  schema: z.ZodMiniObject | undefined,
  shared: Shared,
  given: Record<string, unknown> = {},
) {
  const optional = (part: z.core.$ZodType) => where === 'query' && z.safeParse(part, undefined).success
  return Object.entries(schema?.shape ?? {}).map(([name, part]) => {
    const { description, ...printed }: Printed = json(part, 'input', shared)
    const component: Printed | undefined = shared.schemas[printed.$ref?.split('/').at(-1) ?? '']
    return {
      name,
      in: where,
      required: !optional(part),
      description: description ?? component?.description,
      schema: printed,
      example: given[name] ?? createExample(part, name),
    }
  })
}

function good({ reply, download, revalidated, upload, ndjsonLine }: Endpoint, shared: Shared, given: unknown) {
  if (!reply && !download) return { 204: { description: 'Done', headers: rateHeaders } }
  const headers = { ...rateHeaders, ...(revalidated && { ETag: etagHeader }) }
  const unchanged = revalidated && {
    304: { description: 'The content with the `ETag` of `If-None-Match` has not changed', headers: rateHeaders },
  }
  if (download)
    return {
      200: { description: 'The file', headers, content: Object.fromEntries(download.map(binary)) },
      ...unchanged,
    }
  const streamed = ndjsonLine && !upload ? lines(ndjsonLine, 'output', shared) : {}
  const content = { ...media(reply!, 'output', shared, given), ...streamed }
  return { 200: { description: 'Done', headers, content }, ...unchanged }
}

/** Returns the statuses with which an endpoint can fail. Operations that fail in the same way share a response of the document. */
function failures(endpoint: Endpoint, { responses }: Shared) {
  const share = (codes: readonly ErrorCode[], status: number) => {
    const name = [status, ...codes].join('.')
    responses[name] ??= problemResponse(codes)
    return { $ref: `#/components/responses/${name}` }
  }
  const byStatus = Map.groupBy(codesOf(endpoint), (code) => errorStatus[code])
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, share(codes.toSorted(), status)]))
}
