import { expect, test } from 'vitest'
import { spanText } from './renewal-text.ts'

const day = 86_400_000

test.each([
  [365, '12 miesięcy', '12 months'],
  [730, '24 miesiące', '24 months'],
  [214, '7 miesięcy', '7 months'],
  [91, '3 miesiące', '3 months'],
  [59, '59 dni', '59 days'],
  [30, '30 dni', '30 days'],
  [1, '1 dzień', '1 day'],
  [0.2, '1 dzień', '1 day'],
])('REN-4 how much shorter a certificate will be hides no part of the loss (%d days)', (days, pl, en) => {
  const [from, to] = [new Date(0), new Date(days * day)]
  expect(spanText('pl', from, to).replaceAll('\u00a0', ' ')).toBe(pl)
  expect(spanText('en', from, to).replaceAll('\u00a0', ' ')).toBe(en)
})
