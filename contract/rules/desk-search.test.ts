import { expect, test } from 'vitest'
import { renewalNumber } from './access-code.ts'
import { recognise } from './desk-search.ts'

test('DSK-8 the box recognises what was entered, as people write it', () => {
  const kinds = (text: string) => recognise(text).map(({ kind, value }) => `${kind} ${value}`)
  expect(kinds(' Anna.Nowak@mail.example ')).toEqual(['email Anna.Nowak@mail.example', 'login Anna.Nowak@mail.example'])
  expect(kinds('440514 01458')).toEqual(['identifier PNOPL-44051401458'])
  expect(kinds('pnode-123abc')).toEqual(['identifier PNODE-123ABC'])
  expect(kinds('501 502 503')).toEqual(['phone +48501502503'])
  expect(kinds('+49 (151) 234-567')).toEqual(['phone +49151234567'])
  expect(kinds('0049 151234567')).toEqual(['phone +49151234567'])
  expect(kinds('malgorzata')).toEqual(['login malgorzata', 'number malgorzata'])
  expect(kinds('S/2026/17')).toEqual(['number S/2026/17'])
  // Eleven digits without the check digit of a PESEL are no PESEL.
  expect(kinds('44051401459')).toEqual(['login 44051401459', 'number 44051401459'])
})

test('DSK-8 a serial number is read in hexadecimal and in decimal', () => {
  const serials = (text: string) => recognise(text).flatMap((each) => (each.kind === 'number' ? each.serials : []))
  expect(serials('00:0A:bc:DE')).toEqual(['0ABCDE'])
  expect(serials('0x0abcde')).toEqual(['0ABCDE'])
  expect(serials('123 456 789 012 345')).toEqual(['0123456789012345', '7048860DDF79'])
  expect(serials('U-20871')).toEqual([])
  expect(serials('malgorzata')).toEqual([])
})

test('DSK-8 the number of a renewal names the ids that begin with it', () => {
  const id = 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6'
  const [, found] = recognise(renewalNumber(id))
  const range = found?.kind === 'number' ? found.renewal : undefined
  expect(range).toEqual({ from: 'f81d4fae-7d00-0000-0000-000000000000', to: 'f81d4fae-7dff-ffff-ffff-ffffffffffff' })
})
