import { expect, test } from 'vitest'
import { noDay, shownDay, typedDay } from './date-field.tsx'

test.each([
  '02.05.2031',
  '2.5.2031',
  ' 2 5 2031 ',
  '2 . 05 . 2031',
  '02/05/2031',
  '2-5-2031',
  '02052031',
  '20310502',
  '2031-05-02',
  '2031.05.02',
  '2.5.2031.',
  '02.05.2031\u00a0',
  '02–05–2031',
  '2,5,2031',
  '2031-5-2',
  '02.05.2031 r.',
  '02.05.2031r',
  '2.5.2031 roku',
  '\u200e02.05.2031',
  '02\u201105\u20112031',
  '02−05−2031',
  '٠٢.٠٥.٢٠٣١',
  '02.05.2031 rok',
  '(02·05·2031)',
  '02⁄05⁄2031',
])('UIX-23 „%s” is a day', (text) => expect(typedDay(text)).toBe('2031-05-02'))

test.each([
  ['20121205', '2012-12-05'],
  ['20122012', '2012-12-20'],
  ['31.12.1205', '1205-12-31'],
  ['31022031', '2031-02-31'],
])('UIX-23 „%s” is %s', (text, day) => expect(typedDay(text)).toBe(day))

test.each([
  '02.05.31',
  '2.5',
  'jutro',
  '2052031',
  '5.2031',
  '02.05.20311',
  '2031-5',
  '.',
  '20313105',
  '20121305',
  '12052231',
  '41052031',
  '20310541',
])('UIX-23 „%s” is no day', (text) => expect(typedDay(text)).toBe(noDay))

test('UIX-23 nothing typed is an empty field, and a day that is not in the calendar is left to the schema', () => {
  for (const blank of [' \u00a0', '\u200e', '\u00ad \ufeff']) expect(typedDay(blank)).toBe('')
  expect(typedDay('30.02.2031')).toBe('2031-02-30')
})

test('UIX-23 a day is shown as it is typed', () => {
  expect(shownDay('pl', '2031-05-02')).toBe('02.05.2031')
  expect(shownDay('en', '2031-05-02')).toBe('02/05/2031')
  expect(shownDay('pl', noDay)).toBe('')
  for (const locale of ['pl', 'en'] as const) expect(typedDay(shownDay(locale, '2031-05-02'))).toBe('2031-05-02')
})
