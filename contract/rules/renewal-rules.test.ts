import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import {
  activationDays,
  certifiedName,
  commonName,
  dataMatches,
  identifierMatches,
  presentIdentifier,
  endOfDocumentDay,
  isActivationDay,
  isDocumentValid,
  isTied,
  judgeChoice,
  newIdentifier,
  renewableFrom,
  refusalReasons,
  type Choice,
  type LastDocumentDay,
  type RenewedCertificate,
} from './renewal-rules.ts'
import { addYears, atWarsawClock, warsawClock } from './warsaw-time.ts'

const at = (text: string) => new Date(text)
const after = (moment: Date, ms: number) => new Date(moment.getTime() + ms)
const day = 86_400_000

/** Ends on 3 December 2026 at 14:20 in Warsaw, and is renewed 12 days before. */
const validTo = at('2026-12-03T13:20:00Z')
const now = at('2026-11-21T10:00:00Z')

type IdentifierOf = RenewedCertificate['identifier']

/** Every identifier type, and whether it ties the certificate to the document (defaults.md). */
const identifiers: [string, IdentifierOf, boolean][] = [
  ['PESEL', { type: 'PNO', country: 'PL' }, false],
  ['PNO of another country', { type: 'PNO', country: 'DE' }, true],
  ['TIN', { type: 'TIN', country: 'PL' }, false],
  ['PAS', { type: 'PAS', country: 'PL' }, true],
  ['PAS of another country', { type: 'PAS', country: 'GB' }, true],
  ['IDC', { type: 'IDC', country: 'PL' }, true],
  ['ECN', { type: 'ECN', country: null }, false],
]

const options = {
  continuity: { start: 'continuity', activationDate: null },
  immediately: { start: 'immediately', activationDate: null },
  'on a day': { start: 'immediately', activationDate: '2026-12-24' },
} as const

/** The start, and the last second of 1, 2 and 3 years, calculated by hand. */
const begins = {
  continuity: ['2026-12-03T13:20:01Z', '2027-12-03T13:20:00Z', '2028-12-03T13:20:00Z', '2029-12-03T13:20:00Z'],
  immediately: ['2026-11-21T10:00:00Z', '2027-11-21T09:59:59Z', '2028-11-21T09:59:59Z', '2029-11-21T09:59:59Z'],
  'on a day': ['2026-12-23T23:00:00Z', '2027-12-23T22:59:59Z', '2028-12-23T22:59:59Z', '2029-12-23T22:59:59Z'],
} as const

/** For a tied certificate, the result of each option for each last day of the document. `cut`: years from which on the end is shortened. */
const documents: [
  string,
  LastDocumentDay,
  { [option in keyof typeof options]: { cut: 1 | 2 | 3 | 4 } | 'ACTIVATION_AFTER_DOC_EXPIRY' | 'VALIDITY_TOO_SHORT' },
][] = [
  ['no expiry', null, { continuity: { cut: 4 }, immediately: { cut: 4 }, 'on a day': { cut: 4 } }],
  ['far away', '2036-05-02', { continuity: { cut: 4 }, immediately: { cut: 4 }, 'on a day': { cut: 4 } }],
  ['after 2 years', '2029-05-02', { continuity: { cut: 3 }, immediately: { cut: 3 }, 'on a day': { cut: 3 } }],
  ['after 1 year', '2028-05-02', { continuity: { cut: 2 }, immediately: { cut: 2 }, 'on a day': { cut: 2 } }],
  [
    'the very day of 2 years',
    '2028-12-03',
    { continuity: { cut: 3 }, immediately: { cut: 3 }, 'on a day': { cut: 2 } },
  ],
  ['the day before it', '2028-12-02', { continuity: { cut: 2 }, immediately: { cut: 3 }, 'on a day': { cut: 2 } }],
  ['within the year', '2027-03-01', { continuity: { cut: 1 }, immediately: { cut: 1 }, 'on a day': { cut: 1 } }],
  [
    'within 30 days',
    '2026-12-30',
    { continuity: 'VALIDITY_TOO_SHORT', immediately: { cut: 1 }, 'on a day': 'VALIDITY_TOO_SHORT' },
  ],
  [
    'before continuity',
    '2026-12-02',
    {
      continuity: 'ACTIVATION_AFTER_DOC_EXPIRY',
      immediately: 'VALIDITY_TOO_SHORT',
      'on a day': 'ACTIVATION_AFTER_DOC_EXPIRY',
    },
  ],
]

const certificateOf = (identifier: IdentifierOf): RenewedCertificate => ({ validTo, status: 'good', identifier })

const cases = identifiers.flatMap(([identifierName, identifier, tied]) =>
  documents.flatMap(([state, end, outcomes]) =>
    (Object.keys(options) as (keyof typeof options)[]).flatMap((option) =>
      ([1, 2, 3] as const).flatMap((years) =>
        (['same', 'pesel'] as const).map((chosen) => ({
          name: `${identifierName}, ${chosen}, document ${state}, ${option}, ${years} years`,
          choice: { ...options[option], years, identifier: chosen } satisfies Choice,
          certificate: certificateOf(identifier),
          end,
          tied: tied && chosen === 'same',
          outcome: outcomes[option],
          begins: begins[option],
          years,
        })),
      ),
    ),
  ),
)

test('REN-4 REN-5 R61 every identifier, document, option and period comes to what the table says', () => {
  expect(cases).toHaveLength(7 * 9 * 3 * 3 * 2)
  for (const { name, choice, certificate, end, tied, outcome, begins: moments, years } of cases) {
    const full = at(moments[years])
    const judged = judgeChoice(choice, certificate, end, { now, acceptedTo: null })
    expect(judged.validity.from, name).toEqual(at(moments[0]))
    expect(judged.validity.fullTo, name).toEqual(full)
    expect(isTied(certificate.identifier, choice.identifier), name).toBe(tied)
    // For an untied certificate, only a start after the document's end is refused, because everyone needs a valid document then.
    const expected = tied || outcome === 'ACTIVATION_AFTER_DOC_EXPIRY' ? outcome : { cut: 4 as const }
    if (typeof expected === 'string') {
      expect(judged, name).toMatchObject({ ok: false, reason: expected })
      continue
    }
    const cut = years >= expected.cut
    const to = cut ? endOfDocumentDay(end!) : full
    expect(judged.validity, name).toMatchObject({ to, isShortened: cut })
    expect(judged, name).toMatchObject(cut ? { ok: false, reason: 'SHORTENED_VALIDITY_NEEDS_CONSENT' } : { ok: true })
    if (!cut) continue
    expect(judgeChoice(choice, certificate, end, { now, acceptedTo: to }).ok, name).toBe(true)
    // R61: a consent to any other end is not valid.
    for (const wrong of [full, after(to, 1000), after(to, -1000)])
      expect(judgeChoice(choice, certificate, end, { now, acceptedTo: wrong }).ok, name).toBe(false)
  }
})

test('REN-6 each reason against a renewal stops it, to the second', () => {
  const pesel: IdentifierOf = { type: 'PNO', country: 'PL' }
  const stops = (
    moment: Date,
    over: Partial<Parameters<typeof refusalReasons>[0]> = {},
    end: LastDocumentDay | undefined = null,
    matches = true,
  ) => refusalReasons({ ...certificateOf(pesel), isBeingStopped: false, ...over }, end, { now: moment, matches })
  expect(stops(now)).toEqual([])
  const opens = renewableFrom(validTo)
  expect(validTo.getTime() - opens.getTime()).toBe(90 * day)
  expect(stops(after(opens, -1000))).toEqual(['TOO_EARLY'])
  expect(stops(after(opens, -1))).toEqual(['TOO_EARLY'])
  expect(stops(opens)).toEqual([])
  expect(stops(after(validTo, -1000))).toEqual([])
  expect(stops(validTo)).toEqual([])
  expect(stops(after(validTo, 1000))).toEqual(['CERT_EXPIRED'])
  expect(stops(now, { status: 'revoked' })).toEqual(['CERT_REVOKED'])
  expect(stops(now, { status: 'suspended' })).toEqual(['CERT_REVOKED'])
  expect(stops(now, { isBeingStopped: true })).toEqual(['CERT_REVOKED'])
  expect(stops(now, {}, null, false)).toEqual(['DATA_MISMATCH'])
  expect(refusalReasons({ ...certificateOf(pesel), isBeingStopped: false }, undefined, { now, matches: true })).toEqual(
    ['DATA_MISMATCH'],
  )
  expect(stops(now, {}, '2026-11-20')).toEqual(['DOC_EXPIRED'])
  expect(stops(now, {}, '2026-11-21')).toEqual([])
  expect(stops(after(validTo, 1000), { status: 'revoked' }, '2025-01-01', false)).toEqual([
    'CERT_EXPIRED',
    'CERT_REVOKED',
    'DATA_MISMATCH',
    'DOC_EXPIRED',
  ])
})

test('R61 a document is valid until the last second of its last day in Warsaw, in winter, in summer and when clocks change', () => {
  const lasts: [string, string][] = [
    ['2026-12-31', '2026-12-31T22:59:59.000Z'],
    ['2026-07-01', '2026-07-01T21:59:59.000Z'],
    ['2026-03-28', '2026-03-28T22:59:59.000Z'],
    ['2026-03-29', '2026-03-29T21:59:59.000Z'],
    ['2026-10-24', '2026-10-24T21:59:59.000Z'],
    ['2026-10-25', '2026-10-25T22:59:59.000Z'],
    ['2028-02-29', '2028-02-29T22:59:59.000Z'],
  ]
  for (const [last, end] of lasts) {
    expect(endOfDocumentDay(last).toISOString(), last).toBe(end)
    expect(isDocumentValid(last, at(end)), last).toBe(true)
    expect(isDocumentValid(last, after(at(end), 999)), last).toBe(true)
    expect(isDocumentValid(last, after(at(end), 1000)), last).toBe(false)
  }
  expect(isDocumentValid(null, at('2999-01-01T00:00:00Z'))).toBe(true)
})

test('REN-4 a document that ends with the certificate does not cut it, one a second earlier does', () => {
  const passport = { type: 'PAS', country: 'PL' } as const
  const choice: Choice = { start: 'continuity', activationDate: null, years: 1, identifier: 'same' }
  // A certificate whose new one ends at 23:59:58, 23:59:59 and 00:00:00 of the document's last day.
  const judged = (end: string) =>
    judgeChoice(choice, { ...certificateOf(passport), validTo: at(end) }, '2027-12-03', { now, acceptedTo: null })
  expect(judged('2026-12-03T22:59:58Z')).toMatchObject({ ok: true, validity: { isShortened: false } })
  expect(judged('2026-12-03T22:59:59Z')).toMatchObject({ ok: true, validity: { isShortened: false } })
  expect(judged('2026-12-03T23:00:00Z')).toMatchObject({ ok: false, validity: { to: at('2027-12-03T22:59:59Z') } })
})

test('REN-5 an activation is refused from the second after the end of the document on, for every identifier', () => {
  const choice: Choice = { start: 'continuity', activationDate: null, years: 2, identifier: 'same' }
  for (const [, identifier] of identifiers) {
    const judged = (end: string) =>
      judgeChoice(choice, { ...certificateOf(identifier), validTo: at(end) }, '2026-12-03', { now, acceptedTo: null })
    expect(judged('2026-12-03T22:59:58Z')).not.toMatchObject({ reason: 'ACTIVATION_AFTER_DOC_EXPIRY' })
    expect(judged('2026-12-03T22:59:59Z')).toMatchObject({ ok: false, reason: 'ACTIVATION_AFTER_DOC_EXPIRY' })
  }
})

test('REN-4 under 30 days are too short, 30 days are not', () => {
  const tied = certificateOf({ type: 'IDC', country: 'PL' })
  const choice: Choice = { start: 'immediately', activationDate: null, years: 1, identifier: 'same' }
  const end = endOfDocumentDay('2026-12-31')
  const judged = (moment: Date) => judgeChoice(choice, tied, '2026-12-31', { now: moment, acceptedTo: end })
  expect(judged(after(end, -30 * day)).ok).toBe(true)
  expect(judged(after(end, -30 * day + 1000))).toMatchObject({ ok: false, reason: 'VALIDITY_TOO_SHORT' })
})

test('REN-2 years are counted by Warsaw clocks over both changes, and 29 February has its own day', () => {
  const ends: [string, number, string][] = [
    // The hour that summer time skips (29 March 2026) and the one that occurs twice (25 October 2026).
    ['2025-03-29T01:30:00Z', 1, '2026-03-29T01:30:00.000Z'],
    ['2025-10-25T00:30:00Z', 1, '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T00:30:00Z', 1, '2027-10-25T00:30:00.000Z'],
    ['2026-10-25T01:30:00Z', 1, '2027-10-25T00:30:00.000Z'],
    ['2028-02-29T12:00:00Z', 1, '2029-02-28T12:00:00.000Z'],
    ['2028-02-29T12:00:00Z', 3, '2031-02-28T12:00:00.000Z'],
    ['2028-02-29T12:00:00Z', 4, '2032-02-29T12:00:00.000Z'],
    ['2027-02-28T12:00:00Z', 1, '2028-02-28T12:00:00.000Z'],
    // 29 February in Warsaw, and still the 28th by UTC.
    ['2028-02-28T23:30:00Z', 1, '2029-02-27T23:30:00.000Z'],
    ['2026-03-28T13:00:00Z', 1, '2027-03-28T12:00:00.000Z'],
  ]
  for (const [from, years, to] of ends) expect(addYears(at(from), years).toISOString(), from).toBe(to)
})

test('REN-2 an activation date is from tomorrow to 60 days ahead, in Warsaw days', () => {
  expect(activationDays(at('2026-11-21T22:59:59Z'))).toEqual({ first: '2026-11-22', last: '2027-01-20' })
  expect(activationDays(at('2026-11-21T23:00:00Z'))).toEqual({ first: '2026-11-23', last: '2027-01-21' })
  const days: [string | null, boolean][] = [
    [null, true],
    ['2026-11-21', false],
    ['2026-11-22', true],
    ['2027-01-20', true],
    ['2027-01-21', false],
  ]
  for (const [chosen, fine] of days) expect(isActivationDay(chosen, now), String(chosen)).toBe(fine)
  expect(limits.renewal.aheadDays).toBe(60)
})

test('REN-2 a chosen day that has come meanwhile is as soon as it is issued', () => {
  const choice: Choice = { start: 'immediately', activationDate: '2026-11-22', years: 1, identifier: 'same' }
  const judged = (moment: string) =>
    judgeChoice(choice, certificateOf({ type: 'ECN', country: null }), null, { now: at(moment), acceptedTo: null })
  expect(judged('2026-11-21T22:59:59Z').validity).toMatchObject({
    from: at('2026-11-21T23:00:00Z'),
    startsOnIssue: false,
  })
  expect(judged('2026-11-21T23:00:00Z').validity).toMatchObject({
    from: at('2026-11-21T23:00:00Z'),
    startsOnIssue: true,
  })
})

test('R61 what clocks in Warsaw show leads back to the moment, but for the hour that comes twice', () => {
  fc.assert(
    fc.property(
      fc.date({ min: at('2000-01-01T00:00:00Z'), max: at('2099-12-31T00:00:00Z'), noInvalidDate: true }),
      (date) => {
        const moment = new Date(Math.floor(date.getTime() / 1000) * 1000)
        const back = atWarsawClock(warsawClock(moment))
        expect(warsawClock(back)).toBe(warsawClock(moment))
        expect([0, 3_600_000]).toContain(moment.getTime() - back.getTime())
      },
    ),
  )
})

test('REN-6 data differ when the name or a number that can be compared does', () => {
  const person = { firstName: 'Małgorzata', secondName: null, surname: 'Wiśniewska' }
  const identification = {
    nationality: 'PL',
    identifierType: 'PNO',
    issuingCountry: 'PL',
    identificationNumber: '85031212343',
    birthDate: '1985-03-12',
    birthPlace: 'Łódź',
    document: { type: 'DO', number: 'ABA300000', validTo: '2034-05-02', issuedBy: 'Prezydent m.st. Warszawy' },
  } as const
  const certificate = (type: 'PNO' | 'IDC' | 'PAS' | 'ECN' | 'TIN', value: string, name = 'Małgorzata Wiśniewska') => ({
    name,
    identifier: { type, country: type === 'ECN' ? null : 'PL', value },
  })
  const matches = (renewed: ReturnType<typeof certificate>, owner = person) =>
    dataMatches(renewed, owner, identification)
  expect(matches(certificate('PNO', '85031212343'))).toBe(true)
  expect(matches(certificate('PNO', '44051401458'))).toBe(false)
  expect(matches(certificate('IDC', 'ABA300000'))).toBe(true)
  expect(matches(certificate('IDC', 'ABA900002'))).toBe(false)
  expect(matches(certificate('ECN', 'Z1001'))).toBe(true)
  expect(matches(certificate('PAS', 'ZS0000177'))).toBe(true)
  expect(matches(certificate('PNO', '85031212343', 'MAŁGORZATA  WIŚNIEWSKA'))).toBe(true)
  expect(matches(certificate('PNO', '85031212343', 'Małgorzata Nowak'))).toBe(false)
  expect(matches(certificate('PNO', '85031212343'), { ...person, surname: 'Nowak' })).toBe(false)
  expect(dataMatches(certificate('PNO', '85031212343'), person, undefined)).toBe(false)
})

test('REN-6 REN-13 the number of an earlier and of the present passport are the customer’s, and a renewal keeps the one that it renews', () => {
  const identification = {
    nationality: 'UA',
    identifierType: 'PAS',
    issuingCountry: 'UA',
    identificationNumber: 'FA111111',
    birthDate: '1990-01-01',
    birthPlace: 'Київ',
    document: { type: 'PA', number: 'FB222222', validTo: '2034-01-01', issuedBy: '8010' },
  } as const
  const passport = (value: string) => ({ type: 'PAS' as const, country: 'UA', value })
  for (const number of ['FA111111', 'FB222222']) {
    expect(identifierMatches(passport(number), identification)).toBe(true)
    expect(presentIdentifier(passport(number), identification)).toEqual(passport(number))
  }
  expect(identifierMatches(passport('FC333333'), identification)).toBe(false)
  expect(presentIdentifier(passport('FC333333'), identification)).toEqual(passport('FA111111'))
})

test('REN-13 the new certificate is named as the renewed one where that is the customer’s, and otherwise with all names', () => {
  const oliver = { firstName: 'Oliver', secondName: 'James', surname: 'Smith' }
  const named = (renewed: Parameters<typeof certifiedName>[0], person = oliver) =>
    commonName(certifiedName(renewed, person))
  const both = { name: 'Oliver James Smith', givenName: 'Oliver James', surname: 'Smith' }
  expect(named(both)).toBe('Oliver James Smith')
  expect(named({ name: 'Oliver Smith', givenName: 'Oliver', surname: 'Smith' })).toBe('Oliver Smith')
  // Without attributes of its own a name comes from what is known of the customer.
  expect(named({ name: 'OLIVER SMITH' })).toBe('Oliver James Smith')
  expect(named(both, { ...oliver, surname: 'Jones' })).toBe('Oliver James Jones')
  expect(named({ ...both, name: 'Oliver Kowalski' }, oliver)).toBe('Oliver James Smith')
})

test('REN-13 the new identifier is the number of the same kind as it is known now, or the PESEL', () => {
  const renewed = { type: 'IDC', country: 'PL', value: 'ABA300000' } as const
  const present = { type: 'IDC', country: 'PL', value: 'ABA900002' } as const
  expect(newIdentifier('same', renewed, { pesel: null, identifier: present })).toBe(present)
  expect(newIdentifier('same', renewed, { pesel: '44051401458', identifier: null })).toBe(renewed)
  const pesel = { type: 'PNO', country: 'PL', value: '44051401458' }
  expect(newIdentifier('pesel', renewed, { pesel: '44051401458', identifier: present })).toEqual(pesel)
  expect(newIdentifier('pesel', renewed, { pesel: null, identifier: present })).toBeUndefined()
})
