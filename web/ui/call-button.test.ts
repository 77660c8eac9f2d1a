import { expect, test } from 'vitest'
import { nextAnswer } from './call-button.tsx'

const at = (moment: string) => nextAnswer({ from: '8:00', to: '17:00' }, Date.parse(moment))

test('UIX-37 when the support answers next is told by Polish time, and by nothing while it answers', () => {
  // Winter: Polish time is an hour ahead of UTC.
  expect(at('2026-11-30T06:59:59Z')).toEqual({ pl: 'dzisiaj od\u00a08:00', en: 'from 8:00 today' })
  expect(at('2026-11-30T07:00:00Z')).toBeUndefined()
  expect(at('2026-11-30T15:59:59Z')).toBeUndefined()
  expect(at('2026-11-30T16:00:00Z')).toEqual({ pl: 'od\u00a0wtorku,\u00a08:00', en: 'from Tuesday,\u00a08:00' })
  // Friday evening, the weekend, and Sunday in UTC that is Monday in Poland.
  for (const closed of ['2026-11-27T16:00:00Z', '2026-11-28T10:00:00Z', '2026-11-29T10:00:00Z'])
    expect(at(closed)).toEqual({ pl: 'od\u00a0poniedziałku,\u00a08:00', en: 'from Monday,\u00a08:00' })
  expect(at('2026-11-29T23:30:00Z')).toEqual({ pl: 'dzisiaj od\u00a08:00', en: 'from 8:00 today' })
  // Summer: two hours ahead.
  expect(at('2026-07-01T06:00:00Z')).toBeUndefined()
  expect(at('2026-07-01T15:00:00Z')).toEqual({ pl: 'od\u00a0czwartku,\u00a08:00', en: 'from Thursday,\u00a08:00' })
})
