import { expect, test } from 'vitest'
import * as core from 'zod/v4/core'
import { ImportedCustomer } from './provider/customer-import.ts'
import type { Endpoint } from './endpoint.ts'
import { pathParams } from './path-params.ts'

const modules = import.meta.glob<Record<string, unknown>>(['./**/*.ts', '!./**/*.test.ts'], { eager: true })
const isEndpoint = (value: unknown): value is Endpoint =>
  value instanceof Object && 'method' in value && 'path' in value && 'access' in value
const endpoints = Object.values(modules).flatMap((module) => Object.values(module).filter(isEndpoint))

/** More than any text of a form has; files are uploaded differently. */
const longestText = 32_768

const checkOf = (check: core.$ZodChecks | undefined) => {
  if (!check) return undefined
  const { _zod } = check
  return _zod.def
}

/** The first check of a text limits its length, by aborting all others or by cutting it. */
function isBounded({ _zod }: core.$ZodString): boolean {
  const { def } = _zod
  const first = checkOf(def.checks?.[0] as core.$ZodChecks | undefined)
  // zod checks the format of such a schema before its other checks.
  if (!first || 'format' in def) return false
  if (first.check === 'max_length') {
    const { maximum, abort } = first
    return abort === true && maximum <= longestText
  }
  return first.check === 'overwrite' && first.tx('x'.repeat(100_000)) !== 'x'.repeat(100_000)
}

/** The text schemas, and what could process a text before its length is checked. */
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
  const found = endpoints.flatMap((endpoint) =>
    Object.entries({ params: pathParams(endpoint), query: endpoint.query, body: endpoint.body }).flatMap(
      ([part, schema]) => (schema ? unbounded(schema, `${endpoint.method} ${endpoint.path} ${part}`) : []),
    ),
  )
  expect(found).toEqual([])
  expect(unbounded(ImportedCustomer, 'a line of an import')).toEqual([])
})
