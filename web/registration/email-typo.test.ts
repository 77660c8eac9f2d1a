import { expect, test } from 'vitest'
import { correctedEmail } from './email-typo.ts'

test('REG-1 a domain that is one slip away from a well-known one is corrected, and the name before it is kept', () => {
  const slips = ['gmial.com', 'gmal.com', 'gmaill.com', 'gmail.con', 'gnail.com', 'GMIAL.COM', 'gmail.co', 'mgail.com']
  for (const slip of slips) expect([slip, correctedEmail(`Jan.Nowak@${slip}`)]).toEqual([slip, 'Jan.Nowak@gmail.com'])
  expect(correctedEmail('jan@outlok.com')).toBe('jan@outlook.com')
  expect(correctedEmail(' jan@intera.pl ')).toBe('jan@interia.pl')
})

test('REG-1 an address that is right, unfinished or of any other domain is left alone', () => {
  const right = ['gmail.com', 'wp.pl', 'op.pl', 'interia.eu', 'poczta.example', 'up.pl', 'gmail.com.example', 'ok.pl']
  for (const domain of right) expect([domain, correctedEmail(`jan@${domain}`)]).toEqual([domain, undefined])
  for (const typed of ['', 'jan', 'jan@', '@gmial.com', 'a@b@gmial.com']) expect(correctedEmail(typed)).toBeUndefined()
})
