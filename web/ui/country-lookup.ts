import { countryFound, findCountry } from '../../contract/country.ts'
import { isPhoneCountry, type Country } from '../../contract/phone.ts'
import { call } from '../api.ts'

let asked: Promise<Country> | undefined

/** The country of this visitor's address, asked once a visit; rejects in the specification's words (PHO-2). */
export const lookUpCountry = () => (asked ??= ask())

async function ask() {
  const answer = await call(findCountry).catch(() => undefined)
  const country = answer && countryFound(answer.result)
  if (!country || !isPhoneCountry(country)) throw new Error('unable to fetch the country')
  return country
}
