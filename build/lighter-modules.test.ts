import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { contractForBrowser, limitsForBrowser } from './lighter-modules.ts'

/** Runs a plugin's transform as Vite would. */
function transformed(plugin: ReturnType<typeof contractForBrowser>, code: string): string {
  const { handler } = plugin.transform as unknown as { handler: (this: unknown, code: string) => { code: string } }
  return handler.call({ parse: parseAst }, code).code
}

test('of the contract the browser gets what it needs for calls, and no schema of an endpoint nor its texts', () => {
  const code = transformed(
    contractForBrowser(),
    `export const A = described('a', component('B', 'b, c', z.string().check(z.trim())))
export const form = z.strictObject({
  name: described(
    'What (x, y) the customer types.',
    z.optional(line(9)),
  ),
})
export const parts = { a: { b: z.int() } }
export const numbers = { one: 1 }
export const list = (item) => ({ items: described('Rows.', z.array(item)) })
export const read = endpoint('open', 'GET /api/x', { summary: 'S', ...shared(z), reply: z.object({}), background: true })`,
  )
  expect(code.replace(/\s+/g, ' ').split(/ (?=export)/)).toEqual([
    'export const A = /* @__PURE__ */ (() => (z.string().check(z.trim())))()',
    'export const form = /* @__PURE__ */ (() => (z.strictObject({ name: z.optional(line(9)), })))()',
    'export const parts = /* @__PURE__ */ (() => ({ a: { b: z.int() } }))()',
    'export const numbers = { one: 1 }',
    'export const list = (item) => ({ items: z.array(item) })',
    "export const read = /* @__PURE__ */ (() => (endpoint('open', 'GET /api/x', { ...{}, ...{}, ...{}, background: true })))()",
  ])
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
