import type { Reply } from '../../contract/endpoint.ts'
import {
  declineAgreement,
  downloadRenewalAgreement,
  fixParameters,
  readRenewal,
  readSigningReadiness,
  saveParameters,
  signAgreement,
  startAgreementSigning,
  type Renewal,
} from '../../contract/renewal.ts'
import type { SigningObstacle } from '../../contract/rules/renewal-rules.ts'
import { enterServiceCodes, type ServiceAuthorisation } from '../../contract/service-authorisation.ts'
import { codeSent, dayIn, inDays, refuse, reply, sendPdf, stall } from '../testing/fake-replies.ts'
import { pageless, renewalAgreement } from '../testing/samples/documents.ts'
import {
  firstStep,
  identityDocument,
  inSigning,
  issued,
  sampleRenewal,
  signed,
  withPerson,
} from '../testing/samples/renewal.ts'
import { statesOf, type Step, click, fill, press, retryButton, waitFor } from './screen-state.ts'

const sample = sampleRenewal()
/** Renewal after a change of the surname. */
const renamed = withPerson(
  { surname: 'Wiśniewska-Źródlana', commonName: 'Małgorzata Anna Wiśniewska-Źródlana', isMatching: false },
  { stops: ['DATA_MISMATCH'] },
)
const readiness = { obstacle: null, requirement: null, asksElsewhere: false, authorisation: null }
const shown = (renewal: Renewal) => [
  reply(readRenewal, renewal),
  sendPdf(downloadRenewalAgreement, () => renewalAgreement(renewal)),
  reply(readSigningReadiness, readiness),
]

const wizard = '.wizard .timeline'
const nextStep = '.wizard__act button'
const heading = '.wizard h1'
const path = `/renewal/${sample.uid}`
const taxNumber = { type: 'TIN', country: 'PL', value: '1234563218' } as const
const checked = (state: 'asked' | 'refused' | 'confirmed') => ({ state, document: identityDocument })
const frozen = (state: Renewal['state'], version: number, more: Partial<Renewal> = {}, days?: number) =>
  shown(firstStep({ state, version, isFinal: true, ...more }, days))

const ready = (over: Partial<Reply<typeof readSigningReadiness>>) =>
  reply(readSigningReadiness, { ...readiness, ...over })
const obstacle = (name: SigningObstacle) => ready({ obstacle: name })

const parameters = statesOf('renewal', { path, customer: 'malgorzata', before: shown(firstStep()), shows: wizard })({
  parameters: {},
  'parameters-full': { before: shown(firstStep({ parameters: { ...sample.parameters, identifier: 'pesel' } })) },
  'parameters-no-continuity': { before: shown(firstStep({}, 6)) },
  'parameters-personal': { before: shown(firstStep({ certificate: { ...sample.certificate, company: null } })) },
  'parameters-no-signing': {
    before: [...shown(firstStep()), obstacle('SIGNING_UNAVAILABLE')],
    shows: '.wizard .notice--warning',
  },
  'parameters-no-key': {
    before: [...shown(firstStep()), obstacle('SIGNING_KEY_MISSING')],
    shows: '.wizard .notice--warning',
  },
  'parameters-errors': {
    steps: [
      waitFor(wizard),
      fill('input[name=company]', ''),
      ({ page }) => page.locator('input[value=chosen-day]').check(),
      fill('input[data-name=activationDate]', '2020-01-01'),
      click(nextStep),
    ],
    shows: '.error-summary',
  },
  shortened: { steps: [waitFor(wizard), click(nextStep)], shows: 'dialog[open] .rows' },
  identifier: { steps: click('.wizard__notes .link'), shows: 'dialog[open]' },
  'document-expired': { before: shown(firstStep({ stops: ['DOC_EXPIRED'] }, -3)), shows: heading },
  'data-differ': {
    before: shown({ ...firstStep({ stops: ['DATA_MISMATCH'] }), person: renamed.person }),
    shows: heading,
  },
  'document-checked': {
    before: shown(firstStep({ stops: ['DATA_MISMATCH'], identityCheck: checked('asked') })),
    shows: heading,
  },
  'certificate-expired': { before: shown(firstStep({ stops: ['CERT_EXPIRED'] })), shows: heading },
  'parameters-review': { path: `${path}?step=1`, before: frozen('personal-data', 3), shows: heading },
  'data-review': { path: `${path}?step=2`, before: frozen('signing', 4), shows: heading },
  exit: {
    before: shown(firstStep({ version: 2 })),
    steps: [waitFor(wizard), click('.focus__out')],
    shows: 'dialog[open]',
  },
  'moved-on': {
    before: [
      ...shown(firstStep()),
      ...[saveParameters, fixParameters].map((call) => refuse(call, 'state-passed', { current: 'parameters' })),
    ],
    steps: [waitFor(wizard), click('input[name=years][value="3"]')],
    shows: '.focus__main .notice',
  },
  unknown: { path: `/renewal/${crypto.randomUUID()}`, before: [], shows: 'main h1' },
  unavailable: { before: refuse(readRenewal, 'unavailable'), shows: retryButton },
})

const openDocument = [press(/^(?:Zaktualizuj|Update)/), waitFor('dialog[open] input')]

const personalData = statesOf('renewal', { path, customer: 'malgorzata', before: shown(sample), shows: heading })({
  data: {},
  'data-unconfirmed': { steps: click('form button[type=submit]'), shows: '.check-field .error .icon' },
  'data-differs': { before: shown(renamed) },
  'data-document-expired': {
    before: shown(withPerson({ document: { ...identityDocument, validTo: dayIn(-3) } }, { stops: ['DOC_EXPIRED'] })),
  },
  'data-tax-number': {
    before: shown(withPerson({ pesel: null, identifier: taxNumber })),
    steps: click('.data-group .hidden-number .button >> nth=-1'),
  },
  'data-document-dialog': { steps: openDocument },
  'data-document-wrong': {
    steps: [
      ...openDocument,
      fill('dialog input[name=number]', 'ABA 300001'),
      fill('dialog input[data-name=validTo]', dayIn(-1)),
      click('dialog button[type=submit]'),
    ],
    shows: 'dialog .error .icon',
  },
  'data-document-asked': { before: shown(sampleRenewal({ identityCheck: checked('asked') })) },
  'data-document-refused': { before: shown(sampleRenewal({ identityCheck: checked('refused') })) },
  'data-shorter': { before: frozen('personal-data', 2, { identityCheck: checked('confirmed') }, 400) },
})

const agreementShown = waitFor('.reader__place canvas:not([hidden])')

const requestCode = (sendsLeft = 2): Step[] => [
  reply(startAgreementSigning, () => codeSent({ sendsLeft })),
  press(/^(?:Wyślij kod SMS|Send code)/),
  waitFor('input[name=code]'),
  agreementShown,
]
const enterCode: Step[] = [...requestCode(), fill('input[name=code]', '123456'), click('.sign-box button[type=submit]')]
const signingWith = (fake: Step) => [...shown(inSigning()), fake]

const servicePage = {
  id: crypto.randomUUID(),
  kind: 'redirect' as const,
  otp: 'none' as 'none' | 'sent',
  pin: false,
  sentAt: null as string | null,
  resendAt: inDays(0),
  sendsLeft: 2,
  expiresAt: inDays(1 / 144),
}
const serviceCodes = { ...servicePage, kind: 'codes' as const, otp: 'sent' as const, pin: true, sentAt: inDays(0) }
const awaiting = (authorisation: ServiceAuthorisation) => signingWith(ready({ authorisation }))
const wrongPin = refuse(enterServiceCodes, 'invalid-input', { fields: [{ name: 'pin', problem: 'pin-wrong' }] })

const openDecline = press(/^(?:Odmów podpisania|Decline to sign)/)
const signing = statesOf('renewal', { path, customer: 'malgorzata', before: shown(inSigning()) })({
  'signing-preparing': { before: shown(inSigning({ agreement: null })), shows: heading },
  signing: { steps: agreementShown },
  'signing-agreement': {
    only: 'phone',
    steps: [agreementShown, press(/^(?:Przeczytaj|Read) /)],
    shows: 'dialog[open] .reader__place canvas:not([hidden])',
  },
  'signing-code': { steps: requestCode() },
  'signing-code-last': { steps: requestCode(0) },
  'signing-code-wrong': {
    before: signingWith(refuse(signAgreement, 'code-wrong', { entriesLeft: 2 })),
    steps: enterCode,
    shows: '.sign-box .error .icon',
  },
  'signing-code-spent': {
    before: signingWith(refuse(signAgreement, 'code-void')),
    steps: enterCode,
    shows: '.sign-box .notice--error',
  },
  'signing-sending': { before: signingWith(stall(signAgreement)), steps: enterCode, shows: '.sign-box .is-busy' },
  'signing-authorised': { before: shown(inSigning({ state: 'authorised' })), shows: 'dialog[open]' },
  'signing-slow': {
    ownTab: true,
    before: [({ page }) => page.clock.install(), ...shown(inSigning({ state: 'authorised' }))],
    steps: [waitFor('dialog[open]'), ({ page }) => page.clock.runFor(15_000)],
    shows: 'dialog[open] .button--primary',
  },
  'signing-service-codes': { before: awaiting(serviceCodes), shows: 'input[name=pin]' },
  'signing-service-wrong': {
    before: [...awaiting(serviceCodes), wrongPin],
    steps: [fill('input[name=otp]', '481072'), fill('input[name=pin]', '1111'), click('.sign-box button[type=submit]')],
    shows: '.sign-box .error .icon',
  },
  'signing-service-page': { before: awaiting(servicePage), steps: agreementShown },
  'signing-requirement': {
    before: signingWith(ready({ requirement: { kind: 'redirect', otp: 'none', pin: false } })),
    steps: agreementShown,
  },
  'signing-elsewhere': { before: signingWith(ready({ asksElsewhere: true })), steps: agreementShown },
  'signing-unavailable': { before: signingWith(obstacle('SIGNING_UNAVAILABLE')), shows: '.sign-box .notice--warning' },
  'signing-refused': { before: shown(inSigning({ hasSigningFailed: true })), steps: agreementShown },
  'signing-opening': { before: signingWith(stall(downloadRenewalAgreement)), shows: '.agreement__wait' },
  'signing-unreadable': { before: signingWith(sendPdf(downloadRenewalAgreement, pageless)), shows: '.reader__none' },
  'signing-no-agreement': {
    before: signingWith(refuse(downloadRenewalAgreement, 'unavailable')),
    shows: '.sign-documents .notice--error',
  },
  'signing-decline': { steps: [agreementShown, openDecline], shows: 'dialog[open]' },
  'signing-decline-late': {
    before: signingWith(refuse(declineAgreement, 'state-passed', { current: 'signing' })),
    steps: [agreementShown, openDecline, click('dialog[open] .button--danger')],
    shows: 'dialog[open] .notice--error',
  },
})

const failed = {
  state: 'failed',
  note: { pl: 'Klucz nowego certyfikatu nie mógł powstać.', en: 'The key of the new certificate could not be made.' },
} as const

const ended = statesOf('renewal', { path, customer: 'malgorzata', shows: heading })({
  issuing: { before: shown(signed()) },
  'not-yet': { before: shown(issued(12)) },
  ready: { before: shown(issued(-0.01)) },
  paired: { before: shown(issued(-0.01, { state: 'finished' }, inDays(0))) },
  'finished-later': { before: shown(issued(12, { state: 'finished' })) },
  declined: { before: shown(inSigning({ state: 'declined' })) },
  expired: { before: shown(sampleRenewal({ state: 'expired' })) },
  failed: { before: shown(signed(failed)) },
})

export const states = [...parameters, ...personalData, ...signing, ...ended]
