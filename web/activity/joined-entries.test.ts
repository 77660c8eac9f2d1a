import { expect, test } from 'vitest'
import type { ActivityRow } from '../../contract/activity.ts'
import { joinedRows } from './joined-entries.ts'

const row = (id: number, time: string, act: ActivityRow['act'], over: Partial<ActivityRow> = {}): ActivityRow => ({
  id: String(id),
  at: `2026-11-20T${time}:00.000Z`,
  since: `2026-11-20T${time}:00.000Z`,
  count: 1,
  act,
  actor: 'customer',
  address: '198.51.100.7',
  object: null,
  device: null,
  factor: null,
  ...over,
})
const shown = (rows: readonly ActivityRow[]) =>
  joinedRows(rows).map(({ act, since, at, part }) => [act, since.slice(11, 16), at.slice(11, 16), part?.act])

test('AUT-12 the code of a sign-in and of a document are shown in the row of what they were sent for, with both times', () => {
  expect(
    shown([
      row(4, '10:05', 'document-code-sent'),
      row(3, '10:04', 'document-downloaded'),
      row(2, '10:01', 'sign-in-finished', { factor: 'sms' }),
      row(1, '10:00', 'code-sent'),
    ]),
  ).toEqual([
    ['document-downloaded', '10:04', '10:05', 'document-code-sent'],
    ['sign-in-finished', '10:00', '10:01', 'code-sent'],
  ])
})

test('AUT-12 entries of another address, actor, object or time, several equal ones, and others between them stay rows of their own', () => {
  const signIn = row(2, '10:20', 'sign-in-finished')
  const sent = row(1, '10:19', 'code-sent')
  const object = { kind: 'document', shown: { id: 'a' } } as ActivityRow['object']
  for (const rows of [
    [signIn, { ...sent, address: '203.0.113.9' }],
    [signIn, { ...sent, actor: 'provider' as const }],
    [signIn, { ...sent, object }],
    [signIn, { ...sent, at: '2026-11-20T10:00:00.000Z' }],
    [signIn, { ...sent, count: 2 }],
    [signIn, row(3, '10:19', 'signed-out'), sent],
    // Midnight in Poland is between them.
    [
      { ...signIn, at: '2026-11-19T23:01:00.000Z' },
      { ...sent, at: '2026-11-19T22:59:00.000Z' },
    ],
  ])
    expect(joinedRows(rows)).toEqual(rows)
})
