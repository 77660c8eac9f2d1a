import { birthDateOfPesel } from '../contract/identifier-numbers.ts'
import type { Identification } from '../contract/personal-data.ts'

type Holder = {
  pesel: string
  birthPlace: string
  idCard: string
  validTo: string | null
  issuedBy: string
}

/** A Polish citizen, known by PESEL and identity card. */
export const citizen = ({ pesel, birthPlace, idCard, validTo, issuedBy }: Holder): Identification => ({
  nationality: 'PL',
  identifierType: 'PNO',
  issuingCountry: 'PL',
  identificationNumber: pesel,
  birthDate: birthDateOfPesel(pesel)!,
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

/** A citizen of another country, known by passport alone. */
export const foreigner = ({ country, passport, validTo, issuedBy, ...born }: Traveller): Identification => ({
  nationality: country,
  identifierType: 'PAS',
  issuingCountry: country,
  identificationNumber: passport,
  ...born,
  document: { type: 'PA', number: passport, validTo, issuedBy },
})
