import { changeTimestampPassword, listTimestampAccounts } from '../../contract/timestamps.ts'
import { listVoucherCases, redeemVoucher, type VoucherCase } from '../../contract/vouchers.ts'
import { refuse, reply } from '../testing/fake-replies.ts'
import { statesOf, card, type Step, click, fill, retryButton, waitFor } from './screen-state.ts'

const software = statesOf('software', { customer: 'oliver' })({ list: { shows: card } })

const actions = ['packages', 'usage', 'connection', 'password'] as const

/** Opens the dialog of an action on the card of an account. */
const open = (action: (typeof actions)[number], account = 0): Step[] => [
  waitFor(card),
  click(`main article >> nth=${account} >> .certificate__act button >> nth=${actions.indexOf(action)}`),
]

const enterPassword = (newPassword: string, repeatPassword: string): Step[] => [
  ...open('password'),
  fill('dialog input[name=newPassword]', newPassword),
  fill('dialog input[name=repeatPassword]', repeatPassword),
  click('dialog button[type=submit]:enabled'),
]

const timestamps = statesOf('timestamps', { path: '/certificates/timestamps', customer: 'malgorzata' })({
  list: { shows: card },
  'running-out': { customer: 'zofia', shows: card },
  rows: { path: '/certificates/timestamps?state=low', customer: 'zofia', shows: '.certificate-row' },
  none: { customer: 'oliver', shows: '.empty' },
  failed: { customer: 'oliver', before: refuse(listTimestampAccounts, 'unavailable'), shows: retryButton },
  packages: { steps: open('packages'), shows: 'dialog[open] .package' },
  'packages-ending': { customer: 'zofia', steps: open('packages', 2), shows: 'dialog[open] .package' },
  usage: { steps: open('usage'), shows: 'dialog[open] .usage' },
  'usage-table': { steps: [...open('usage'), click('.usage__table summary')] },
  connect: { steps: open('connection'), shows: 'dialog[open] .tsa__line' },
  'connect-signed': { steps: open('connection', 1), shows: 'dialog[open] .tsa__line' },
  password: { steps: open('password'), shows: 'dialog[open] input[name=newPassword]' },
  'password-errors': { steps: enterPassword('zakrotkie', 'inne'), shows: 'dialog [aria-invalid]' },
  'password-changed': {
    before: reply(changeTimestampPassword, undefined),
    steps: enterPassword('Znaczniki2027', 'Znaczniki2027'),
    shows: '.tsa__done',
  },
})

const variants = [
  { process: 'cloud-certificate', status: 'in-progress', providerStatus: null },
  { process: 'card-certificate', status: 'finished-successfully', providerStatus: 'Certyfikat wydany' },
  { process: 'cloud-seal', status: 'finished-unsuccessfully', providerStatus: 'Odrzucono' },
  { process: 'card-seal', status: 'in-progress', providerStatus: 'Oczekuje na dokumenty' },
] as const

const cases = Array.from({ length: 20 }, (_, i): VoucherCase => ({
  ...variants[i % 4]!,
  id: crypto.randomUUID(),
  number: `S-7K2M-9Q${String(i).padStart(2, '0')}`,
  code: `ABCD-EFGH-JKMN-${1000 + i}`,
  note: i % 8 === 2 ? { pl: 'Brak zgody pełnomocnika.', en: 'The proxy’s consent is missing.' } : null,
  createdAt: `2026-11-${String(21 - i).padStart(2, '0')}T09:00:00.000Z`,
  updatedAt: '2026-11-21T12:00:00.000Z',
}))

const enterCode = [
  fill('.voucher input[name=code]', '0000-0000-0000-0000'),
  click('.voucher button[type=submit]:enabled'),
]

/** The voucher box of the home page. Its replies are fake: five wrong codes would block the customer of the demonstration. */
const voucherBox = statesOf('home', { customer: 'oliver', steps: enterCode })({
  'voucher-wrong': { before: refuse(redeemVoucher, 'voucher-refused'), shows: '.voucher [aria-invalid]' },
  'voucher-blocked': {
    before: refuse(redeemVoucher, 'too-many-attempts', { retryAfter: 86_400 }),
    shows: '.voucher [role=alert]',
  },
  'voucher-used': { before: reply(redeemVoucher, { kind: 'voucher', case: cases[0]! }), shows: '.voucher .notice--ok' },
  'voucher-renewal': { before: reply(redeemVoucher, { kind: 'renewal' }), shows: '.voucher__outcome' },
})

const myCases = statesOf('my-cases', { customer: 'malgorzata' })({
  list: { shows: '.cases tbody >> nth=1' },
  details: {
    steps: [waitFor('.table-note'), click('tr:has(+ .table-note) .table-main button')],
    shows: 'dialog[open] .rows',
  },
  'in-progress': { steps: click('.cases .table-main button'), shows: 'dialog[open] .path' },
  none: { customer: 'nowy', shows: '.empty' },
  many: { customer: 'oliver', before: reply(listVoucherCases, { items: cases, next: 'next' }), shows: '.list-tools' },
  'many-filters': {
    only: 'phone',
    customer: 'oliver',
    before: reply(listVoucherCases, { items: cases, next: 'next' }),
    steps: click('.list-tools__open'),
    shows: '.list-tools',
  },
  'nothing-found': { path: '/my-cases?voucher-search=zzzz&received-status=finished', shows: '.empty' },
  unavailable: { customer: 'oliver', before: refuse(listVoucherCases, 'unavailable'), shows: retryButton },
})

export const states = [...software, ...timestamps, ...voucherBox, ...myCases]
