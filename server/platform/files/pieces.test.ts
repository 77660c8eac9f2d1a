import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { piecesOf, usedUp } from './pieces.ts'

test('R42 a piece that is used up is given back when the next one is asked for, and what shares its memory stays', async () => {
  const shared = Buffer.alloc(100, 'shared')
  const sent = [Buffer.alloc(70_000, 1), shared.subarray(0, 50), Buffer.alloc(70_000, 2)]
  const held: number[][] = []
  for await (const piece of usedUp(piecesOf(Readable.from(sent)))) {
    held.push(sent.map(({ length }) => length))
    expect(piece.length).toBeGreaterThan(0)
  }
  expect(held).toEqual([
    [70_000, 50, 70_000],
    [0, 50, 70_000],
    [0, 50, 70_000],
  ])
  expect(sent.map(({ length }) => length)).toEqual([0, 50, 0])
  expect(shared).toEqual(Buffer.alloc(100, 'shared'))
})
