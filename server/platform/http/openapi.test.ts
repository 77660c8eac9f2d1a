import { beforeAll, describe, expect, test } from 'vitest'
import { scopeOf } from '../../../contract/provider/client-keys.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { errorStatus } from '../../../contract/errors.ts'
import { eventKinds } from '../../../contract/provider/events.ts'
import { openPortal } from '../../testing/open-portal.ts'

type Node = { [key: string]: unknown }

const contract = import.meta.glob<Record<string, unknown>>(
  ['../../../contract/**/*.ts', '!../../../contract/**/*.test.ts'],
  {
    eager: true,
  },
)
const isEndpoint = (value: unknown): value is Endpoint =>
  value instanceof Object && 'method' in value && 'path' in value && 'access' in value
const endpoints = Object.values(contract).flatMap((module) => Object.values(module).filter(isEndpoint))

let document: Node
const portal = await openPortal()
beforeAll(async () => {
  document = (await (await fetch(`${portal.origin}/api/openapi.json`)).json()) as Node
})

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])

/** The problems of a document by the rules of OpenAPI 3.1.1 §4.8 that its schema of 2022-10-07 contains. */
function problemsOf(root: Node): string[] {
  const problems: string[] = []
  const report = (location: string, what: string) => void problems.push(`${location}: ${what}`)
  const text = (node: Node, name: string, location: string) =>
    typeof node[name] === 'string' || report(location, `${name} is not a text`)
  const only = (node: Node, allowed: string[], location: string) => {
    for (const key of Object.keys(node))
      if (!allowed.includes(key) && !key.startsWith('x-')) report(location, `${key} is unknown`)
  }
  const components = isNode(root.components) ? root.components : {}
  const ids = new Set<unknown>()

  function resolves(ref: unknown) {
    if (typeof ref !== 'string' || !ref.startsWith('#/')) return false
    let at: unknown = root
    for (const part of ref.slice(2).split('/'))
      at = isNode(at) ? at[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')] : undefined
    return isNode(at)
  }

  function schema(value: unknown, location: string) {
    if (typeof value === 'boolean') return
    if (!isNode(value)) return report(location, 'is not a schema')
    if ('$ref' in value && !resolves(value.$ref)) report(location, `${String(value.$ref)} does not exist`)
    if ('nullable' in value || '$schema' in value || '$defs' in value) report(location, 'is not of this dialect')
    const types = Array.isArray(value.type) ? value.type : 'type' in value ? [value.type] : []
    for (const type of types)
      if (!['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'].includes(String(type)))
        report(location, `${String(type)} is not a type`)
    if ('properties' in value) {
      if (!isNode(value.properties)) report(location, 'properties is not an object')
      else for (const [name, part] of Object.entries(value.properties)) schema(part, `${location}.${name}`)
    }
    if ('required' in value) {
      const names = isNode(value.properties) ? Object.keys(value.properties) : []
      if (!Array.isArray(value.required) || value.required.some((name) => !names.includes(name as string)))
        report(location, 'requires an unknown property')
    }
    if (types.includes('array') && !('items' in value) && !('prefixItems' in value))
      report(location, 'is an array without items')
    for (const name of ['items', 'additionalProperties', 'not', 'propertyNames'])
      if (name in value) schema(value[name], `${location}.${name}`)
    for (const name of ['anyOf', 'oneOf', 'allOf'])
      if (name in value)
        for (const [i, part] of (value[name] as unknown[]).entries()) schema(part, `${location}.${name}.${i}`)
    if ('pattern' in value && typeof value.pattern !== 'string') report(location, 'has a pattern that is not a string')
  }

  function content(value: unknown, location: string) {
    if (!isNode(value) || !Object.keys(value).length) return report(location, 'has no content')
    for (const [type, media] of Object.entries(value)) {
      if (!/^[\w.+-]+\/[\w.+-]+$/.test(type)) report(location, `${type} is not a media type`)
      if (!isNode(media)) report(location, `${type} is empty`)
      else schema(media.schema, `${location} ${type}`)
    }
  }

  function operation(value: Node, path: string, location: string) {
    only(
      value,
      [
        'operationId',
        'summary',
        'description',
        'security',
        'parameters',
        'requestBody',
        'responses',
        'tags',
        'deprecated',
      ],
      location,
    )
    text(value, 'operationId', location)
    if (ids.has(value.operationId)) report(location, 'repeats an operationId')
    ids.add(value.operationId)
    const parameters = (value.parameters ?? []) as Node[]
    const names = parameters.map((parameter) => `${String(parameter.in)} ${String(parameter.name)}`)
    if (new Set(names).size !== names.length) report(location, 'repeats a parameter')
    for (const parameter of parameters) {
      if (!['path', 'query', 'header', 'cookie'].includes(String(parameter.in)))
        report(location, `${String(parameter.in)} is not a location`)
      if (parameter.in === 'path' && parameter.required !== true)
        report(location, `${String(parameter.name)} is not required`)
      schema(parameter.schema, `${location} ${String(parameter.name)}`)
    }
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path ${name}`)
    if (
      inPath.toSorted().join() !==
      names
        .filter((name) => name.startsWith('path '))
        .toSorted()
        .join()
    )
      report(location, 'does not name the variables of its path')
    if (isNode(value.requestBody)) content(value.requestBody.content, `${location} request`)
    if (!isNode(value.responses) || !Object.keys(value.responses).length) return report(location, 'has no responses')
    for (const [status, response] of Object.entries(value.responses)) {
      if (!/^(?:[1-5](?:\d\d|XX)|default)$/.test(status)) report(location, `${status} is not a status`)
      if (!isNode(response) || typeof response.description !== 'string') report(location, `${status} is not described`)
      else if ('content' in response) content(response.content, `${location} ${status}`)
    }
    const schemes = isNode(components.securitySchemes) ? components.securitySchemes : {}
    for (const requirement of (value.security ?? []) as Node[])
      for (const name of Object.keys(requirement))
        if (!(name in schemes)) report(location, `${name} is not a security scheme`)
  }

  if (!/^3\.1\.\d+$/.test(String(root.openapi))) report('openapi', 'is not 3.1')
  only(
    root,
    [
      'openapi',
      'info',
      'jsonSchemaDialect',
      'servers',
      'paths',
      'webhooks',
      'components',
      'security',
      'tags',
      'externalDocs',
    ],
    'document',
  )
  if (isNode(root.info)) for (const name of ['title', 'version']) text(root.info, name, 'info')
  else report('info', 'is missing')
  for (const [name, part] of Object.entries(isNode(components.schemas) ? components.schemas : {})) schema(part, name)
  for (const [path, item] of Object.entries(isNode(root.paths) ? root.paths : {})) {
    if (!path.startsWith('/') || path.includes(':')) report(path, 'is not a path')
    for (const [method, value] of Object.entries(item as Node)) {
      if (!methods.has(method) || !isNode(value)) report(path, `${method} is not a method`)
      else operation(value, path, `${method} ${path}`)
    }
  }
  for (const [name, item] of Object.entries(isNode(root.webhooks) ? root.webhooks : {}))
    for (const [method, value] of Object.entries(item as Node)) {
      if (!methods.has(method) || !isNode(value)) report(name, `${method} is not a method`)
      else operation(value, '', `${method} ${name}`)
    }
  return problems
}

const operationOf = ({ method, path }: Endpoint) =>
  ((document.paths as Node)[path.replace(/:(\w+)/g, '{$1}')] as Node | undefined)?.[method.toLowerCase()] as
    | Node
    | undefined

test('OPS-4 the API describes itself in valid OpenAPI 3.1', () => {
  expect(problemsOf(document)).toEqual([])
})

test('OPS-4 every endpoint of the contract is served and described, and nothing else', () => {
  expect(portal.app.endpoints.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
    endpoints.map(({ method, path }) => `${method} ${path}`).toSorted(),
  )
  for (const endpoint of endpoints) expect(operationOf(endpoint)?.summary).toBe(endpoint.summary)
  const described = Object.values(document.paths as Node).flatMap((item) => Object.keys(item as Node))
  expect(described).toHaveLength(endpoints.length)
})

test('OPS-4 each operation names its callers, its errors, and the key or second factor it needs', () => {
  for (const endpoint of endpoints) {
    const operation = operationOf(endpoint)!
    const scope = scopeOf(endpoint)
    const security = {
      open: [],
      pending: [{ session: [] }],
      customer: [{ session: [] }],
      provider: [{ clientKey: scope ? [scope] : [] }],
    }[endpoint.access]
    expect(operation.security).toEqual(security)
    const responses = operation.responses as { [status: string]: { description: string } }
    for (const code of endpoint.errors ?? []) expect(responses[errorStatus[code]]?.description).toContain(code)
    const refusal = { open: undefined, pending: 'signed-out', customer: 'signed-out', provider: 'client-key-refused' }[
      endpoint.access
    ]
    expect(responses['401']?.description).toBe(refusal)
    expect(operation['x-step-up']).toBe(endpoint.stepUp)
    const header = (operation.parameters as Node[])
      .filter((parameter) => parameter.in === 'header')
      .map(({ name, required }) => [name, required])
    expect(header).toEqual(endpoint.idempotent ? [['Idempotency-Key', true]] : [])
  }
})

test('OPS-4 every event that a webhook can get is described, with the headers that sign it', () => {
  const webhooks = document.webhooks as { [type: string]: { post: Node } }
  expect(Object.keys(webhooks)).toEqual(eventKinds.map(({ type }) => type))
  for (const [type, { post }] of Object.entries(webhooks)) {
    const headers = (post.parameters as Node[]).map((parameter) => parameter.name)
    expect(headers).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    const { content } = post.requestBody as { content: { [type: string]: { schema: Node } } }
    const { properties, required } = content['application/json']!.schema as { properties: Node; required: string[] }
    expect(properties.type).toMatchObject({ const: type })
    expect(required).toEqual(['id', 'position', 'type', 'timestamp', 'data'])
  }
})

describe('the validator itself', () => {
  const breaks: [string, (broken: Node) => void, RegExp][] = [
    ['an old version', (d) => (d.openapi = '3.0.3'), /is not 3\.1/],
    ['no title', (d) => delete (d.info as Node).title, /title is not a text/],
    ['a broken reference', (d) => delete ((d.components as Node).schemas as Node).Problem, /Problem does not exist/],
    [
      'a variable without a parameter',
      (d) => rename(d.paths as Node, '/api/session', '/api/{session}'),
      /does not name the variables/,
    ],
    [
      'a repeated id',
      (d) => (at(d, '/api/session', 'get').operationId = at(d, '/api/sign-in', 'post').operationId),
      /repeats an operationId/,
    ],
    [
      'a response without description',
      (d) => delete ((at(d, '/api/session', 'get').responses as Node)['200'] as Node).description,
      /200 is not described/,
    ],
    [
      'an unknown scheme',
      (d) => (at(d, '/api/session', 'get').security = [{ magic: [] }]),
      /magic is not a security scheme/,
    ],
    [
      'a keyword of 3.0',
      (d) => ((((d.components as Node).schemas as Node).Problem as Node).nullable = true),
      /not of this dialect/,
    ],
    [
      'an unknown type',
      (d) => ((((d.components as Node).schemas as Node).Problem as Node).type = 'text'),
      /text is not a type/,
    ],
  ]
  const at = (broken: Node, path: string, method: string) => ((broken.paths as Node)[path] as Node)[method] as Node
  const rename = (paths: Node, from: string, to: string) => {
    paths[to] = paths[from]
    delete paths[from]
  }

  test.each(breaks)('%s is found', (_what, change, problem) => {
    const broken = structuredClone(document)
    change(broken)
    expect(problemsOf(broken).join('\n')).toMatch(problem)
  })
})
