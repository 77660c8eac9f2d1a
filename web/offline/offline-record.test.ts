import { expect, test } from 'vitest'
import { sampleSession } from '../../contract/testing/sample-session.ts'
import { isOver, repliesOf } from './offline-record.ts'

// The server's clock, which differs from that of the browser.
const session = sampleSession()
const receivedAt = 1_000_000
const life = 15 * 60_000

test('R160 what is kept ends with its session by the time that has passed, to the millisecond', () => {
  expect(isOver({ session, receivedAt }, receivedAt)).toBe(false)
  expect(isOver({ session, receivedAt }, receivedAt + life - 1)).toBe(false)
  expect(isOver({ session, receivedAt }, receivedAt + life)).toBe(true)
})

test('R160 a clock before the time of receipt, or a record that cannot be read, is the end too', () => {
  expect(isOver({ session, receivedAt }, receivedAt - 1)).toBe(true)
  expect(isOver({ session: { ...session, endsAt: 'soon' }, receivedAt }, receivedAt)).toBe(true)
  expect(isOver({ session, receivedAt: Number.NaN }, receivedAt)).toBe(true)
})

test('R160 the replies of another customer, or of nobody, are none', () => {
  const record = { session, receivedAt, replies: { '/api/signatures': { reply: 1, at: receivedAt } } }
  expect(repliesOf(record, 'a')).toBe(record.replies)
  for (const login of ['b', 'A', undefined]) expect(repliesOf(record, login)).toBeUndefined()
  expect(repliesOf(undefined, undefined)).toBeUndefined()
})
