import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isBlank, linesOf, type Line } from './ndjson.ts'

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
  for await (const line of linesOf(inPieces(bytes, cuts), longest)) lines.push(line)
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
  for (const text of ['', ' ', '\t \r']) expect([text, isBlank(Buffer.from(text))]).toEqual([text, true])
  for (const text of ['{}', ' x', '\u00a0']) expect([text, isBlank(Buffer.from(text))]).toEqual([text, false])
})
