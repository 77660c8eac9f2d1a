import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { errorStatus, Problem, type ErrorCode } from '../../../contract/errors.ts'
import { pathParams } from '../../../contract/path-params.ts'
import { findScope } from '../../../contract/provider/client-keys.ts'
import { eventKinds } from '../../../contract/provider/events.ts'
import { testFile } from '../../../pki/testing/peer-programs.ts'
import { nameOf } from '../../testing/calls.ts'
import { contractEndpoints as endpoints } from '../../testing/contract-endpoints.ts'
import { words } from '../../testing/words.ts'
import { demonstrationBrand } from '../brand/brand.ts'
import { meanings } from './openapi-answers.ts'
import { browserApi, providerApi } from './openapi.ts'

type Parameter = { name: string; in: string; required: boolean; description?: string; example?: unknown }
type Schema = {
  $ref?: string
  description?: string
  const?: unknown
  properties?: Record<string, Schema>
  contentMediaType?: string
  contentSchema?: Schema
}
type Content = Record<string, { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }>
type Response = { $ref?: string; description: string; headers?: Record<string, { $ref: string }>; content?: Content }
type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, Response>
  'x-scope'?: string
  'x-step-up'?: string
}
type Document = {
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, { post: Operation }>
  components: { responses: Record<string, Response>; schemas: Record<string, Schema> }
}

const printed = (print: typeof providerApi | typeof browserApi) => {
  const document = print(endpoints, { publicUrl: 'https://portal.example', brand: demonstrationBrand })
  return JSON.parse(JSON.stringify(document)) as Document
}
const [provider, browser] = [printed(providerApi), printed(browserApi)]

/** The statuses of any request, also one to a path without an endpoint. */
const anyRequest = ['405', '414', '421', '431', '500']

const problemJson = 'application/problem+json'
const documentOf = ({ access }: Endpoint) => (access === 'provider' ? provider : browser)
const operationOf = (endpoint: Endpoint) =>
  documentOf(endpoint).paths[endpoint.path.replace(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()]
const operationsIn = (document: Document) => Object.values(document.paths).flatMap((item) => Object.values(item))

function codesAt(document: Document, operation: Operation, status: string): string[] {
  const { $ref = '' } = operation.responses[status] ?? {}
  const response = document.components.responses[$ref.replace('#/components/responses/', '')]
  return Object.keys(response?.content?.[problemJson]?.examples ?? {})
}

/** Names that say everything about a field. */
const plainNames = new Set(
  words(`birthDate birthPlace createdAt currentPassword email en firstName login name newPassword password phone pl
    repeatPassword secondName surname updatedAt`),
)

/** Returns the schemas with fields below a part of a document, with their places. WebAuthn describes its own. */
function objectsIn(part: unknown, place = ''): { place: string; properties: Record<string, Schema>; text: string }[] {
  if (!(part instanceof Object)) return []
  const { properties, description = '' } = part as Schema
  if (description.includes('WebAuthn')) return []
  const own = properties ? [{ place, properties, text: JSON.stringify(part) }] : []
  const inner = Object.entries(part).filter(([name]) => name !== 'example' && name !== 'examples')
  return [...own, ...inner.flatMap(([name, each]) => objectsIn(each, `${place}/${name}`))]
}

const isProblem = (value: unknown) => z.safeParse(Problem, value).success

test('API-1 every endpoint of the contract is in one of the documents, and nothing else', () => {
  for (const endpoint of endpoints) expect(operationOf(endpoint)?.summary).toBe(endpoint.summary)
  expect(operationsIn(provider).length + operationsIn(browser).length).toBe(endpoints.length)
  expect(Object.keys(provider.paths).filter((path) => !path.startsWith('/provider/v1/'))).toEqual([])
  expect(browser.webhooks).toBeUndefined()
})

const program = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')

/** Runs Redocly without its telemetry and its question for updates, since tests send nothing elsewhere; returns what it printed. */
async function redocly(args: readonly string[], directory: string): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const options = { cwd: directory, env, maxBuffer: 64 * 1024 * 1024 }
  const ran = await promisify(execFile)(process.execPath, [program, ...args], options).catch(
    (failed: { stdout: string; stderr: string }) => failed,
  )
  return ran.stdout || ran.stderr
}

describe.each([
  ['provider', provider],
  ['browser', browser],
])('the document %s', (_name, document) => {
  test('API-1 has the address, and for each operation a tag, a summary and a description', () => {
    expect(document.servers.map(({ url }) => url)).toEqual(['https://portal.example'])
    const tags = document.tags.map(({ name }) => name)
    const used = new Set(operationsIn(document).flatMap((operation) => operation.tags))
    expect([...used].toSorted()).toEqual(tags.toSorted())
    for (const { operationId, summary, description } of operationsIn(document)) {
      // Whoever reads them does not have the requirements.
      expect(`${summary} ${description}`, operationId).not.toMatch(/\((?:[A-Z]{3}-|R)\d+/)
      expect([operationId, description.length > 10, description !== summary]).toEqual([operationId, true, true])
    }
  })

  test('API-6 every parameter, schema with a name and field that needs it has a description', () => {
    const operations = [...operationsIn(document), ...Object.values(document.webhooks ?? {}).map(({ post }) => post)]
    const parameters = operations.flatMap((operation) =>
      operation.parameters.map(({ name, description }) => [operation.operationId, name, description] as const),
    )
    expect(parameters.filter(([, , description]) => !description)).toEqual([])
    const named = Object.entries(document.components.schemas)
    expect(named.filter(([, { description }]) => !description)).toEqual([])
    const objects = objectsIn(document)
    const fields = objects.flatMap(({ place, properties }) =>
      Object.entries(properties).map(([name, schema]) => ({ name, at: `${place}/${name}`, schema })),
    )
    // A schema with a name has its description there, and the only value of a field explains itself.
    const isPlain = ({ name, schema: { description, $ref, const: only } }: (typeof fields)[number]) =>
      Boolean(description ?? $ref ?? only) || plainNames.has(name)
    expect(fields.filter((field) => !isPlain(field)).map(({ at }) => at)).toEqual([])
    expect([parameters.length > 50, named.length > 80, fields.length > 300]).toEqual([true, true, true])
    // An object that is written twice would need a name; one of a single field is a form.
    const larger = objects.filter(({ properties }) => Object.keys(properties).length > 1)
    const same = [...Map.groupBy(larger, ({ text }) => text).values()].filter(({ length }) => length > 1)
    expect(same.map((each) => each.map(({ place }) => place))).toEqual([])
  })

  test('API-6 every operation has an example of each body and answer, and says how it fails', () => {
    const wrong: unknown[] = []
    for (const { operationId, requestBody, responses } of operationsIn(document)) {
      const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)]
      for (const [type, { schema, ...media }] of contents.flatMap((content) => Object.entries(content ?? {}))) {
        const isFile = schema.contentMediaType !== undefined && !schema.contentSchema
        if (isFile === 'example' in media) wrong.push([operationId, type])
      }
      const statuses = Object.keys(responses)
      if (!/^20[04]\b/.test(statuses.join()) || !anyRequest.every((status) => statuses.includes(status)))
        wrong.push([operationId, statuses])
    }
    expect(wrong).toEqual([])
  })

  test('API-2 Redocly finds no error and no warning in it', async () => {
    const folder = dirname(testFile(JSON.stringify(document), 'openapi.json'))
    const found = await redocly(['lint', 'openapi.json', '--format', 'json'], folder)
    const totals = { errors: 0, warnings: 0, ignored: 0 }
    expect(JSON.parse(found.slice(found.indexOf('{')))).toMatchObject({ totals, problems: [] })
  })
})

test('API-2 every example fits the schema of the contract', () => {
  const wrong: unknown[] = []
  const check = (what: string, schema: z.ZodMiniType | undefined, example: unknown) => {
    if (schema && !z.safeParse(schema, example).success) wrong.push([what, example])
  }
  for (const endpoint of endpoints) {
    const { method, path, body, reply, query } = endpoint
    const { parameters, requestBody, responses } = operationOf(endpoint)!
    const given = (where: string) =>
      Object.fromEntries(parameters.filter((each) => each.in === where).map(({ name, example }) => [name, example]))
    check(`${method} ${path} body`, body, requestBody?.content['application/json']?.example)
    check(`${method} ${path} reply`, reply, responses['200']?.content?.['application/json']?.example)
    check(`${method} ${path} path`, pathParams(endpoint), given('path'))
    check(`${method} ${path} query`, query, given('query'))
  }
  for (const { type, schema } of eventKinds)
    check(type, schema, provider.webhooks![type]!.post.requestBody!.content['application/json']!.example)
  for (const document of [provider, browser])
    for (const { content } of Object.values(document.components.responses))
      for (const [code, { value }] of Object.entries(content![problemJson]!.examples!))
        if (!isProblem(value) || (value as Problem).code !== code) wrong.push([code, value])
  expect(wrong).toEqual([])
})

test('API-1 each operation names its callers, its scope, and the key or second factor it needs', () => {
  for (const endpoint of endpoints) {
    const operation = operationOf(endpoint)!
    const caller = endpoint.access === 'provider' ? { clientKey: [] } : { session: [] }
    expect(operation.security).toEqual(endpoint.access === 'open' ? [] : [caller])
    expect(operation['x-scope']).toBe(findScope(endpoint))
    expect(operation['x-step-up']).toBe(endpoint.stepUp)
    const header = operation.parameters
      .filter((parameter) => parameter.in === 'header')
      .map(({ name, required }) => [name, required])
    expect(header).toEqual(endpoint.idempotent ? [['Idempotency-Key', true]] : [])
  }
})

test('API-1 every answer names the headers of rate limits', () => {
  const unnamed = [provider, browser].flatMap((document) =>
    operationsIn(document).flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .map(([status, { $ref, headers }]) => {
          const shared = document.components.responses[$ref?.split('/').at(-1) ?? '']
          return [operationId, status, Object.keys(headers ?? shared?.headers ?? {})] as const
        })
        .filter(([, , names]) => !names.includes('RateLimit') || !names.includes('RateLimit-Policy')),
    ),
  )
  expect(unnamed).toEqual([])
})

describe('API-1 each operation has every status that it can answer', () => {
  test('the codes that the contract declares for it', () => {
    const missing: unknown[] = []
    for (const endpoint of endpoints)
      for (const code of endpoint.errors ?? [])
        if (!codesAt(documentOf(endpoint), operationOf(endpoint)!, String(errorStatus[code])).includes(code))
          missing.push([nameOf(endpoint), code])
    expect(missing).toEqual([])
    expect(endpoints.flatMap(({ errors = [] }) => errors).length).toBeGreaterThan(100)
  })

  test('and those that follow from who calls it, what it takes and what it needs; nothing else', () => {
    const signed = ['signed-out', 'other-customer', 'cross-site-request'] as const
    const keyed = ['client-key-refused', 'scope-missing'] as const
    const idempotent = ['idempotency-key-missing', 'idempotency-key-reused'] as const
    const bodies = ['body-too-large', 'unsupported-media-type'] as const
    const expected: [name: string, ...ErrorCode[]][] = [
      ['GET /api/country'],
      ['DELETE /api/passkeys/:id', ...signed, ...bodies, 'step-up-required', 'not-found'],
      ['POST /api/seals/:id/users', ...signed, ...bodies, ...idempotent, 'step-up-required', 'not-found'],
      ['GET /provider/v1/customers/:customer', ...keyed, 'not-found'],
      ['PUT /provider/v1/signatures/:signature/agreement', ...keyed, ...bodies, 'not-found'],
    ]
    for (const [name, ...codes] of expected) {
      const endpoint = endpoints.find((each) => nameOf(each) === name)!
      const operation = operationOf(endpoint)!
      const statuses = Object.keys(operation.responses)
      const documented = statuses.flatMap((status) => codesAt(documentOf(endpoint), operation, status))
      const ofAny = words(`invalid-input malformed-request too-many-requests unavailable method-not-allowed url-too-long
        misdirected-request headers-too-large unexpected`)
      const all = new Set([...codes, ...ofAny, ...(endpoint.errors ?? [])])
      expect([name, documented.toSorted()]).toEqual([name, [...all].toSorted()])
    }
  })

  test('and every code of the provider API says what it means', () => {
    const responses = Object.values(provider.components.responses)
    const codes = new Set(responses.flatMap(({ content }) => Object.keys(content![problemJson]!.examples!)))
    expect([...codes].filter((code) => !Object.hasOwn(meanings, code))).toEqual([])
    expect(Object.keys(meanings).filter((code) => !codes.has(code))).toEqual([])
  })
})

test('API-1 every event that a webhook can get is described, with the headers that sign it', () => {
  expect(Object.keys(provider.webhooks!)).toEqual(eventKinds.map(({ type }) => type))
  for (const [type, { post }] of Object.entries(provider.webhooks!)) {
    const headers = post.parameters.map((parameter) => parameter.name)
    expect(headers).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    expect(post.requestBody!.content['application/json']!.example).toMatchObject({ type })
  }
})
