import { birthDateOfPesel } from '../../contract/rules/identifier-numbers.ts'
import type { Identification } from '../../contract/personal-data.ts'

type Holder = { pesel: string; birthPlace: string; idCard: string; validTo: string | null; issuedBy: string }

/** A Polish citizen with PESEL and identity card. */
export const citizen = ({ pesel, birthPlace, idCard, validTo, issuedBy }: Holder): Identification => ({
  nationality: 'PL',
  identifierType: 'PNO',
  issuingCountry: 'PL',
  identificationNumber: pesel,
  birthDate: birthDateOfPesel(pesel) ?? '',
  birthPlace,
  document: { type: 'DO', number: idCard, validTo, issuedBy },
})

type Traveller = {
  country: string
  passport: string
  birthDate: string
  birthPlace: string
  validTo: string
  issuedBy: string
}

/** A citizen of another country with a passport only. */
export const foreigner = ({ country, passport, validTo, issuedBy, ...born }: Traveller): Identification => ({
  nationality: country,
  identifierType: 'PAS',
  issuingCountry: country,
  identificationNumber: passport,
  ...born,
  document: { type: 'PA', number: passport, validTo, issuedBy },
})
