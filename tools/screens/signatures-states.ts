import { listSignatures, readPairing, startPairing } from '../../contract/signatures.ts'
import type { ActivationState, PairingStart } from '../../contract/signatures-and-seals.ts'
import { openRenewal } from '../../contract/renewal.ts'
import { changeReply, refuse, reply } from '../../e2e/testing/fake-replies.ts'
import { statesOf, type Step } from './screen-state.ts'
import { askForPairingCode, card, click, codeField, fill, press, see, showPairingCode } from './steps.ts'

const askForRenewalCode: Step[] = [click('.page__head .btn'), see(codeField)]
const enterRenewalCode: Step[] = [
  ...askForRenewalCode,
  fill(codeField, '0000-0000-0000-0000'),
  click('dialog button[type=submit]:enabled'),
]

const firstIsRenewed = changeReply(listSignatures, ({ items, ...page }) => ({
  ...page,
  items: items.map((signature, i) =>
    i ? signature : { ...signature, renewal: 'signed' as const, renewedFrom: signature.validTo },
  ),
}))

/** What the provider gives, in place of the portal's own secret; a code is shown for as long as the state is drawn. */
const activation = {
  kind: 'content',
  content: 'signapp://activate?code=K7QP-22XA-9BDM-4TRC',
  code: 'K7QP-22XA-9BDM-4TRC',
  now: '2026-03-14T09:00:00.000Z',
  visibleUntil: '2026-03-14T09:05:00.000Z',
} as const
const paired = (start: PairingStart, state: ActivationState) => [
  reply(startPairing, start),
  reply(readPairing, { state, pairedAt: null }),
]

const common = { path: '/certificates/signatures', customer: 'malgorzata' }
const certificates = statesOf(
  'signatures',
  common,
)({
  expiring: { shows: card },
  many: { customer: 'zofia', shows: card },
  'nothing-found': { path: '/certificates/signatures?search=zzzz', customer: 'zofia', shows: '.empty, .card' },
  'long-names': { customer: 'wilhelmina', shows: card },
  short: { customer: 'irena', shows: card },
  'in-a-file': { path: '/certificates/signatures?product=file', customer: 'zofia', shows: card },
  'not-yet-valid': { customer: 'tomasz', shows: card },
  inactive: { customer: 'ewa', shows: card },
  none: { customer: 'nowy', shows: '.empty, main .card' },
  details: { steps: press(/certyfikatu|Certificate details/, card), shows: 'dialog .certchain' },
  // The next state enters the code of its SMS: the step-up stays open, and asking again sends no other.
  'step-up': { steps: askForPairingCode, shows: codeField },
  qr: { steps: showPairingCode('malgorzata') },
  'qr-code': {
    steps: [
      ...showPairingCode('malgorzata'),
      click('dialog .dialog__foot .btn >> nth=-1'),
      fill('dialog input[name=code]', '123'),
    ],
  },
  'by-expiry': { path: '/certificates/signatures?sort=ends-first', customer: 'zofia', shows: card },
  filtered: {
    path: '/certificates/signatures?status=inactive&product=card&period=2_years&sort=ends-first',
    customer: 'zofia',
    shows: '.found:not(:empty)',
  },
  renewed: { before: firstIsRenewed, shows: 'role=button[name=/^(Zobacz odnowienie|View renewal)/]' },
  'renewal-code': { steps: askForRenewalCode },
  'renewal-code-wrong': {
    before: refuse(openRenewal, 'voucher-refused'),
    steps: enterRenewalCode,
    shows: 'dialog [aria-invalid]',
  },
  'renewal-refused': {
    before: refuse(openRenewal, 'renewal-refused', { reason: 'TOO_EARLY' }),
    steps: enterRenewalCode,
    shows: 'dialog .note--warn',
  },
})

const activations = statesOf('signatures', { ...common, steps: askForPairingCode })({
  'activation-shown': { before: paired(activation, 'shown'), shows: 'dialog .qr__code' },
  'activation-requested': { before: paired({ kind: 'requested' }, 'requested'), shows: 'dialog [role=status]' },
  'activation-refused': { before: paired({ kind: 'requested' }, 'refused'), shows: 'dialog .note--warn' },
})

export const states = [...certificates, ...activations]
