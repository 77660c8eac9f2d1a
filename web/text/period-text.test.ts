import { expect, test } from 'vitest'
import type { Locale } from '../../contract/enums.ts'
import { waitText } from './period-text.ts'

test('UIX-36 a waiting time is in minutes, rounded up, and in its last minute in seconds', () => {
  const times = [600, 599.4, 61, 60, 59.6, 42, 1, 0.2, -3]
  const plain = (locale: Locale) => times.map((seconds) => waitText(locale, seconds).replaceAll('\u00a0', ' '))
  expect(plain('pl')).toEqual([
    '10 minut',
    '10 minut',
    '2 minuty',
    '1 minutę',
    '60 sekund',
    '42 sekundy',
    '1 sekundę',
    '0 sekund',
    '0 sekund',
  ])
  expect(plain('en')).toEqual([
    '10 minutes',
    '10 minutes',
    '2 minutes',
    '1 minute',
    '60 seconds',
    '42 seconds',
    '1 second',
    '0 seconds',
    '0 seconds',
  ])
})
