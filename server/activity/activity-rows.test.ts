import { expect, test } from 'vitest'
import type { ActivityEntry } from '../../contract/activity.ts'
import { limits } from '../../contract/limits.ts'
import { readRows } from './activity.ts'

const entry = (id: number, at: string, over: Partial<ActivityEntry> = {}): ActivityEntry => ({
  id: String(id),
  at,
  act: 'code-sent',
  actor: 'customer',
  address: '198.51.100.7',
  object: null,
  device: null,
  factor: null,
  ...over,
})

/** A history, newest first, and how it is read. */
function historyOf(entries: readonly ActivityEntry[]) {
  const reads: number[] = []
  const read = (before: string | undefined, most: number) => {
    reads.push(most)
    const from = before === undefined ? 0 : entries.findIndex(({ id }) => id === before) + 1
    return Promise.resolve(entries.slice(from, from + most))
  }
  return { read, reads }
}

test('AUT-12 equal entries of one day that follow each other are one row, with the time of the first and their number', async () => {
  const entries = [
    entry(6, '2026-11-21T09:43:00.000Z'),
    entry(5, '2026-11-21T09:42:00.000Z'),
    entry(4, '2026-11-21T09:41:00.000Z', { act: 'sign-in-finished' }),
    entry(3, '2026-11-21T09:40:00.000Z'),
    // Another address, and the day before in Poland.
    entry(2, '2026-11-20T23:30:00.000Z', { address: '198.51.100.8' }),
    entry(1, '2026-11-20T22:30:00.000Z', { address: '198.51.100.8' }),
  ]
  expect(await readRows(historyOf(entries).read, undefined, 21)).toEqual([
    { ...entries[0]!, since: entries[1]!.at, count: 2, oldest: '5' },
    ...entries.slice(2).map((each) => ({ ...each, since: each.at, count: 1, oldest: each.id })),
  ])
})

test('AUT-12 a row is whole where a page ends, however many entries it holds, and no row has more than its limit', async () => {
  const at = '2026-11-21T09:00:00.000Z'
  const others = ['signed-out', 'sign-in-finished'] as const
  const older = Array.from({ length: 8 }, (_, i) => entry(8 - i, at, { act: others[i % 2]! }))
  const entries = [
    entry(309, at, { act: 'signed-out' }),
    ...Array.from({ length: 50 }, (_, i) => entry(308 - i, at)),
    ...older,
  ]
  const { read, reads } = historyOf(entries)
  const rows = await readRows(read, undefined, 3)
  expect(rows.map(({ act, count }) => [act, count])).toEqual([
    ['signed-out', 1],
    ['code-sent', 50],
    ['signed-out', 1],
  ])
  expect(reads).toEqual([3, 6, 12, 24, 48])
  expect((await readRows(read, rows[1]!.oldest, 21)).map(({ id }) => id)).toEqual(older.map(({ id }) => id))

  const same = Array.from({ length: 250 }, (_, i) => entry(250 - i, at))
  const cut = await readRows(historyOf(same).read, undefined, 21)
  expect(cut.map(({ count }) => count)).toEqual([limits.activity.together, limits.activity.together, 50])
})
