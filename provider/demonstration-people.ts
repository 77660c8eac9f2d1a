import type { PersonSubject } from './subscriber.ts'

/** A signature of the demonstration, with its validity in days from today, so that it never goes stale. */
export type DemonstrationSignature = {
  /** The provider's own id. */
  id: string
  product: 'app' | 'card' | 'file'
  identifier: `${'PNO' | 'TIN' | 'PAS' | 'IDC'}${string}-${string}` | `ECN-${string}`
  years: 1 | 2 | 3
  /** Days from today to the end; the beginning is `years` before it unless `startsIn` says otherwise. */
  endsIn: number
  startsIn?: number
  status?: 'suspended' | 'revoked'
  organisation?: NonNullable<PersonSubject['organisation']>
  /** The agreement of a signature just made is still being generated. */
  agreement?: false
}

export type DemonstrationCustomer = {
  id: string
  login: string
  email: string
  phone: string
  firstName: string
  secondName: string | null
  surname: string
  locale: 'pl' | 'en'
  /** What there is to see. */
  shows: string
  blocked?: true
  signatures: DemonstrationSignature[]
}

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
    shows: 'a signature that expires in 12 days, an active one, an expired one',
    signatures: [
      { id: 'demo-malgorzata-app', product: 'app', identifier: 'PNOPL-85031212343', years: 2, endsIn: 12 },
      {
        id: 'demo-malgorzata-card',
        product: 'card',
        identifier: 'IDCPL-ABA300000',
        years: 3,
        endsIn: 540,
        organisation: firm,
      },
      { id: 'demo-malgorzata-file', product: 'file', identifier: 'PNOPL-85031212343', years: 1, endsIn: -1022 },
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
    shows: 'long Polish names, and nothing urgent',
    signatures: [
      {
        id: 'demo-wilhelmina-app',
        product: 'app',
        identifier: 'PNOPL-44051401458',
        years: 3,
        endsIn: 900,
        organisation: {
          name: 'Przedsiębiorstwo Wielobranżowe Żółć i Gęśl sp. z o.o. sp.k. w Szczebrzeszynie',
          identifier: 'VATPL-1234563218',
        },
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
    shows: '60 certificates',
    signatures: Array.from({ length: 60 }, (_, i) => ({
      id: `demo-zofia-${String(i + 1).padStart(2, '0')}`,
      product: (['app', 'card', 'file'] as const)[i % 3]!,
      identifier: i % 4 ? ('PNOPL-44051401458' as const) : (`ECN-Z${1000 + i}` as const),
      years: ([1, 2, 3] as const)[i % 3]!,
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
    shows: 'a signature that is not yet valid, its agreement still being generated',
    signatures: [
      {
        id: 'demo-tomasz-next',
        product: 'app',
        identifier: 'TINPL-1234563218',
        years: 2,
        startsIn: 5,
        endsIn: 735,
        agreement: false,
      },
      { id: 'demo-tomasz-now', product: 'app', identifier: 'TINPL-1234563218', years: 1, endsIn: 5 },
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
    shows: 'expired, suspended and revoked signatures only',
    signatures: [
      { id: 'demo-ewa-expired', product: 'card', identifier: 'PNOPL-44051401458', years: 1, endsIn: -3 },
      {
        id: 'demo-ewa-suspended',
        product: 'app',
        identifier: 'PNOPL-44051401458',
        years: 2,
        endsIn: 300,
        status: 'suspended',
      },
      {
        id: 'demo-ewa-revoked',
        product: 'app',
        identifier: 'PNOPL-44051401458',
        years: 2,
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
    shows: 'an English-speaking customer with a passport and an agreement in English',
    signatures: [{ id: 'demo-oliver-app', product: 'app', identifier: 'PASGB-533401372', years: 1, endsIn: 45 }],
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
    shows: 'a blocked account: the right password leads to its way out',
    blocked: true,
    signatures: [{ id: 'demo-piotr-app', product: 'app', identifier: 'PNOPL-44051401458', years: 2, endsIn: 200 }],
  },
]
