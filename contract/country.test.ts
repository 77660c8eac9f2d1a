import { expect, test } from 'vitest'
import { countryFound, findCountry } from './country.ts'

test('PHO-2 the first character 1 means success, then the two-letter code', () => {
  expect(countryFound('1;PL')).toBe('PL')
  for (const failed of ['0', '', '0;PL', '2;;;UNKNOWN', '1'])
    expect([failed, countryFound(failed)]).toEqual([failed, undefined])
})

test('PHO-2 nothing else leaves the server than a country or a failure', () => {
  for (const result of ['1;PL', '0']) expect(findCountry.reply.safeParse({ result }).success).toBe(true)
  for (const result of ['1;pl', '1;PL;POL;Poland', '1;', '2', '', 'PL', '1;PL\n'])
    expect([result, findCountry.reply.safeParse({ result }).success]).toEqual([result, false])
})
