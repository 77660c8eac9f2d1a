import { countryFound, findCountry } from '../../contract/country.ts'
import { isPhoneCountry, type Country } from '../../contract/rules/phone.ts'
import { call } from '../api.ts'

let lookup: Promise<Country> | undefined

/** The country of this visitor's address, requested once a visit; rejects with the text of the specification (PHO-2). */
export const lookUpCountry = () => (lookup ??= requestCountry())

async function requestCountry() {
  const answer = await call(findCountry, { optional: true }).catch(() => undefined)
  const country = answer && countryFound(answer.result)
  if (!country || !isPhoneCountry(country)) throw new Error('unable to fetch the country')
  return country
}
