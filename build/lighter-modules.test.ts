import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { contractForBrowser, limitsForBrowser } from './lighter-modules.ts'

/** Runs a plugin's transform as Vite would. */
function transformed(plugin: ReturnType<typeof contractForBrowser>, code: string): string {
  const { handler } = plugin.transform as unknown as { handler: (this: unknown, code: string) => { code: string } }
  return handler.call({ parse: parseAst }, code).code
}

test('of an endpoint the browser gets what it needs for calls, and no schema', () => {
  const code = transformed(
    contractForBrowser(),
    "export const read = endpoint('customer', 'GET /api/x', { summary: 'S', ...shared(z), reply: z.object({}), background: true })",
  )
  const endpoint = (access: string, route: string, definition: object) => ({ access, route, ...definition })
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- the transformed text is what is tested
  const read: unknown = new Function('endpoint', 'z', code.replace('export const read =', 'return'))(
    endpoint,
    undefined,
  )
  expect(read).toEqual({ access: 'customer', route: 'GET /api/x', background: true })
})

test('a schema that nothing uses may be dropped, and its meaning stays', () => {
  const code = transformed(
    contractForBrowser(),
    'export const A = z.string().check(z.trim())\nexport const parts = { a: { b: z.int() } }\nexport const numbers = { one: 1 }',
  )
  expect(code.split('\n')).toEqual([
    'export const A = /* @__PURE__ */ (() => (z.string().check(z.trim())))()',
    'export const parts = /* @__PURE__ */ (() => ({ a: { b: z.int() } }))()',
    'export const numbers = { one: 1 }',
  ])
})

test('what documents a schema is removed around it, wherever it is, and the schema stays as it was', () => {
  const code = transformed(
    contractForBrowser(),
    `export const A = described('a', component('B', 'b, c', z.string()))
export const form = z.strictObject({
  name: described(
    'What (x, y) the customer types.',
    z.optional(line(9)),
  ),
  plain: z.int(),
})
export const parts = (item) => ({ items: described('Rows.', z.array(item)) })
export const read = endpoint('open', 'GET /api/x', { summary: 'S', reply: described('R', z.string()), background: true })`,
  )
  expect(code.replace(/\s+/g, ' ')).toBe(
    [
      'export const A = /* @__PURE__ */ (() => (z.string()))()',
      'export const form = /* @__PURE__ */ (() => (z.strictObject({ name: z.optional(line(9)), plain: z.int(), })))()',
      'export const parts = (item) => ({ items: z.array(item) })',
      "export const read = /* @__PURE__ */ (() => (endpoint('open', 'GET /api/x', { ...{}, ...{}, background: true })))()",
    ].join(' '),
  )
})

test('numbers of the specification are inlined where they are used', () => {
  const inline = (code: string) => transformed(limitsForBrowser(), code)
  expect(inline('wait(limits.toast.durationMs)')).toBe('wait(5000)')
  expect(inline('limits.list.sizes.map(String)')).toBe('[20,50,100].map(String)')
  for (const path of ['limits.ts', 'desk-limits.ts']) {
    const line = `import { limits } from '../contract/${path}'`
    expect(inline(line)).toBe(line)
  }
})
