import { expect, test } from 'vitest'
import type { ActivityEntry } from '../../contract/activity.ts'
import { groupEntries } from './activity-groups.ts'

const entry = (at: string, over: Partial<ActivityEntry> = {}): ActivityEntry => ({
  id: at,
  at,
  act: 'code-sent',
  actor: 'customer',
  address: '198.51.100.7',
  object: null,
  device: null,
  factor: null,
  ...over,
})

test('AUT-12 equal entries of one day that follow each other are one, with the time of the first and their number', () => {
  const entries = [
    entry('2026-11-21T09:43:00.000Z'),
    entry('2026-11-21T09:42:00.000Z'),
    entry('2026-11-21T09:41:00.000Z', { act: 'sign-in-finished' }),
    entry('2026-11-21T09:40:00.000Z'),
    // Another address, and the day before in Poland.
    entry('2026-11-20T23:30:00.000Z', { address: '198.51.100.8' }),
    entry('2026-11-20T22:30:00.000Z', { address: '198.51.100.8' }),
  ]
  expect(groupEntries(entries)).toEqual([
    { entry: entries[0], since: entries[1]!.at, count: 2 },
    ...entries.slice(2).map((each) => ({ entry: each, since: each.at, count: 1 })),
  ])
})
