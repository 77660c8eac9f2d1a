import { listSealUsers, startSealActivation, type SealUser } from '../../contract/seal-users.ts'
import { listSeals } from '../../contract/seals.ts'
import { codeSent, refuse, reply } from '../../e2e/testing/fake-replies.ts'
import { statesOf } from './screen-state.ts'
import { card, click, codeField, fill, press, retryButton, see, showPairingCode } from './steps.ts'

const userRow = '.sealusers tbody tr'
const openAddUser = [see(userRow), press(/Dodaj|Add/, '.sealusers__head'), see('dialog input[name=email]')]

/** A list of several pages, which the demonstration does not have. */
const manyUsers = Array.from({ length: 20 }, (_, i): SealUser => ({
  id: crypto.randomUUID(),
  number: i + 1,
  email: `uzytkownik.${i + 1}@kancelaria-zrodlo.example`,
  phone: `+48 ••• ••• ${100 + i}`,
  firstName: ['Żaneta', 'Łukasz', 'Świętosława'][i % 3]!,
  surname: ['Kaźmierczak', 'Dąbrowski', 'Grzegżółka'][i % 3]!,
  role: i ? 'user' : 'administrator',
  status: i < 15 ? 'active' : 'pending',
  invitedAt: '2026-03-14T09:00:00.000Z',
  expiresAt: i < 15 ? null : '2026-03-21T09:00:00.000Z',
  acquiredAt: i < 15 ? '2026-03-14T10:00:00.000Z' : null,
  deletedAt: null,
  own: !i,
}))

export const states = statesOf('seals', { path: '/certificates/seals', customer: 'malgorzata' })({
  administrator: { shows: userRow },
  several: { customer: 'zofia', shows: card },
  user: { customer: 'tomasz', shows: card },
  'long-names': { customer: 'wilhelmina', shows: userRow },
  psd2: { customer: 'irena', shows: '.psd2' },
  filtered: { path: '/certificates/seals?status=active', shows: card },
  'nothing-found': { path: '/certificates/seals?period=1_day', shows: '.empty' },
  none: { customer: 'nowy', shows: '.empty, main .card' },
  unavailable: { customer: 'oliver', before: refuse(listSeals, 'unavailable'), shows: retryButton },
  'removed-users': { steps: [see(userRow), click('.sealusers__gone summary')], shows: '.sealusers__gone tbody tr' },
  'many-users': { before: reply(listSealUsers, { items: manyUsers, next: 'next' }), shows: '.listtools' },
  'phone-shown': {
    steps: [see(userRow), click(`${userRow} .covered .btn >> nth=1`)],
    shows: '.covered [aria-pressed=true]',
  },
  'add-user': { steps: openAddUser },
  'add-user-errors': {
    steps: [
      ...openAddUser,
      fill('dialog input[name=email]', 'l.dabrowski@kancelaria'),
      click('dialog button[type=submit]'),
    ],
    shows: 'dialog .esum',
  },
  'remove-user': { steps: [see(userRow), click('.sealusers .is-danger')], shows: 'dialog[open] .btn--danger' },
  /** The code is not entered, and not really sent: at most three a day are sent for an invitation. */
  activation: {
    before: reply(startSealActivation, () => codeSent()),
    steps: click('.invite .btn--primary'),
    shows: codeField,
  },
  qr: { customer: 'wilhelmina', steps: showPairingCode('wilhelmina') },
})
