import { addDays, warsawDay } from '../../contract/rules/warsaw-time.ts'
import type { Period } from '../../contract/enums.ts'
import type { ProviderCustomer } from '../../contract/provider/provider-api.ts'
import { citizen, foreigner } from './demonstration-identification.ts'
import type { KeySettings } from '../signing-service/signing-keys.ts'
import type { PersonSubject } from '../authority/subscriber.ts'

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
  /** The agreement of a signature just made is still being generated. */
  agreement?: false
  /** The signing service has its key, so that its owner can sign in the portal. */
  remote?: true
  /** What the service asks its owner for in addition to the portal's code; nothing unless given. */
  asks?: Partial<Pick<KeySettings, 'mode' | 'otp'>> & { pin?: string }
}

/** The identification matches the identifiers of the signatures; it is missing before the provider has seen a document. */
export type DemonstrationCustomer = ProviderCustomer & {
  id: string
  /** What the customer demonstrates. */
  shows: string
  blocked?: true
  /** The invitation is in the mailbox, and no password is set. */
  invited?: true
  signatures: DemonstrationSignature[]
}

/** A date relative to today, so that data depending on it stay current. */
const dayIn = (days: number) => addDays(warsawDay(new Date()), days)

const firm = {
  name: 'Kancelaria Źródło sp. z o.o.',
  identifier: 'VATPL-1234563218',
  unit: 'Dział umów',
  position: 'Radca prawny',
}

/** Every state that the screens can show. Numbers are the specification's samples or come from ranges kept for tests. */
export const people: readonly DemonstrationCustomer[] = [
  {
    id: 'demo-malgorzata',
    login: 'malgorzata',
    email: 'm.wisniewska@kancelaria-zrodlo.example',
    phone: '+48600100417',
    firstName: 'Małgorzata',
    secondName: null,
    surname: 'Wiśniewska',
    locale: 'pl',
    identification: citizen({
      pesel: '85031212343',
      birthPlace: 'Łódź',
      idCard: 'ABA300000',
      validTo: '2034-05-02',
      issuedBy: 'Prezydent m.st. Warszawy',
    }),
    shows:
      'a signature that expires in 12 days, an active one, an expired one; administers a seal, and is invited to another',
    signatures: [
      {
        id: 'demo-malgorzata-app',
        product: 'app',
        identifier: 'PNOPL-85031212343',
        period: '2_year',
        endsIn: 12,
        remote: true,
      },
      {
        id: 'demo-malgorzata-card',
        product: 'card',
        identifier: 'IDCPL-ABA300000',
        period: '3_year',
        endsIn: 540,
        organisation: firm,
      },
      { id: 'demo-malgorzata-file', product: 'file', identifier: 'PNOPL-85031212343', period: '1_year', endsIn: -1022 },
    ],
  },
  {
    id: 'demo-nowy',
    login: 'nowy',
    email: 'jan.nowy@poczta.example',
    phone: '+48600100418',
    firstName: 'Jan',
    secondName: null,
    surname: 'Nowy',
    locale: 'pl',
    shows: 'nothing at all: a newcomer',
    signatures: [],
  },
  {
    id: 'demo-spokojny',
    login: 'wilhelmina',
    email: 'wilhelmina.brzeczyszczykiewicz-swietochlowska@przedsiebiorstwo-wielobranzowe.example',
    phone: '+48600100419',
    firstName: 'Wilhelmina Aleksandra',
    secondName: 'Świętosława',
    surname: 'Brzęczyszczykiewicz-Świętochłowska',
    locale: 'pl',
    identification: citizen({
      pesel: '44051401458',
      birthPlace: 'Szczebrzeszyn',
      idCard: 'ABA900002',
      validTo: null,
      issuedBy: 'Burmistrz Szczebrzeszyna',
    }),
    shows: 'long Polish names, in a seal too, and nothing urgent',
    signatures: [
      {
        id: 'demo-wilhelmina-app',
        product: 'app',
        identifier: 'PNOPL-44051401458',
        period: '3_year',
        endsIn: 900,
        organisation: {
          name: 'Przedsiębiorstwo Wielobranżowe Żółć i Gęśl sp. z o.o. sp.k. w Szczebrzeszynie',
          identifier: 'VATPL-1234563218',
        },
        remote: true,
      },
    ],
  },
  {
    id: 'demo-kolekcja',
    login: 'zofia',
    email: 'zofia.zielinska@biuro.example',
    phone: '+48600100420',
    firstName: 'Zofia',
    secondName: null,
    surname: 'Zielińska',
    locale: 'pl',
    identification: citizen({
      pesel: '44051401458',
      birthPlace: 'Zielona Góra',
      idCard: 'ABA200003',
      validTo: '2035-01-31',
      issuedBy: 'Prezydent Zielonej Góry',
    }),
    shows: '60 certificates, a seal that expires in 40 days, a suspended one',
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
    firstName: 'Tomasz',
    secondName: null,
    surname: 'Czekaj',
    locale: 'pl',
    identification: {
      ...citizen({
        pesel: '78110402331',
        birthPlace: 'Toruń',
        idCard: 'ABA600001',
        validTo: '2033-09-14',
        issuedBy: 'Prezydent Torunia',
      }),
      identifierType: 'TIN',
      identificationNumber: '1234563218',
    },
    shows:
      'a signature that is not yet valid, its agreement still being generated; signs with a code of the signing service and the PIN 246810; a user, no administrator, of a seal',
    signatures: [
      {
        id: 'demo-tomasz-next',
        product: 'app',
        identifier: 'TINPL-1234563218',
        period: '2_year',
        startsIn: 5,
        endsIn: 735,
        agreement: false,
      },
      {
        id: 'demo-tomasz-now',
        product: 'app',
        identifier: 'TINPL-1234563218',
        period: '1_year',
        endsIn: 5,
        remote: true,
        asks: { otp: 'sent', pin: '246810' },
      },
    ],
  },
  {
    id: 'demo-wygasly',
    login: 'ewa',
    email: 'ewa.dawna@poczta.example',
    phone: '+48600100422',
    firstName: 'Ewa',
    secondName: null,
    surname: 'Dawna',
    locale: 'pl',
    identification: citizen({
      pesel: '44051401458',
      birthPlace: 'Dawne',
      idCard: 'ABA500004',
      validTo: '2025-11-30',
      issuedBy: 'Wójt Gminy Dawne',
    }),
    shows: 'expired, suspended and revoked signatures only',
    signatures: [
      { id: 'demo-ewa-expired', product: 'card', identifier: 'PNOPL-44051401458', period: '1_year', endsIn: -3 },
      {
        id: 'demo-ewa-suspended',
        product: 'app',
        identifier: 'PNOPL-44051401458',
        period: '2_year',
        endsIn: 300,
        status: 'suspended',
      },
      {
        id: 'demo-ewa-revoked',
        product: 'app',
        identifier: 'PNOPL-44051401458',
        period: '2_year',
        endsIn: 410,
        status: 'revoked',
      },
    ],
  },
  {
    id: 'demo-oliver',
    login: 'oliver',
    email: 'oliver.smith@mail.example',
    phone: '+447700900123',
    firstName: 'Oliver',
    secondName: 'James',
    surname: 'Smith',
    locale: 'en',
    identification: foreigner({
      country: 'GB',
      passport: '533401372',
      birthDate: '1988-08-21',
      birthPlace: 'Leeds',
      validTo: '2033-03-08',
      issuedBy: 'HM Passport Office',
    }),
    shows: 'an English-speaking customer with a passport and an agreement in English',
    signatures: [
      {
        id: 'demo-oliver-app',
        product: 'app',
        identifier: 'PASGB-533401372',
        period: '1_year',
        endsIn: 45,
        remote: true,
      },
    ],
  },
  {
    id: 'demo-krotki',
    login: 'kamila',
    email: 'kamila.dowodowa@poczta.example',
    phone: '+48600100426',
    firstName: 'Kamila',
    secondName: null,
    surname: 'Dowodowa',
    locale: 'pl',
    identification: citizen({
      pesel: '90071501461',
      birthPlace: 'Kielce',
      idCard: 'ABA400007',
      validTo: dayIn(530),
      issuedBy: 'Prezydent Kielc',
    }),
    shows:
      'a signature to renew, of a firm and by ID card, which ends before the new certificate would; the signing service confirms by itself',
    signatures: [
      {
        id: 'demo-kamila-app',
        product: 'app',
        identifier: 'IDCPL-ABA400007',
        period: '2_year',
        endsIn: 12,
        organisation: firm,
        remote: true,
        asks: { mode: 'implicit' },
      },
    ],
  },
  {
    id: 'demo-nieaktualny',
    login: 'bruno',
    email: 'bruno.stary@poczta.example',
    phone: '+48600100427',
    firstName: 'Bruno',
    secondName: null,
    surname: 'Stary',
    locale: 'pl',
    identification: citizen({
      pesel: '78110402331',
      birthPlace: 'Bytom',
      idCard: 'ABA700008',
      validTo: dayIn(-30),
      issuedBy: 'Prezydent Bytomia',
    }),
    shows:
      'a signature to renew, authorised at the page of the signing service, and an identity document that has expired',
    signatures: [
      {
        id: 'demo-bruno-app',
        product: 'app',
        identifier: 'PNOPL-78110402331',
        period: '2_year',
        endsIn: 30,
        remote: true,
        asks: { mode: 'oauth2code' },
      },
    ],
  },
  {
    id: 'demo-platnik',
    login: 'irena',
    email: 'irena.kasprzak@grosik.example',
    phone: '+48600100428',
    firstName: 'Irena',
    secondName: null,
    surname: 'Kasprzak',
    locale: 'pl',
    identification: citizen({
      pesel: '90071501461',
      birthPlace: 'Kielce',
      idCard: 'ABA140000',
      validTo: '2034-03-11',
      issuedBy: 'Prezydent Kielc',
    }),
    shows: 'signatures of one day and of 30 days, and administers a PSD2 seal on a card and a seal in a file',
    signatures: [
      {
        id: 'demo-irena-day',
        product: 'app',
        identifier: 'PNOPL-90071501461',
        period: '1_day',
        endsIn: 0,
        remote: true,
      },
      { id: 'demo-irena-month', product: 'file', identifier: 'PNOPL-90071501461', period: '30_days', endsIn: 20 },
    ],
  },
  {
    id: 'demo-zablokowany',
    login: 'zablokowany',
    email: 'piotr.zamkniety@poczta.example',
    phone: '+48600100424',
    firstName: 'Piotr',
    secondName: null,
    surname: 'Zamknięty',
    locale: 'pl',
    identification: citizen({
      pesel: '44051401458',
      birthPlace: 'Kłodzko',
      idCard: 'ABA800005',
      validTo: '2032-06-17',
      issuedBy: 'Burmistrz Kłodzka',
    }),
    shows: 'a blocked account: the right password leads to the page that unblocks it',
    blocked: true,
    signatures: [
      { id: 'demo-piotr-app', product: 'app', identifier: 'PNOPL-44051401458', period: '2_year', endsIn: 200 },
    ],
  },
  {
    id: 'demo-zaproszona',
    login: 'helena',
    email: 'helena.gosc@poczta.example',
    phone: '+48600100425',
    firstName: 'Helena',
    secondName: 'Maria',
    surname: 'Gość',
    locale: 'pl',
    identification: citizen({
      pesel: '90071501461',
      birthPlace: 'Żywiec',
      idCard: 'ABA100006',
      validTo: '2034-11-20',
      issuedBy: 'Burmistrz Żywca',
    }),
    shows: 'has no password yet: the invitation is among the e-mails',
    invited: true,
    signatures: [
      {
        id: 'demo-helena-app',
        product: 'app',
        identifier: 'PNOPL-90071501461',
        period: '2_year',
        startsIn: 3,
        endsIn: 733,
      },
      {
        id: 'demo-helena-card',
        product: 'card',
        identifier: 'IDCPL-ABA100006',
        period: '1_year',
        startsIn: 0,
        endsIn: 365,
      },
    ],
  },
  {
    id: 'demo-invited',
    login: 'emma',
    email: 'emma.guest@mail.example',
    phone: '+353850000123',
    firstName: 'Emma',
    secondName: null,
    surname: 'Guest',
    locale: 'en',
    identification: foreigner({
      country: 'IE',
      passport: 'XN5003566',
      birthDate: '1979-12-01',
      birthPlace: 'Cork',
      validTo: '2031-10-12',
      issuedBy: 'Passport Office, Dublin',
    }),
    shows: 'the same in English, with a passport',
    invited: true,
    signatures: [
      {
        id: 'demo-emma-app',
        product: 'app',
        identifier: 'PASIE-XN5003566',
        period: '1_year',
        startsIn: 1,
        endsIn: 366,
      },
    ],
  },
]

/** The person with an id or a login; throws RangeError if there is none. */
export function personOf(key: Partial<Pick<DemonstrationCustomer, 'id' | 'login'>>): DemonstrationCustomer {
  const person = people.find(({ id, login }) => id === key.id || login === key.login)
  if (!person) throw new RangeError('There is no such person')
  return person
}

const { firstName: givenName, surname } = personOf({ id: 'demo-malgorzata' })
/** The customer who signs documents, as in the certificate. */
export const documentSigner: PersonSubject = {
  kind: 'person',
  givenName,
  surname,
  serialNumber: 'PNOPL-85031212343',
  country: 'PL',
}
