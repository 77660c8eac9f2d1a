import { openRenewal } from '../../contract/renewal.ts'
import type { ActivationState, PairingStart } from '../../contract/signatures-and-seals.ts'
import { listSignatures, readSignaturePairing, startSignaturePairing } from '../../contract/signatures.ts'
import {
  readStatusRequest,
  requestRevocation,
  type StatusRequest,
  type StatusRequestState,
} from '../../contract/status-requests.ts'
import { changeReply, refuse, reply } from '../testing/fake-replies.ts'
import {
  statesOf,
  type Step,
  askForPairingCode,
  card,
  click,
  codeField,
  fill,
  press,
  waitFor,
  showPairingCode,
} from './screen-state.ts'

const askForRenewalCode: Step[] = [click('.page__head .button'), waitFor(codeField)]
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

/** Content from the provider, in place of the portal's own secret; a code is shown for as long as the state is drawn. */
const activation = {
  kind: 'content',
  content: 'signapp://activate?code=K7QP-22XA-9BDM-4TRC',
  code: 'K7QP-22XA-9BDM-4TRC',
  now: '2026-03-14T09:00:00.000Z',
  visibleUntil: '2026-03-14T09:05:00.000Z',
} as const
const paired = (start: PairingStart, state: ActivationState) => [
  reply(startSignaturePairing, start),
  reply(readSignaturePairing, { state, pairedAt: null }),
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
  details: { steps: press(/certyfikatu|Certificate details/, card), shows: 'dialog .certificate-chain' },
  // The next state enters the code of its SMS: the step-up stays open, and asking again sends no other.
  'step-up': { steps: askForPairingCode, shows: codeField },
  qr: { steps: showPairingCode('malgorzata') },
  'qr-code': {
    steps: [
      ...showPairingCode('malgorzata'),
      click('dialog .dialog__foot .button >> nth=-1'),
      fill('dialog input[name=code]', '123'),
    ],
  },
  'by-expiry': { path: '/certificates/signatures?sort=ends-first', customer: 'zofia', shows: card },
  filtered: {
    path: '/certificates/signatures?status=inactive&product=card&period=2_year&sort=ends-first',
    customer: 'zofia',
    shows: '.list-found:not(:empty)',
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
    shows: 'dialog .notice--warning',
  },
})

const activations = statesOf('signatures', { ...common, steps: askForPairingCode })({
  'activation-shown': { before: paired(activation, 'shown'), shows: 'dialog .qr__code' },
  'activation-requested': { before: paired({ kind: 'requested' }, 'requested'), shows: 'dialog [role=status]' },
  'activation-refused': { before: paired({ kind: 'requested' }, 'refused'), shows: 'dialog .notice--warning' },
})

/** Returns a revocation in a state; it never reaches the portal, whose certificates the other states need. */
const revocation = (state: StatusRequestState, over: Partial<StatusRequest> = {}): StatusRequest => ({
  id: '01a21731-377b-758d-bbc3-522bdc212094',
  change: 'revoke',
  reason: 'compromised',
  state,
  requestedAt: '2026-11-24T09:00:00.000Z',
  deadline: '2026-11-25T09:00:00.000Z',
  decidedAt: state === 'requested' ? null : '2026-11-24T09:00:02.000Z',
  note: null,
  ...over,
})
const answered = (request: StatusRequest) => [
  reply(requestRevocation, revocation('requested')),
  reply(readStatusRequest, { request }),
]

const openStatus = press(/^Zawieś lub|^Suspend or/, card)
const chooseReason = [click('dialog .select'), click('dialog [role=option] >> nth=0')]
const revoke: Step[] = [
  openStatus,
  click('dialog .radio-card >> nth=1'),
  ...chooseReason,
  fill('dialog input[name=confirmation]', 'unieważniam'),
  click('dialog button[type=submit]:enabled'),
]
const statusRequests = statesOf(
  'signatures',
  common,
)({
  suspend: { steps: openStatus, shows: 'dialog .radio-card' },
  revoke: { steps: [openStatus, click('dialog .radio-card >> nth=1')], shows: 'dialog input[name=confirmation]' },
  'revoke-mistyped': {
    steps: [
      openStatus,
      click('dialog .radio-card >> nth=1'),
      ...chooseReason,
      fill('dialog input[name=confirmation]', 'tak'),
      click('dialog button[type=submit]:enabled'),
    ],
    shows: 'dialog [aria-invalid]',
  },
  'revoke-requested': { before: answered(revocation('requested')), steps: revoke, shows: 'dialog .spin' },
  'revoke-done': { before: answered(revocation('done')), steps: revoke, shows: 'dialog .medallion' },
  'revoke-refused': {
    before: answered(
      revocation('refused', {
        note: { pl: 'Zadzwoń do nas, aby potwierdzić tożsamość.', en: 'Call us to confirm your identity.' },
      }),
    ),
    steps: revoke,
    shows: 'dialog .notice--warning',
  },
  'status-requested': {
    before: changeReply(listSignatures, ({ items, ...page }) => ({
      ...page,
      items: items.map((signature) => ({
        ...signature,
        changes: [],
        request: { change: 'revoke' as const, deadline: '2026-11-25T09:00:00.000Z' },
      })),
    })),
    shows: card,
  },
  'own-suspension': {
    before: changeReply(listSignatures, ({ items, ...page }) => ({
      ...page,
      items: items.map((signature) => ({
        ...signature,
        status: 'inactive' as const,
        reason: 'suspended' as const,
        changes: ['resume' as const, 'revoke' as const],
      })),
    })),
    steps: press(/^Cofnij zawieszenie lub|^End the suspension or/, card),
    shows: 'dialog .radio-card',
  },
})

export const states = [...certificates, ...activations, ...statusRequests]
