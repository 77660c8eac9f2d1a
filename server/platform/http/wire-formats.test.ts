import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { parse, safeParse } from 'zod/v4/core'
import { Instant } from '../../../contract/fields.ts'
import { deriveKeys } from '../encryption/keys.ts'
import { compiled, compiledReply } from './compiled-schema.ts'
import { csvOf } from './csv.ts'
import { makeCursor, readCursor } from './cursor.ts'
import { isBlankLine, readLines, type Line } from './ndjson.ts'

/** Returns the text between the quotes of a file's only cell. */
const cell = (text: string) => csvOf([[text]], ';').slice('\ufeff"'.length, -'"\r\n'.length)

/** Splits a file as a program does at the separator that it expects, and removes quotes within a cell. */
const splitAt = (file: string, separator: string) =>
  file.split(/\r\n|[\r\n]/).flatMap((line) => line.split(separator).map((part) => part.replaceAll('"', '').trim()))

test.each([
  'x,=1+1,y',
  'x;=1+1;y',
  'x\t=1+1',
  'x, @SUM(A1)',
  'x;\u00a0-1+1',
  'x,"=1+1"',
  'x," +1',
  'x\r=1+1',
  'x\n=1+1',
  '=1+1',
  ' =1+1',
  '\u3000@SUM(A1)',
  '"=1+1"',
  '\t=1+1',
  '\t\t-1',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(A1)',
  'x,＝1+1',
  '﹦1+1',
  '\u200b=1+1',
  '\u3164=1+1',
  '⁼1+1',
])('R76 no cell begins as a formula, whatever separator the spreadsheet expects: %j', (text) => {
  for (const written of [',', ';'] as const) {
    const file = csvOf([['Jan', text, 'Nowak']], written).slice(1)
    for (const expected of [',', ';', '\t'])
      expect(splitAt(file, expected).filter((part) => /^[\p{Cf}\u3164]*[=+\-@＝＋－＠﹦⁼]/u.test(part))).toEqual([])
  }
})

test('R76 the mark is where the formula would begin, and other text is as it was', () => {
  expect(cell('+48 600 100 417')).toBe(`'+48 600 100 417`)
  expect(cell('Jan, +48 600 100 417')).toBe(`Jan, '+48 600 100 417`)
  expect(cell('\tx')).toBe(`'\tx`)
  for (const plain of ['a@mail.example', 'Nowak-Kos', 'Jan; Anna, x=1', '2026-11-21 14:05:09', `x,'=1`])
    expect(cell(plain)).toBe(plain)
  expect(cell('the “=” in "a,b"')).toBe('the “=” in ""a,b""')
})

test('R76 a long run of blanks is written at once', () => {
  const blanks = '\t'.repeat(200_000)
  expect(cell(blanks)).toBe(`'${blanks}`)
})

const keys = deriveKeys(randomBytes(32))
const position = { rank: 0, time: 1_800_000_000.123, id: crypto.randomUUID() }
const cursor = makeCursor(keys, 'signatures', 'owner', position)
const refused = expect.objectContaining({ code: 'cursor-refused' }) as unknown

const verdict = (text: string, list = 'signatures', owner = 'owner', by = keys) => {
  try {
    return readCursor(by, list, owner, text)
  } catch (error) {
    return error
  }
}

test('R36 a cursor returns the position it was made for', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0)
  const name = fc.stringMatching(/^[a-z]{1,8}$/)
  const positions = fc.dictionary(name, fc.oneof(fc.string(), number), { minKeys: 1, maxKeys: 5 })
  fc.assert(
    fc.property(positions, (any) => {
      expect(verdict(makeCursor(keys, 'signatures', 'owner', any))).toEqual(any)
    }),
  )
})

test('R36 a cursor with any one byte changed, removed or inserted is refused', () => {
  const characters = ['A', 'z', '0', '-', '_', '.', '=', ' ', '/', '+', '%', '\u0000', 'ą']
  for (let i = 0; i <= cursor.length; i++) {
    const [before, after, rest] = [cursor.slice(0, i), cursor.slice(i), cursor.slice(i + 1)]
    const variants = characters.flatMap((c) => [before + c + rest, before + c + after])
    for (const changed of [...variants, before + rest].filter((variant) => variant !== cursor))
      expect([changed, verdict(changed)]).toEqual([changed, refused])
  }
})

test('R36 a cursor of another list, another owner or another portal is refused', () => {
  expect(verdict(cursor, 'documents')).toEqual(refused)
  expect(verdict(cursor, 'signatures', 'somebody else')).toEqual(refused)
  expect(verdict(cursor, 'signatures', 'owner', deriveKeys(randomBytes(32)))).toEqual(refused)
  // The MAC includes the lengths of the parts, so no letter can move from one to the next.
  expect(verdict(makeCursor(keys, 'signaturesx', 'owner', position), 'signatures', 'xowner')).toEqual(refused)
})

test('R36 any other text is refused in the same way', () => {
  const bodyOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const [, signature] = cursor.split('.')
  const forged = [`${bodyOf(position)}.`, `${bodyOf([0, 0, "' or 1=1 --"])}.${signature}`, bodyOf({ __proto__: {} })]
  const damaged = [`.${signature}`, `${cursor}.`, `${cursor}.${signature}`, ` ${cursor}`]
  for (const text of ['', '.', '..', 'x', ...forged, ...damaged]) expect([text, verdict(text)]).toEqual([text, refused])
})

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

async function* inPieces(bytes: Buffer, cuts: number[]) {
  let from = 0
  for (const cut of cuts.toSorted((a, b) => a - b)) {
    yield bytes.subarray(from, cut)
    from = Math.max(from, cut)
  }
  yield bytes.subarray(from)
}

async function read(bytes: Buffer, cuts: number[] = [], longest = 100): Promise<Line[]> {
  const lines: Line[] = []
  for await (const line of readLines(inPieces(bytes, cuts), longest)) lines.push(line)
  return lines
}

test('OPS-4 lines are the same however the bytes arrive, each with the position after it', async () => {
  const byte = fc.constantFrom(10, 13, 32, 97, 0xc5, 0xbc)
  await fc.assert(
    fc.asyncProperty(fc.array(byte, { maxLength: 60 }), fc.array(fc.nat(60)), async (given, cuts) => {
      const bytes = Buffer.from(given)
      const lines = await read(bytes, cuts)
      const expected = bytes.toString('latin1').split('\n')
      if (expected.at(-1) === '') expected.pop()
      expect(lines.map((line) => line.bytes!.toString('latin1'))).toEqual(expected)
      expect(lines.map(({ number }) => number)).toEqual(expected.map((_, i) => i + 1))
      for (const [i, { end }] of lines.entries()) {
        const rest = await read(bytes.subarray(end))
        expect(rest.map((line) => line.bytes)).toEqual(lines.slice(i + 1).map((line) => line.bytes))
      }
      expect(lines.at(-1)?.end ?? 0).toBe(bytes.length)
    }),
  )
})

test('OPS-4 R70 a line that is too long is not kept, and the lines around it are complete', async () => {
  const bytes = Buffer.from(`one\n${'x'.repeat(101)}\n${'y'.repeat(100)}\nlast`)
  for (const cuts of [[], [50], [104, 105], Array.from({ length: 200 }, (_, i) => i)])
    expect((await read(bytes, cuts)).map((line) => line.bytes?.toString())).toEqual([
      'one',
      undefined,
      'y'.repeat(100),
      'last',
    ])
})

test('OPS-4 a line of white space is blank', () => {
  for (const text of ['', ' ', '\t \r']) expect([text, isBlankLine(Buffer.from(text))]).toEqual([text, true])
  for (const text of ['{}', ' x', '\u00a0']) expect([text, isBlankLine(Buffer.from(text))]).toEqual([text, false])
})
