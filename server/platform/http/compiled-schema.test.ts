import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { parse, safeParse } from 'zod/v4/core'
import { Instant } from '../../../contract/fields.ts'
import { compiled, compiledReply } from './compiled-schema.ts'

const Item = z.strictObject({
  id: z.uuid(),
  note: z.nullable(z.string()),
  place: z.strictObject({ country: z.string() }),
})
const List = z.strictObject({ items: z.array(Item).check(z.maxLength(2)), next: z.optional(z.string()) })

const item = { id: crypto.randomUUID(), note: null, place: { country: 'PL' } }

test('R37 a compiled schema accepts and refuses the same as the contract’s own, at every depth', () => {
  const quick = compiled(List)
  const cases: [unknown, boolean][] = [
    [{ items: [] }, true],
    [{ items: [item, item], next: 'x' }, true],
    [{ items: [item], secret: 1 }, false],
    [{ items: [{ ...item, secret: 1 }] }, false],
    [{ items: [{ ...item, place: { country: 'PL', secret: 1 } }] }, false],
    [{ items: [{ ...item, id: 'x' }] }, false],
    [{ items: [{ ...item, note: 5 }] }, false],
    [{ items: [{ id: item.id, note: null }] }, false],
    [{ items: [item, item, item] }, false],
    [{ items: item }, false],
    [null, false],
  ]
  for (const [value, fits] of cases)
    expect([value, List.safeParse(value).success, safeParse(quick, value).success]).toEqual([value, fits, fits])
})

test('a reply may have times as dates, in a list, a union or alone, and no date that is none', () => {
  const Reply = z.strictObject({
    at: Instant,
    steps: z.array(z.union([z.strictObject({ on: z.nullable(Instant) }), Instant])),
  })
  const at = new Date(0)
  const written = at.toISOString()
  const reply = compiledReply(Reply)
  expect(parse(reply, { at, steps: [{ on: at }, at, { on: null }, written] })).toEqual({
    at: written,
    steps: [{ on: written }, written, { on: null }, written],
  })
  expect(() => parse(reply, { at: new Date(Number.NaN), steps: [] })).toThrow(RangeError)
})
