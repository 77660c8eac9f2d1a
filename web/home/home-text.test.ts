import { expect, test } from 'vitest'
import { expiringSoon } from './expiry-text.tsx'
import { ranks } from './home-notice.ts'
import { countsText, dayWord, noticesText, moreText, sealCountsText, toFetchText, toSignText } from './home-text.ts'

test.each([
  [1, 'Masz 1 rzecz do zrobienia.'],
  [2, 'Masz 2 rzeczy do zrobienia.'],
  [5, 'Masz 5 rzeczy do zrobienia.'],
  [12, 'Masz 12 rzeczy do zrobienia.'],
  [22, 'Masz 22 rzeczy do zrobienia.'],
])('HOM-3 the Polish noun agrees with %i notices', (count, text) => {
  expect(noticesText('pl', count).replaceAll('\u00a0', ' ')).toBe(text)
})

test('HOM-3 the English count has one form for one and another for more', () => {
  expect(noticesText('en', 1)).toBe('1 thing needs your attention.')
  expect(noticesText('en', 3)).toBe('3 things need your attention.')
})

test('HOM-1 the inactive signatures are counted only where none is active', () => {
  expect(countsText('pl', { active: 2, inactive: 1 })).toBe('2 aktywne')
  expect(countsText('pl', { active: 0, inactive: 5 })).toBe('5 nieaktywnych')
  const attention = [{ reason: 'suspended' }, { reason: 'expired' }]
  expect(countsText('pl', { active: 0, inactive: 3, attention })).toBe('1 zawieszony, 2 nieaktywne')
  expect(countsText('en', { active: 1, inactive: 3, attention })).toBe('1 active')
  const begins = '2026-11-28T10:00:00.000Z'
  expect(countsText('en', { active: 0, inactive: 1, begins })).toBe('1 starts on 28\u00a0November\u00a02026')
  expect(countsText('en', { active: 1, inactive: 0 })).toBe('1 active')
})

test('HOM-3 days are counted in the form that their number takes', () => {
  expect([1, 2, 12].map((days) => dayWord('pl', days))).toEqual(['dzień', 'dni', 'dni'])
  expect([1, 2].map((days) => dayWord('en', days))).toEqual(['day', 'days'])
})

test('HOM-3 notices beyond the two shown large are counted', () => {
  expect([1, 3, 5].map((count) => moreText('pl', count))).toEqual([
    'Jeszcze 1\u00a0rzecz do zrobienia',
    'Jeszcze 3\u00a0rzeczy do zrobienia',
    'Jeszcze 5\u00a0rzeczy do zrobienia',
  ])
  expect([1, 2].map((count) => moreText('en', count))).toEqual(['1 more thing to do', '2 more things to do'])
})

test('HOM-3 the counts of seals agree with their noun, and name the access that waits', () => {
  const none: unknown[] = []
  expect(sealCountsText('pl', { active: 1, inactive: 2, invitations: none })).toBe('1 aktywna')
  expect(sealCountsText('pl', { active: 0, inactive: 2, invitations: none })).toBe('2 nieaktywne')
  expect(sealCountsText('pl', { active: 0, inactive: 0, invitations: [1] })).toBe('1 oczekuje')
  expect(sealCountsText('pl', { active: 5, inactive: 0, invitations: [1, 2] })).toBe('5 aktywnych, 2 oczekują')
  expect(sealCountsText('en', { active: 1, inactive: 0, invitations: [1] })).toBe('1 active, 1 awaiting activation')
})

test('HOM-3 documents that wait are counted in the form that their number takes', () => {
  expect([2, 5, 22].map((count) => toSignText('pl', count))).toEqual([
    '2\u00a0dokumenty do podpisania',
    '5\u00a0dokumentów do podpisania',
    '22\u00a0dokumenty do podpisania',
  ])
  expect(toFetchText('pl', 3)).toBe('3\u00a0dokumenty do pobrania')
  expect([toSignText('en', 2), toFetchText('en', 2)]).toEqual(['2 documents to sign', '2 documents to download'])
})

test('SIG-7 HOM-3 the ring counts days, and on the last day hours', () => {
  const day = { validFrom: '2026-11-22T23:00:00.000Z', validTo: '2026-11-23T22:59:59.000Z' }
  const ringAt = (now: string) => expiringSoon(day, 'pl', now).ring
  expect(ringAt('2026-11-23T11:00:00.000Z')).toMatchObject({ value: '12', word: 'godz.', left: expect.closeTo(0.5, 2) })
  expect(ringAt('2026-11-23T22:59:58.000Z')).toMatchObject({ value: '1', label: 'Do końca ważności: 1\u00a0godz.' })
  const month = { ...day, validTo: '2026-12-22T13:00:00.000Z' }
  const { value, word, label } = expiringSoon(month, 'en', '2026-12-12T13:00:00.000Z').ring
  expect([value, word, label]).toEqual(['10', 'days', '10 days left of 29\u00a0days of validity'])
})

test('HOM-3 what expires today comes first, then within 5 days, then what is stopped already, documents, and 14 days', () => {
  const rankAt = (now: string) => {
    const validity = { validFrom: '2025-12-01T13:00:00.000Z', validTo: '2026-12-01T13:00:00.000Z' }
    return expiringSoon(validity, 'pl', now).rank
  }
  expect(rankAt('2026-12-01T06:00:00.000Z')).toBe(ranks.endsToday)
  expect(rankAt('2026-11-26T09:00:00.000Z')).toBe(ranks.lastDays)
  expect(rankAt('2026-11-25T09:00:00.000Z')).toBe(ranks.endsNow)
  expect(rankAt('2026-11-17T09:00:00.000Z')).toBe(ranks.endsNow)
  expect(rankAt('2026-11-16T09:00:00.000Z')).toBe(ranks.endsSoon)
  expect(rankAt('2026-12-04T09:00:00.000Z')).toBe(ranks.stopped)
  const { endsToday, lastDays, stopped, toSign, endsNow, endsSoon } = ranks
  const order = [endsToday, lastDays, stopped, toSign, endsNow, endsSoon]
  expect(order.toSorted((rank, another) => rank - another)).toEqual(order)
})
