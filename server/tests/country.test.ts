import examples from 'libphonenumber-js/mobile/examples'
import { expect, test } from 'vitest'
import { findCountry } from '../../contract/country.ts'
import { limits } from '../../contract/limits.ts'
import { callingCode, phoneCountries } from '../../contract/rules/phone.ts'
import { putCustomer } from '../../contract/provider/provider-api.ts'
import { openBrowser } from '../testing/browser.ts'
import { openPortal } from '../testing/open-portal.ts'
import { samplePerson } from '../testing/portal-nodes.ts'

let asked: string[] = []
let found: string | undefined
const lookUp = async (address: string) => {
  asked.push(address)
  return found
}
const portal = await openPortal({ ports: { country: { lookUp } } })

const visitor = (address: string) => openBrowser(portal, { address })

test('PHO-2 anyone gets the country of their own address from the port', async () => {
  found = '1;DE'
  asked = []
  const { status, body } = await visitor('198.51.100.20').call(findCountry)
  expect([status, body, asked]).toEqual([200, { result: '1;DE' }, ['198.51.100.20']])
})

test('PHO-2 a lookup that fails is an answer, not a failure of the call', async () => {
  found = undefined
  const { status, body } = await visitor('198.51.100.21').call(findCountry)
  expect([status, body]).toEqual([200, { result: '0' }])
})

test('PHO-2 R78 the lookups of one address are limited, and the form continues without them', async () => {
  found = '1;PL'
  asked = []
  const { limit } = limits.phone.lookups
  const answers = await Promise.all(Array.from({ length: limit + 5 }, () => visitor('198.51.100.22').call(findCountry)))
  expect(asked).toHaveLength(limit)
  expect(answers.map(({ status, body }) => `${status} ${body.result}`).toSorted()).toEqual([
    ...Array.from({ length: 5 }, () => '200 0'),
    ...Array.from({ length: limit }, () => '200 1;PL'),
  ])
  expect((await visitor('198.51.100.23').call(findCountry)).body.result).toBe('1;PL')
})

test('PHO-1 a provider may register the mobile number of any country', async () => {
  const browser = openBrowser(portal)
  // contract/rules/phone.test.ts reads a number of each country.
  const some = phoneCountries().filter((_, i) => i % 8 === 0)
  for (const country of some) {
    const body = samplePerson({ phone: `+${callingCode(country)}${examples[country]}` })
    const { status } = await browser.call(putCustomer, { params: { customer: `phone-${country}` }, body })
    expect([country, status]).toEqual([country, 200])
  }
})
