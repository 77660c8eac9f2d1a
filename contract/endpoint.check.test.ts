import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import * as core from 'zod/v4/core'
import { readCalendarFile } from './calendar.ts'
import { downloadDataExport } from './data-export.ts'
import type { Endpoint } from './endpoint.ts'
import { errorStatus } from './errors.ts'
import { pathParams } from './path-params.ts'
import { ImportedCustomer } from './provider/customer-import.ts'

const modules = import.meta.glob<Record<string, unknown>>(['./**/*.ts', '!./**/*.test.ts'], { eager: true })
const isEndpoint = (value: unknown): value is Endpoint =>
  value instanceof Object && 'method' in value && 'path' in value && 'access' in value
const endpoints = Object.values(modules).flatMap((module) => Object.values(module).filter(isEndpoint))
const named = endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)

test('every endpoint in the source is exported, states itself what the browser needs, and no two have the same method and path', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(?!endpoint\b).*(?<!\.test)\.ts$/.test(name),
  )
  const source = files.map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8')).join('')
  expect(endpoints).toHaveLength(source.match(/= endpoint\(/g)!.length)
  // The browser build keeps these properties only if they are in the definition itself (build/lighter-modules.ts).
  for (const name of ['stepUp', 'background', 'upload', 'offlineCopy', 'idempotent'] as const)
    expect([name, source.match(new RegExp(`^  ${name}: ['t]`, 'gm'))!.length]).toEqual([
      name,
      endpoints.filter((endpoint) => endpoint[name]).length,
    ])
  expect(new Set(named.map(([name]) => name.replace(/:\w+/g, ':'))).size).toBe(endpoints.length)
  expect(endpoints.length).toBeGreaterThan(20)
})

describe.each(named)('%s', (_name, endpoint) => {
  const { method, path, access, query, body, upload, idempotent, background, errors = [] } = endpoint
  const params = pathParams(endpoint)

  test('has a parameter for each variable part of its path, and no other', () => {
    expect(Object.keys(params?.shape ?? {})).toEqual([...path.matchAll(/:(\w+)/g)].map(([, name]) => name))
  })

  test('R37 refuses what it does not declare, in path, query and body', () => {
    // Calendar programs add parameters of their own.
    for (const schema of [params, endpoint === readCalendarFile ? undefined : query, body]) {
      if (!schema) continue
      const { error } = z.safeParse(schema, { smuggled: 'x' })
      expect(error?.issues).toContainEqual(expect.objectContaining({ code: 'unrecognized_keys', keys: ['smuggled'] }))
    }
  })

  test('R37 takes no whole number that the database could not hold', () => {
    for (const schema of [params, query, body]) {
      if (!schema) continue
      const text = JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
      for (const [, name, largest] of text.matchAll(
        /"(\w+)":\{(?:"anyOf":\[\{)?"type":"integer"[^{}]*"maximum":(\d+)/g,
      ))
        // Sizes of programs have a column of 64 bits.
        if (name !== 'bytes') expect([name, Number(largest) < 2 ** 31]).toEqual([name, true])
    }
  })

  test('R34 declares who may call it: the provider under its own path, and no one else there', () => {
    expect(['open', 'pending', 'customer', 'provider', 'staff']).toContain(access)
    expect(path.startsWith('/provider/v1/')).toBe(access === 'provider')
    // Before they have signed in, staff are anybody.
    expect(path.startsWith('/desk/api/') ? ['staff', 'open'] : ['open', 'pending', 'customer', 'provider']).toContain(
      access,
    )
  })

  test('fails with known codes only, and an object that can be absent is declared so', () => {
    for (const code of errors) expect(errorStatus).toHaveProperty(code)
    // A PUT creates its object, and a DELETE of an absent one has nothing to do; all others need the object.
    const stated = method === 'PUT' || method === 'DELETE'
    // The path of the file of all own data has a format and no object.
    const mayMiss = params !== undefined && path !== downloadDataExport.path && !stated
    expect(mayMiss && !errors.includes('not-found')).toBe(false)
  })

  test('R52 R62 reads change nothing: no body, no key, no second factor', () => {
    const isRead = method === 'GET'
    expect([isRead && body, isRead && upload, isRead && idempotent].filter(Boolean)).toEqual([])
    // A query names what a DELETE removes from a list: its body has no meaning (RFC 9110 §9.3.5).
    expect([!isRead && method !== 'DELETE' && query, !isRead && background].filter(Boolean)).toEqual([])
    expect(body && upload).toBeUndefined()
  })
})

test.each(named.filter(([, { stepUp }]) => stepUp))(
  'AUT-7 %s asks a customer for a second factor, for the object that its path names or for the account itself',
  (_name, endpoint) => {
    const { access, path } = endpoint
    const params = pathParams(endpoint)
    expect(access).toBe('customer')
    if (!params || path === downloadDataExport.path) return
    const filled = Object.fromEntries(Object.keys(params.shape).map((name) => [name, crypto.randomUUID()]))
    expect([filled['id'] !== undefined, z.safeParse(params, filled).success]).toEqual([true, true])
  },
)

/** Longest text that is accepted, more than any text of a form has; files are uploaded differently. */
const maxTextLength = 32_768

const checkOf = (check: core.$ZodChecks | undefined) => {
  if (!check) return undefined
  const { _zod } = check
  return _zod.def
}

/** Checks whether the first check of a text limits its length, by aborting all others or by cutting the text. */
function isBounded({ _zod }: core.$ZodString): boolean {
  const { def } = _zod
  const first = checkOf(def.checks?.[0] as core.$ZodChecks | undefined)
  // zod checks the format of such a schema before its other checks.
  if (!first || 'format' in def) return false
  if (first.check === 'max_length') {
    const { maximum, abort } = first
    return abort === true && maximum <= maxTextLength
  }
  return first.check === 'overwrite' && first.tx('x'.repeat(100_000)) !== 'x'.repeat(100_000)
}

/** Finds the text schemas without a limited length, and schemas that could process a text before its length is checked. */
function unbounded(schema: core.$ZodType, path: string): string[] {
  const known = schema as core.$ZodTypes
  const {
    _zod: { def },
  } = known
  switch (def.type) {
    case 'string':
      return isBounded(known as core.$ZodString) ? [] : [path]
    case 'object':
      return Object.entries(def.shape).flatMap(([key, part]) => unbounded(part, `${path}.${key}`))
    case 'array':
      return unbounded(def.element, `${path}[]`)
    case 'union':
      return def.options.flatMap((option) => unbounded(option, path))
    case 'nullable':
    case 'optional':
      return unbounded(def.innerType, path)
    case 'pipe':
      return unbounded(def.in, path)
    // Only looked up.
    case 'literal':
    case 'enum':
    case 'boolean':
    case 'number':
    case 'null':
      return []
    default:
      return [`${path} (${def.type})`]
  }
}

test('R109 every text that an endpoint takes is bounded before anything else is done with it', () => {
  const found = named.flatMap(([name, endpoint]) =>
    Object.entries({ params: pathParams(endpoint), query: endpoint.query, body: endpoint.body }).flatMap(
      ([part, schema]) => (schema ? unbounded(schema, `${name} ${part}`) : []),
    ),
  )
  expect(found).toEqual([])
  expect(unbounded(ImportedCustomer, 'a line of an import')).toEqual([])
})
