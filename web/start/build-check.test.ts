import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { checkBuilds, type Build } from './build-check.ts'

const hour = 3_600_000
let asked: string[]
let latest: Build | 'no network'
let busy: boolean
let offered: Build[]
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  offered = []
  busy = false
  latest = { id: 'one', timestamp: 1 }
  stop = checkBuilds({
    current: 'one',
    fetchBuild: async (path) => {
      asked.push(path)
      if (latest === 'no network') throw new Error('no network')
      return latest
    },
    isBusy: () => busy,
    onNewBuild: (build) => offered.push(build),
  })
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

test('HTT-3 the latest build is asked for every 3,600,000 ms, and not before', async () => {
  await vi.advanceTimersByTimeAsync(hour - 1)
  expect(asked).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(asked).toEqual(['/builds/latest.json'])
  await vi.advanceTimersByTimeAsync(2 * hour)
  expect(asked).toHaveLength(3)
  expect(offered).toEqual([])
})

test('HTT-3 a newer build is offered once its metadata is there, and only once', async () => {
  latest = { id: 'two', timestamp: 2 }
  await vi.advanceTimersByTimeAsync(hour)
  expect(asked).toEqual(['/builds/latest.json', '/builds/meta/two.json'])
  expect(offered).toEqual([latest])
  await vi.advanceTimersByTimeAsync(3 * hour)
  expect(offered).toHaveLength(1)
  latest = { id: 'three', timestamp: 3 }
  await vi.advanceTimersByTimeAsync(hour)
  expect(offered).toHaveLength(2)
})

test('HTT-3 nothing is offered while it would disturb; the next hour offers it', async () => {
  latest = { id: 'two', timestamp: 2 }
  busy = true
  await vi.advanceTimersByTimeAsync(hour)
  expect(offered).toEqual([])
  busy = false
  await vi.advanceTimersByTimeAsync(hour)
  expect(offered).toHaveLength(1)
})

test('HTT-3 without a network no build is reported, and the checks go on', async () => {
  latest = 'no network'
  await vi.advanceTimersByTimeAsync(hour)
  latest = { id: 'two', timestamp: 2 }
  await vi.advanceTimersByTimeAsync(hour)
  expect(offered).toEqual([latest])
})

test('it can be stopped', async () => {
  stop()
  await vi.advanceTimersByTimeAsync(5 * hour)
  expect(asked).toEqual([])
})
