import * as z from 'zod/mini'
import { Day } from './day.ts'
import { component, described } from './documented.ts'
import type { FieldProblem } from './errors.ts'
import { patternText, line } from './fields.ts'
import { limits } from './limits.ts'
import {
  birthDateOfPesel,
  isForeignDocument,
  isMobileIdCard,
  isNip,
  isPesel,
  isPolishIdCard,
  isPolishPassport,
  isResidenceCard,
} from './rules/identifier-numbers.ts'

export const IdentifierType = component(
  'IdentifierType',
  'The kind of an identifier in a certificate (ETSI EN 319 412-1 §5.1.3): `PNO` personal number, `TIN` tax number, `PAS` passport, `IDC` identity card; `ECN` is the provider’s own number.',
  z.enum(['PNO', 'TIN', 'PAS', 'IDC', 'ECN']),
)
export type IdentifierType = z.infer<typeof IdentifierType>

export const DocumentType = component(
  'DocumentType',
  'The kind of an identity document: `DO` identity card, `PA` passport, `KP` residence card, `MD` mDowód.',
  z.enum(['DO', 'PA', 'KP', 'MD']),
)
export type DocumentType = z.infer<typeof DocumentType>

const CountryCode = component('CountryCode', 'ISO 3166-1 alpha-2.', patternText(2, /^[A-Z]{2}$/))

const RegisterNumber = patternText(32, /^[A-Z0-9-]{1,32}$/)

const wrong = (...path: string[]) => ({ error: 'format' satisfies FieldProblem, path })

export const IdentityDocument = component(
  'IdentityDocument',
  'The document by which a customer was identified.',
  z.strictObject({
    type: DocumentType,
    number: described('Its number: at most 32 capital letters, digits and `-`.', RegisterNumber),
    validTo: described('The last day on which it is valid; null if it does not expire.', z.nullable(Day)),
    issuedBy: described('The authority that has issued it.', line(limits.text.name)),
  }),
)
export type IdentityDocument = z.infer<typeof IdentityDocument>

export const ShownIdentity = z.strictObject({
  nationality: described('ISO 3166-1 alpha-2.', z.string()),
  identifierType: IdentifierType,
  issuingCountry: described('The country of the number; null for ECN.', z.nullable(z.string())),
  identificationNumber: described('The number itself.', z.string()),
})

export const Identification = component(
  'Identification', // DAT-1, VAL-4
  'The identity of a customer, which the provider has checked with a document. Numbers are checked by the rules of their registers.',
  z
    .strictObject({
      nationality: CountryCode,
      identifierType: IdentifierType,
      issuingCountry: described(
        'The country of the number; null for ECN, the provider’s own number.',
        z.nullable(CountryCode),
      ),
      identificationNumber: described(
        'The number itself, such as a PESEL: at most 32 capital letters, digits and `-`.',
        RegisterNumber,
      ),
      birthDate: Day,
      birthPlace: line(limits.text.name),
      document: IdentityDocument,
    })
    .check(
      z.refine((data) => (data.identifierType === 'ECN') === (data.issuingCountry === null), wrong('issuingCountry')),
      z.refine(identifierFits, wrong('identificationNumber')),
      z.refine(birthDateFits, wrong('birthDate')),
      z.refine(
        ({ document, nationality }) => documentFits(document.type, nationality, document.number),
        wrong('document', 'number'),
      ),
    ),
)
export type Identification = z.infer<typeof Identification>

type Identifier = { identifierType: IdentifierType; issuingCountry: string | null; identificationNumber: string }

/** Checks a number by the rules of its register; for other countries only the form is known. */
function identifierFits({ identifierType, issuingCountry, identificationNumber: number }: Identifier): boolean {
  const isPolish = issuingCountry === 'PL'
  if (identifierType === 'PNO') return !isPolish || isPesel(number)
  if (identifierType === 'TIN') return !isPolish || isNip(number)
  if (identifierType === 'PAS') return isPolish ? isPolishPassport(number) : isForeignDocument(number)
  return identifierType !== 'IDC' || !isPolish || isPolishIdCard(number)
}

function birthDateFits({ birthDate, ...identifier }: Identifier & { birthDate: string }): boolean {
  const { identifierType, issuingCountry, identificationNumber } = identifier
  if (identifierType !== 'PNO' || issuingCountry !== 'PL') return true
  return (birthDateOfPesel(identificationNumber) ?? birthDate) === birthDate
}

/**
 * Checks whether a document's type, nationality and number fit: passports and identity cards are issued by the country of one's
 * nationality, residence cards and mDowód by Poland.
 */
export function documentFits(type: DocumentType, nationality: string, number: string): boolean {
  if (type === 'KP') return isResidenceCard(number)
  if (type === 'MD') return isMobileIdCard(number)
  if (nationality !== 'PL') return isForeignDocument(number)
  return type === 'DO' ? isPolishIdCard(number) : isPolishPassport(number)
}
