import type { Renewal } from '../../../contract/renewal.ts'
import { judgeChoice } from '../../../contract/rules/renewal-rules.ts'
import { addDays, addYears, atWarsawClock, warsawDay } from '../../../contract/rules/warsaw-time.ts'
import { dayIn, inDays } from '../fake-replies.ts'

const uid = '6f1c2b2e-4a57-4b1e-9d0c-5a3c7b1f2d10'

/** Returns the time in this many days at the hour at which certificates of the demonstration end; the other pages show this hour too. */
const endIn = (days: number) => atWarsawClock(`${addDays(warsawDay(new Date()), days)}T14:00:00`).toISOString()

/** Returns a renewal at its second step. */
export const sampleRenewal = (over: Partial<Renewal> = {}): Renewal => ({
  uid,
  state: 'personal-data',
  version: 2,
  now: inDays(0),
  openedAt: inDays(-1),
  endsAt: inDays(11),
  certificate: {
    signature: '0d2b7c5e-93c5-4b0a-8f0e-1f2c3d4e5f60',
    name: 'Małgorzata Wiśniewska',
    company: 'Kancelaria Źródło sp. z o.o.',
    unit: null,
    position: 'radca prawny',
    identifier: { type: 'PNO', country: 'PL', value: '85031212343' },
    validFrom: endIn(-718),
    validTo: endIn(12),
    status: 'good',
  },
  person: {
    firstName: 'Małgorzata',
    secondName: 'Anna',
    surname: 'Wiśniewska',
    email: 'm.wisniewska@kancelaria-zrodlo.example',
    phone: '+48600100417',
    maskedPhone: '+48 ••• ••• 417',
    birthDate: '1985-03-12',
    birthPlace: 'Szczebrzeszyn',
    nationality: 'PL',
    commonName: 'Małgorzata Anna Wiśniewska',
    pesel: '85031212343',
    identifier: { type: 'PNO', country: 'PL', value: '85031212343' },
    document: identityDocument,
    isMatching: true,
  },
  identityCheck: null,
  parameters: {
    start: 'continuity',
    activationDate: null,
    years: 2,
    certificateType: 'company',
    company: 'Kancelaria Źródło sp. z o.o.',
    unit: null,
    position: 'radca prawny',
    language: 'pl',
    identifier: 'same',
  },
  isSaved: true,
  isFinal: true,
  shortenedTo: null,
  stops: [],
  terms: null,
  agreement: null,
  hasSigningFailed: false,
  signedAt: null,
  signature: null,
  note: null,
  ...over,
})

export const identityDocument = {
  type: 'DO',
  number: 'ABA300000',
  validTo: dayIn(1200),
  issuedBy: 'Burmistrz Szczebrzeszyna',
} as const

export const withPerson = (person: Partial<Renewal['person']>, over: Partial<Renewal> = {}) => {
  const renewal = sampleRenewal(over)
  return { ...renewal, person: { ...renewal.person, ...person } }
}

const cardNumber = { type: 'IDC', country: 'PL', value: identityDocument.number } as const

/** Returns a renewal at its first step. Its certificate names the identity document, which ends before the new certificate would. */
export const firstStep = (over: Partial<Renewal> = {}, documentDays = 528) =>
  withPerson(
    { document: { ...identityDocument, validTo: dayIn(documentDays) }, identifier: cardNumber },
    {
      state: 'parameters',
      version: 1,
      isSaved: false,
      isFinal: false,
      certificate: { ...sampleRenewal().certificate, identifier: cardNumber },
      ...over,
    },
  )

/** Computes the terms chosen in a renewal by the rules of the portal. */
function termsOf({ parameters, certificate, person, now }: Renewal) {
  const renewed = { ...certificate, validTo: new Date(certificate.validTo) }
  const { from, to } = judgeChoice(parameters, renewed, person.document?.validTo ?? null, {
    now: new Date(now),
    acceptedTo: null,
  }).validity
  return { from: from.toISOString(), to: to.toISOString(), identifier: certificate.identifier }
}

export const inSigning = (over: Partial<Renewal> = {}) =>
  sampleRenewal({
    state: 'signing',
    version: 3,
    terms: termsOf(sampleRenewal()),
    agreement: { sha256: '1a2b3c4d'.repeat(8), bytes: 212_000, isSigned: false },
    ...over,
  })

export const signed = (over: Partial<Renewal> = {}) =>
  inSigning({
    state: 'signed',
    signedAt: inDays(0),
    agreement: { sha256: '1a2b3c4d'.repeat(8), bytes: 268_000, isSigned: true },
    ...over,
  })

/** Returns an issued renewal whose certificate becomes valid in this many days, when the current one ends. */
export const issued = (days: number, over: Partial<Renewal> = {}, pairedAt: string | null = null) => {
  const { certificate } = sampleRenewal()
  const from = days > 0 ? endIn(days) : inDays(days)
  const to = addYears(new Date(from), sampleRenewal().parameters.years).toISOString()
  return signed({
    state: 'issued',
    signedAt: inDays(-0.05),
    certificate: { ...certificate, validTo: from },
    terms: { from, to, identifier: certificate.identifier },
    signature: {
      id: '0d2b7c5e-93c5-4b0a-8f0e-1f2c3d4e5f61',
      validFrom: from,
      validTo: to,
      canPair: days <= 0,
      pairedAt,
    },
    ...over,
  })
}
