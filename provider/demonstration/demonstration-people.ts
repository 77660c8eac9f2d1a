import type { Identification } from '../../contract/identification.ts'
import type { ProviderCustomer } from '../../contract/provider/provider-customers.ts'
import { birthDateOfPesel } from '../../contract/rules/identifier-numbers.ts'
import { addDays, warsawDay } from '../../contract/rules/warsaw-time.ts'
import type { Period } from '../../contract/signatures-and-seals.ts'
import type { PersonSubject } from '../authority/subscriber.ts'
import type { KeySettings } from '../signing-service/signing-keys.ts'

export const demonstrationPassword = 'Demo-Sygnet-2026!'

/** A signature of the demonstration, with its validity relative to today, so that it stays current. */
export type DemonstrationSignature = {
  /** The provider's id. */
  id: string
  product: 'app' | 'card' | 'file'
  identifier: `${'PNO' | 'TIN' | 'PAS' | 'IDC'}${string}-${string}` | `ECN-${string}`
  period: Period
  /** Days from today to the end; the beginning is the period before it unless `startsIn` says otherwise. */
  endsIn: number
  startsIn?: number
  status?: 'suspended' | 'revoked'
  organisation?: NonNullable<PersonSubject['organisation']>
  /** Whether there is an agreement; that of a signature just made is still being generated. */
  agreement?: false
  /** Whether the signing service has its key, so that its owner can sign in the portal. */
  remote?: true
  /** Factors that the service requires from its owner in addition to the portal's code; none if undefined. */
  requiredFactors?: Partial<Pick<KeySettings, 'mode' | 'otp'>> & { pin?: string }
}

/** The identification matches the identifiers of the signatures; it is missing before the provider has seen a document. */
export type DemonstrationCustomer = ProviderCustomer & {
  id: string
  /** Situation that the customer demonstrates. */
  scenario: string
  blocked?: true
  /** Whether the invitation is still in the mailbox, and no password is set. */
  invited?: true
  signatures: DemonstrationSignature[]
}

/** Returns a date relative to today, so that data depending on it stay current. */
const dayIn = (days: number) => addDays(warsawDay(new Date()), days)

const firm = {
  name: 'Kancelaria Źródło sp. z o.o.',
  identifier: 'VATPL-1234563218',
  unit: 'Dział umów',
  position: 'Radca prawny',
}

/** Returns the names of a customer, who reads Polish unless the entry says otherwise. */
const named = (firstName: string, secondName: string | null, surname: string) => ({
  firstName,
  secondName,
  surname,
  locale: 'pl' as const,
})

/** Returns the identification of a Polish citizen with PESEL and identity card. */
const citizen = (
  pesel: string,
  birthPlace: string,
  idCard: string,
  validTo: string | null,
  issuedBy: string,
): Identification => ({
  nationality: 'PL',
  identifierType: 'PNO',
  issuingCountry: 'PL',
  identificationNumber: pesel,
  birthDate: birthDateOfPesel(pesel) ?? '',
  birthPlace,
  document: { type: 'DO', number: idCard, validTo, issuedBy },
})

/** Returns the identification of a citizen of another country with a passport only. */
const foreigner = (
  country: string,
  passport: { number: string; validTo: string; issuedBy: string },
  birth: Pick<Identification, 'birthDate' | 'birthPlace'>,
): Identification => ({
  nationality: country,
  identifierType: 'PAS',
  issuingCountry: country,
  identificationNumber: passport.number,
  ...birth,
  document: { type: 'PA', ...passport },
})

const signature = (
  id: string,
  product: DemonstrationSignature['product'],
  identifier: DemonstrationSignature['identifier'],
  period: Period,
  endsIn: number,
  more: Partial<DemonstrationSignature> = {},
): DemonstrationSignature => ({ id, product, identifier, period, endsIn, ...more })

/** Every state that the screens can show. Numbers are the specification's samples or come from ranges kept for tests. */
export const people: readonly DemonstrationCustomer[] = [
  {
    id: 'demo-malgorzata',
    login: 'malgorzata',
    email: 'm.wisniewska@kancelaria-zrodlo.example',
    phone: '+48600100417',
    ...named('Małgorzata', null, 'Wiśniewska'),
    identification: citizen('85031212343', 'Łódź', 'ABA300000', '2034-05-02', 'Prezydent m.st. Warszawy'),
    scenario:
      'a signature that expires in 12 days, an active one, an expired one; administers a seal, and is invited to another',
    signatures: [
      signature('demo-malgorzata-app', 'app', 'PNOPL-85031212343', '2_year', 12, { remote: true }),
      signature('demo-malgorzata-card', 'card', 'IDCPL-ABA300000', '3_year', 540, { organisation: firm }),
      signature('demo-malgorzata-file', 'file', 'PNOPL-85031212343', '1_year', -1022),
    ],
  },
  {
    id: 'demo-nowy',
    login: 'nowy',
    email: 'jan.nowy@poczta.example',
    phone: '+48600100418',
    ...named('Jan', null, 'Nowy'),
    scenario: 'nothing at all: a newcomer',
    signatures: [],
  },
  {
    id: 'demo-spokojny',
    login: 'wilhelmina',
    email: 'wilhelmina.brzeczyszczykiewicz-swietochlowska@przedsiebiorstwo-wielobranzowe.example',
    phone: '+48600100419',
    ...named('Wilhelmina Aleksandra', 'Świętosława', 'Brzęczyszczykiewicz-Świętochłowska'),
    identification: citizen('44051401458', 'Szczebrzeszyn', 'ABA900002', null, 'Burmistrz Szczebrzeszyna'),
    scenario: 'long Polish names, in a seal too, and nothing urgent',
    signatures: [
      signature('demo-wilhelmina-app', 'app', 'PNOPL-44051401458', '3_year', 900, {
        organisation: {
          name: 'Przedsiębiorstwo Wielobranżowe Żółć i Gęśl sp. z o.o. sp.k. w Szczebrzeszynie',
          identifier: 'VATPL-1234563218',
        },
        remote: true,
      }),
    ],
  },
  {
    id: 'demo-kolekcja',
    login: 'zofia',
    email: 'zofia.zielinska@biuro.example',
    phone: '+48600100420',
    ...named('Zofia', null, 'Zielińska'),
    identification: citizen('44051401458', 'Zielona Góra', 'ABA200003', '2035-01-31', 'Prezydent Zielonej Góry'),
    scenario: '60 certificates, a seal that expires in 40 days, a suspended one',
    signatures: Array.from({ length: 60 }, (_, i) => ({
      id: `demo-zofia-${String(i + 1).padStart(2, '0')}`,
      product: i % 3 === 0 ? 'app' : i % 3 === 1 ? 'card' : 'file',
      // The later ones have their own, so that none of them continues an earlier one.
      identifier: i % 4 && i < 20 ? ('PNOPL-44051401458' as const) : (`ECN-Z${1000 + i}` as const),
      period: i % 3 === 0 ? '1_year' : i % 3 === 1 ? '2_year' : '3_year',
      // Some urgent, some soon, some far, and a third of them past.
      endsIn: i % 3 === 2 ? -20 - 11 * i : 5 + 14 * i,
      ...(i % 5
        ? {}
        : { organisation: { name: `Oddział nr ${1 + i / 5}, Biuro Zielińska S.A.`, identifier: 'VATPL-1234563218' } }),
    })),
  },
  {
    id: 'demo-czeka',
    login: 'tomasz',
    email: 'tomasz.czekaj@poczta.example',
    phone: '+48600100421',
    ...named('Tomasz', null, 'Czekaj'),
    identification: {
      ...citizen('78110402331', 'Toruń', 'ABA600001', '2033-09-14', 'Prezydent Torunia'),
      identifierType: 'TIN',
      identificationNumber: '1234563218',
    },
    scenario:
      'a signature that is not yet valid, its agreement still being generated; signs with a code of the signing service and the PIN 246810; a user, no administrator, of a seal',
    signatures: [
      signature('demo-tomasz-next', 'app', 'TINPL-1234563218', '2_year', 735, { startsIn: 5, agreement: false }),
      signature('demo-tomasz-now', 'app', 'TINPL-1234563218', '1_year', 5, {
        remote: true,
        requiredFactors: { otp: 'sent', pin: '246810' },
      }),
    ],
  },
  {
    id: 'demo-wygasly',
    login: 'ewa',
    email: 'ewa.dawna@poczta.example',
    phone: '+48600100422',
    ...named('Ewa', null, 'Dawna'),
    identification: citizen('44051401458', 'Dawne', 'ABA500004', '2025-11-30', 'Wójt Gminy Dawne'),
    scenario: 'expired, suspended and revoked signatures only',
    signatures: [
      signature('demo-ewa-expired', 'card', 'PNOPL-44051401458', '1_year', -3),
      signature('demo-ewa-suspended', 'app', 'PNOPL-44051401458', '2_year', 300, { status: 'suspended' }),
      signature('demo-ewa-revoked', 'app', 'PNOPL-44051401458', '2_year', 410, { status: 'revoked' }),
    ],
  },
  {
    id: 'demo-oliver',
    login: 'oliver',
    email: 'oliver.smith@mail.example',
    phone: '+447700900123',
    ...named('Oliver', 'James', 'Smith'),
    locale: 'en',
    identification: foreigner(
      'GB',
      { number: '533401372', validTo: '2033-03-08', issuedBy: 'HM Passport Office' },
      { birthDate: '1988-08-21', birthPlace: 'Leeds' },
    ),
    scenario: 'an English-speaking customer with a passport and an agreement in English',
    signatures: [signature('demo-oliver-app', 'app', 'PASGB-533401372', '1_year', 45, { remote: true })],
  },
  {
    id: 'demo-krotki',
    login: 'kamila',
    email: 'kamila.dowodowa@poczta.example',
    phone: '+48600100426',
    ...named('Kamila', null, 'Dowodowa'),
    identification: citizen('90071501461', 'Kielce', 'ABA400007', dayIn(530), 'Prezydent Kielc'),
    scenario:
      'a signature to renew, of a firm and by ID card, which ends before the new certificate would; the signing service confirms by itself',
    signatures: [
      signature('demo-kamila-app', 'app', 'IDCPL-ABA400007', '2_year', 12, {
        organisation: firm,
        remote: true,
        requiredFactors: { mode: 'implicit' },
      }),
    ],
  },
  {
    id: 'demo-nieaktualny',
    login: 'bruno',
    email: 'bruno.stary@poczta.example',
    phone: '+48600100427',
    ...named('Bruno', null, 'Stary'),
    identification: citizen('78110402331', 'Bytom', 'ABA700008', dayIn(-30), 'Prezydent Bytomia'),
    scenario:
      'a signature to renew, authorised at the page of the signing service, and an identity document that has expired',
    signatures: [
      signature('demo-bruno-app', 'app', 'PNOPL-78110402331', '2_year', 30, {
        remote: true,
        requiredFactors: { mode: 'oauth2code' },
      }),
    ],
  },
  {
    id: 'demo-platnik',
    login: 'irena',
    email: 'irena.kasprzak@grosik.example',
    phone: '+48600100428',
    ...named('Irena', null, 'Kasprzak'),
    identification: citizen('90071501461', 'Kielce', 'ABA140000', '2034-03-11', 'Prezydent Kielc'),
    scenario: 'signatures of one day and of 30 days, and administers a PSD2 seal on a card and a seal in a file',
    signatures: [
      signature('demo-irena-day', 'app', 'PNOPL-90071501461', '1_day', 0, { remote: true }),
      signature('demo-irena-month', 'file', 'PNOPL-90071501461', '30_days', 20),
    ],
  },
  {
    id: 'demo-zablokowany',
    login: 'zablokowany',
    email: 'piotr.zamkniety@poczta.example',
    phone: '+48600100424',
    ...named('Piotr', null, 'Zamknięty'),
    identification: citizen('44051401458', 'Kłodzko', 'ABA800005', '2032-06-17', 'Burmistrz Kłodzka'),
    scenario: 'a blocked account: the right password leads to the page that unblocks it',
    blocked: true,
    signatures: [signature('demo-piotr-app', 'app', 'PNOPL-44051401458', '2_year', 200)],
  },
  {
    id: 'demo-zaproszona',
    login: 'helena',
    email: 'helena.gosc@poczta.example',
    phone: '+48600100425',
    ...named('Helena', 'Maria', 'Gość'),
    identification: citizen('90071501461', 'Żywiec', 'ABA100006', '2034-11-20', 'Burmistrz Żywca'),
    scenario: 'has no password yet: the invitation is among the e-mails',
    invited: true,
    signatures: [
      signature('demo-helena-app', 'app', 'PNOPL-90071501461', '2_year', 733, { startsIn: 3 }),
      signature('demo-helena-card', 'card', 'IDCPL-ABA100006', '1_year', 365, { startsIn: 0 }),
    ],
  },
  {
    id: 'demo-invited',
    login: 'emma',
    email: 'emma.guest@mail.example',
    phone: '+353850000123',
    ...named('Emma', null, 'Guest'),
    locale: 'en',
    identification: foreigner(
      'IE',
      { number: 'XN5003566', validTo: '2031-10-12', issuedBy: 'Passport Office, Dublin' },
      { birthDate: '1979-12-01', birthPlace: 'Cork' },
    ),
    scenario: 'the same in English, with a passport',
    invited: true,
    signatures: [signature('demo-emma-app', 'app', 'PASIE-XN5003566', '1_year', 366, { startsIn: 1 })],
  },
]

/** Finds the person with an id or a login; throws RangeError if there is none. */
export function findPerson(key: Partial<Pick<DemonstrationCustomer, 'id' | 'login'>>): DemonstrationCustomer {
  const person = people.find(({ id, login }) => id === key.id || login === key.login)
  if (!person) throw new RangeError('There is no such person')
  return person
}

const { firstName: givenName, surname } = findPerson({ id: 'demo-malgorzata' })
/** The customer who signs documents, as in the certificate. */
export const documentSigner: PersonSubject = {
  kind: 'person',
  givenName,
  surname,
  serialNumber: 'PNOPL-85031212343',
  country: 'PL',
}
