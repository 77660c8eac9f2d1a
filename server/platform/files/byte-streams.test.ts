import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { piecesOf, releasingPieces } from './byte-streams.ts'

test('R42 the memory of a piece is released when the next one is requested, unless other data shares it', async () => {
  const shared = Buffer.alloc(100, 'shared')
  const sent = [Buffer.alloc(70_000, 1), shared.subarray(0, 50), Buffer.alloc(70_000, 2)]
  const held: number[][] = []
  for await (const piece of releasingPieces(piecesOf(Readable.from(sent)))) {
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
