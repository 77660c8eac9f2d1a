import { answerSealRecipient, readSealRecipient } from '../../contract/seal-recipients.ts'
import { listSealUsers, startSealActivation, type SealUser } from '../../contract/seal-users.ts'
import { listSeals } from '../../contract/seals.ts'
import { codeSent, refuse, reply } from '../testing/fake-replies.ts'
import { seal } from '../testing/samples/home-notices.ts'
import {
  statesOf,
  type Step,
  card,
  click,
  codeField,
  fill,
  press,
  retryButton,
  waitFor,
  showPairingCode,
} from './screen-state.ts'

const userRow = '.seal-users tbody tr'
const openAddUser = [waitFor(userRow), press(/Dodaj|Add/, '.seal-users__head'), waitFor('dialog input[name=email]')]

const openRecipient: Step[] = [
  waitFor(userRow),
  ({ page }) =>
    page
      .getByText(/^(?:Drugi adres|Second address)/)
      .first()
      .click(),
  waitFor('.seal-recipient .button'),
]

/** A file with right and wrong lines, chosen in the dialog. */
const chooseUsersFile: Step[] = [
  waitFor(userRow),
  press(/Dodaj wielu|Add many/, '.seal-users'),
  waitFor('dialog input[type=file]'),
  ({ page }) =>
    page.locator('dialog input[type=file]').setInputFiles({
      name: 'users.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        [
          'imię;nazwisko;e-mail;telefon;rola',
          'Żaneta;Kaźmierczak;zaneta.kazmierczak@kancelaria-zrodlo.example;600 100 841;',
          'Łukasz;;lukasz.dabrowski;12;szef',
          'Żaneta;Kaźmierczak;zaneta.kazmierczak@kancelaria-zrodlo.example;600 100 841;administrator',
        ].join('\r\n'),
      ),
    }),
]

/** A list of several pages, which the demonstration does not have. */
const manyUsers = Array.from({ length: 20 }, (_, i): SealUser => ({
  id: crypto.randomUUID(),
  number: i + 1,
  email: `uzytkownik.${i + 1}@kancelaria-zrodlo.example`,
  phone: `+48 ••• ••• ${100 + i}`,
  firstName: ['Żaneta', 'Łukasz', 'Świętosława'][i % 3]!,
  surname: ['Kaźmierczak', 'Dąbrowski', 'Grzegżółka'][i % 3]!,
  role: i ? 'user' : 'admin',
  status: i < 15 ? 'active' : 'pending',
  invitedAt: '2026-03-14T09:00:00.000Z',
  expiresAt: i < 15 ? null : '2026-03-21T09:00:00.000Z',
  acquiredAt: i < 15 ? '2026-03-14T10:00:00.000Z' : null,
  deletedAt: null,
  isOwn: !i,
}))

const organisations = ['Biuro Zielińska S.A.', 'Kancelaria Źródło sp. z o.o.', 'Stowarzyszenie Łączność']
const products = ['app', 'card', 'psd2-card', 'file'] as const
/** Returns the time this number of days after 24 November 2026, for lists in which all days differ. */
const dayAt = (days: number) => new Date(Date.parse('2026-11-24T09:00:00.000Z') + days * 86_400_000).toISOString()

/** A long list of several organisations, which the demonstration does not have. */
const manySeals = Array.from({ length: 12 }, (_, i) => {
  const days = [20, 45, 120, 240, 300, 350, 400, 470, 520, 610, -20, -200][i]!
  const isActive = days > 0
  return seal({
    product: products[i % 4]!,
    name: `${organisations[i % 3]} – pieczęć ${i + 1}`,
    organisation: { name: organisations[i % 3]!, identifier: `VATPL-525000109${i % 3}` },
    validFrom: dayAt(days - 730),
    validTo: dayAt(days),
    reason: isActive ? null : 'expired',
    changes: isActive && i % 2 === 0 ? ['suspend', 'revoke'] : [],
    canPair: isActive && i % 4 === 0,
    role: i % 2 ? 'user' : 'admin',
    administrators: [{ name: 'Zofia Zielińska', email: 'zofia@biuro-zielinska.example' }],
  })
})
const longList = reply(listSeals, { items: manySeals, next: null, organisations, invitations: [] })

/** One that is suspended, and one that begins later. */
const notActive = reply(listSeals, {
  items: [
    { ...manySeals[4]!, status: 'inactive', reason: 'suspended', canPair: false, role: 'user' },
    {
      ...manySeals[8]!,
      validFrom: dayAt(30),
      status: 'inactive',
      reason: 'not-yet-valid',
      canPair: false,
      role: 'user',
    },
  ],
  next: null,
  organisations,
  invitations: [],
})

const seals = statesOf('seals', { path: '/certificates/seals', customer: 'malgorzata' })({
  administrator: { shows: userRow },
  several: { customer: 'zofia', shows: card },
  user: { customer: 'tomasz', shows: card },
  'not-active': { before: notActive, shows: card },
  many: { before: longList, shows: '.certificate-rows__group' },
  'many-filters': {
    only: 'phone',
    before: longList,
    steps: click('.list-tools__open'),
    shows: '.certificate-rows__group',
  },
  'row-open': { before: longList, steps: click('.certificate-row__open'), shows: '.certificate-row__more' },
  details: { steps: press(/certyfikatu|Certificate details/, card), shows: 'dialog .certificate-chain' },
  'long-names': { customer: 'wilhelmina', shows: userRow },
  revoke: {
    customer: 'wilhelmina',
    steps: [press(/^Zawieś lub|^Suspend or/, card), click('dialog .radio-card >> nth=1')],
    shows: 'dialog input[name=confirmation]',
  },
  psd2: { customer: 'irena', shows: '.psd2' },
  filtered: { path: '/certificates/seals?status=active', shows: card },
  'nothing-found': { path: '/certificates/seals?search=zzzz', shows: '.empty' },
  none: { customer: 'nowy', shows: '.empty, main .card' },
  unavailable: { customer: 'oliver', before: refuse(listSeals, 'unavailable'), shows: retryButton },
  'removed-users': {
    steps: [waitFor(userRow), click('.seal-users__gone summary')],
    shows: '.seal-users__gone tbody tr',
  },
  'many-users': { before: reply(listSealUsers, { items: manyUsers, next: 'next' }), shows: '.list-tools' },
  'phone-shown': {
    steps: [waitFor(userRow), click(`${userRow} .hidden-number .button >> nth=1`)],
    shows: '.hidden-number [aria-pressed=true]',
  },
  'add-user': { steps: openAddUser },
  'recipient-waiting': {
    before: reply(readSealRecipient, {
      recipient: {
        email: 'sekretariat@kancelaria-zrodlo.example',
        confirmedAt: null,
        expiresAt: '2026-11-28T09:00:00.000Z',
      },
    }),
    steps: openRecipient,
    shows: '.seal-recipient .badge',
  },
  'recipient-form': { steps: [...openRecipient, click('.seal-recipient .button')], shows: 'dialog input[name=email]' },
  'import-users': { steps: chooseUsersFile, shows: '.import-lines .error' },
  'add-user-errors': {
    steps: [
      ...openAddUser,
      fill('dialog input[name=email]', 'l.dabrowski@kancelaria'),
      click('dialog button[type=submit]'),
    ],
    shows: 'dialog .error-summary',
  },
  'remove-user': { steps: [waitFor(userRow), click('.seal-users .is-danger')], shows: 'dialog[open] .button--danger' },
  /** The code is not entered, and not really sent: at most three a day are sent for an invitation. */
  activation: {
    before: reply(startSealActivation, () => codeSent()),
    steps: click('.seal-invitation .button--primary'),
    shows: codeField,
  },
  qr: { customer: 'wilhelmina', steps: showPairingCode('wilhelmina') },
})

const answer = click('.buttons--stack .button')
const reminderRecipient = statesOf('reminder-recipient', { path: `/reminder-recipient#${'x'.repeat(43)}` })({
  question: { shows: '.buttons--stack .button--primary' },
  confirmed: { before: reply(answerSealRecipient, undefined), steps: answer, shows: '[role=status]:not(:empty)' },
  unknown: { before: refuse(answerSealRecipient, 'link-unknown'), steps: answer, shows: '[role=status]:not(:empty)' },
})

export const states = [...seals, ...reminderRecipient]
