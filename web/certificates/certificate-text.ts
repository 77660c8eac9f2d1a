import type { Text } from '../../contract/enums.ts'

/** Texts for attributes of a distinguished name; others are shown by their own name. */
export const attributeText: Partial<Record<string, Text>> = {
  CN: { pl: 'Nazwa powszechna', en: 'Common name' },
  GN: { pl: 'Imię (imiona)', en: 'Given name(s)' },
  SN: { pl: 'Nazwisko', en: 'Surname' },
  serialNumber: { pl: 'Numer identyfikacyjny', en: 'Identification number' },
  pseudonym: { pl: 'Pseudonim', en: 'Pseudonym' },
  title: { pl: 'Stanowisko', en: 'Position' },
  O: { pl: 'Organizacja', en: 'Organisation' },
  OU: { pl: 'Jednostka organizacyjna', en: 'Organisational unit' },
  organizationIdentifier: { pl: 'Identyfikator organizacji', en: 'Organisation identifier' },
  C: { pl: 'Kraj', en: 'Country' },
  ST: { pl: 'Województwo', en: 'Province' },
  L: { pl: 'Miejscowość', en: 'Town' },
  street: { pl: 'Ulica', en: 'Street' },
  postalCode: { pl: 'Kod pocztowy', en: 'Postal code' },
  E: { pl: 'E-mail', en: 'E-mail' },
}

/** RFC 5280 §4.2.1.3. */
export const keyUsageText: Partial<Record<string, Text>> = {
  digitalSignature: { pl: 'podpis cyfrowy', en: 'digital signature' },
  nonRepudiation: { pl: 'niezaprzeczalność', en: 'non-repudiation' },
  keyEncipherment: { pl: 'szyfrowanie kluczy', en: 'key encipherment' },
  dataEncipherment: { pl: 'szyfrowanie danych', en: 'data encipherment' },
  keyAgreement: { pl: 'uzgadnianie kluczy', en: 'key agreement' },
  keyCertSign: { pl: 'podpisywanie certyfikatów', en: 'certificate signing' },
  cRLSign: { pl: 'podpisywanie list unieważnionych', en: 'revocation list signing' },
}
