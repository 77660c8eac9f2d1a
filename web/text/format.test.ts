import { describe, expect, test } from 'vitest'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { Period } from '../../contract/signatures-and-seals.ts'
import { formatBytes } from './bytes-text.ts'
import {
  daysLeft,
  formatCountdown,
  formatDate,
  formatDateTime,
  formatDaysLeft,
  formatFullDate,
  formatNumber,
  plural,
  unbroken,
} from './format.ts'
import { periodText } from './period-text.ts'

const spaced = (text: string) => text.replaceAll('\u00a0', ' ')

describe('plurals', () => {
  const forms = { one: 'dzień', few: 'dni', many: 'dni (wiele)', other: 'dnia' }
  test.each([
    [0, 'many'],
    [1, 'one'],
    [2, 'few'],
    [4, 'few'],
    [5, 'many'],
    [11, 'many'],
    [12, 'many'],
    [21, 'many'],
    [22, 'few'],
    [24, 'few'],
    [101, 'many'],
    [112, 'many'],
    [122, 'few'],
    [1.5, 'other'],
  ] as const)('in Polish %d takes the form "%s"', (count, form) => {
    expect(plural('pl', count, forms)).toBe(forms[form])
  })

  test('in English one thing is one and everything else is other', () => {
    const english = { one: 'day', other: 'days' }
    expect([0, 1, 2, 21, 1.5].map((count) => plural('en', count, english))).toEqual([
      'days',
      'day',
      'days',
      'days',
      'days',
    ])
  })
})

describe('dates are in Polish time, wherever the browser is', () => {
  const summer = '2026-07-31T22:30:00.000Z'
  const winter = '2026-12-03T13:20:00.000Z'

  test('long, with the time after a comma', () => {
    expect(spaced(formatDateTime('pl', winter))).toBe('3 grudnia 2026, 14:20')
    expect(spaced(formatDateTime('en', winter))).toBe('3 December 2026, 14:20')
    expect(spaced(formatDateTime('pl', summer))).toBe('1 sierpnia 2026, 00:30')
  })

  test('short, for tables, never ambiguous', () => {
    expect(spaced(formatDate('pl', winter, 'short'))).toBe('3.12.2026')
    expect(spaced(formatDate('en', winter, 'short'))).toBe('3 Dec 2026')
  })

  test('UIX-28 the day, its month and its year are never torn apart', () => {
    expect(formatDate('pl', winter)).toBe('3\u00a0grudnia\u00a02026')
    expect(formatFullDate('pl', winter)).toBe('czwartek, 3\u00a0grudnia\u00a02026')
    expect(formatFullDate('en', winter)).toBe('Thursday, 3\u00a0December\u00a02026')
  })
})

describe('days left are days of the Polish calendar', () => {
  test.each([
    ['the last minute of today', '2026-11-21T22:59:00Z', '2026-11-21T08:00:00Z', 0],
    ['the first minute of tomorrow', '2026-11-21T23:01:00Z', '2026-11-21T22:59:00Z', 1],
    ['a night that is an hour longer', '2026-10-26T00:00:00Z', '2026-10-24T00:00:00Z', 2],
    ['yesterday', '2026-11-20T22:00:00Z', '2026-11-21T00:00:00Z', -1],
    ['twelve days', '2026-12-03T13:20:00Z', '2026-11-21T09:00:00Z', 12],
  ])('%s', (_name, until, now, days) => {
    expect(daysLeft(until, Date.parse(now))).toBe(days)
  })

  test('near ones have names of their own', () => {
    expect([0, 1, 2, 12].map((days) => spaced(formatDaysLeft('pl', days)))).toEqual([
      'dzisiaj',
      'jutro',
      'pojutrze',
      'za 12 dni',
    ])
    expect([0, 1, 12].map((days) => spaced(formatDaysLeft('en', days)))).toEqual(['today', 'tomorrow', 'in 12 days'])
  })
})

test('numbers are grouped from four digits on, in both languages', () => {
  expect(spaced(formatNumber('pl', 5000))).toBe('5 000')
  expect(formatNumber('en', 5000)).toBe('5,000')
})

test.each([
  [0, '0 B', '0 B'],
  [1023, '1 023 B', '1,023 B'],
  [1024, '1 kB', '1 kB'],
  [1_048_575, '1 MB', '1 MB'],
  [1_800_000, '1,8 MB', '1.8 MB'],
  [limits.http.pdfBytes, '10 MB', '10 MB'],
  [limits.http.pdfBytes + 1, '10,1 MB', '10.1 MB'],
  [limits.http.pdfBytes + 9, '10,1 MB', '10.1 MB'],
  [2_500_000_000_000, '2 328,4 GB', '2,328.4 GB'],
])(
  'UIX-7 DOC-5 %d bytes, rounded up, so that more than the limit never looks like the limit',
  (bytes, polish, english) => {
    expect(spaced(formatBytes('pl', bytes))).toBe(polish)
    expect(spaced(formatBytes('en', bytes))).toBe(english)
  },
)

test('a countdown has minutes and two digits of seconds, and never goes below nought', () => {
  expect([600, 119.6, 60, 42, 9, 0.2, -3].map(formatCountdown)).toEqual([
    '10:00',
    '2:00',
    '1:00',
    '0:42',
    '0:09',
    '0:00',
    '0:00',
  ])
})

test('SIG-7 UIX-28 periods are named in both languages, each on one line', () => {
  const named = (locale: Locale) => Period.options.map((period) => spaced(periodText(locale, period)))
  expect(periodText('pl', '2_year')).toBe('2\u00a0lata')
  expect(named('pl')).toEqual(['1 dzień', '30 dni', '1 rok', '2 lata', '3 lata'])
  expect(named('en')).toEqual(['1 day', '30 days', '1 year', '2 years', '3 years'])
})

test('UIX-29 the legal form of a company stays on one line', () => {
  expect(unbroken('Żółć i Gęśl sp. z o.o. sp.k. w Szczebrzeszynie')).toBe(
    'Żółć i Gęśl sp.\u00a0z\u00a0o.o. sp.k. w Szczebrzeszynie',
  )
  expect(unbroken('Biuro Zielińska S.A.')).toBe('Biuro Zielińska S.A.')
})
