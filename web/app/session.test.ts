import { expect, onTestFinished, test, vi } from 'vitest'
import { sampleSession } from '../../contract/testing/sample-session.ts'
import { clearPageData, startWith } from '../start/page-data.ts'
import { currentSession, secondsLeft } from './session.tsx'

test('AUT-5 the time left is counted by the server’s clock, however wrong the browser’s is', () => {
  const session = sampleSession()
  for (const receivedAt of [0, Date.parse('1999-01-01'), Date.parse('2040-01-01')]) {
    expect(secondsLeft({ session, receivedAt }, receivedAt)).toBe(900)
    expect(secondsLeft({ session, receivedAt }, receivedAt + 780_000)).toBe(120)
    expect(secondsLeft({ session, receivedAt }, receivedAt + 901_000)).toBe(-1)
  }
})

test('AUT-5 a session that came with the document counts from the document’s arrival, not from the start of its script', () => {
  const arrival = performance.now() - 5000
  const entries = vi
    .spyOn(performance, 'getEntriesByType')
    .mockImplementation((type) => (type === 'navigation' ? [{ responseStart: arrival } as never] : []))
  onTestFinished(() => {
    entries.mockRestore()
    clearPageData()
  })
  startWith({ session: sampleSession(), reads: [] })
  const left = secondsLeft(currentSession()!, performance.timeOrigin + arrival + 5000)
  expect(left).toBeCloseTo(895, 3)
})
