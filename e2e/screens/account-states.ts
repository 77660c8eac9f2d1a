import { enterSignInCode } from '../../contract/account.ts'
import type { RequiredConsent } from '../../contract/consents.ts'
import { checkLostPhoneLink, suspendAfterLoss } from '../../contract/lost-phone.ts'
import { checkPasswordLink, sendLinkAgain, type InvitedCustomer } from '../../contract/password-link.ts'
import { readPhoneConfirmation, sendPhoneConfirmation } from '../../contract/phone-confirmation.ts'
import { register } from '../../contract/registration.ts'
import { customerOf, passPassword } from '../testing/demonstration-run.ts'
import { codeSent, intercept, refuse, reply, stall, type FakeReply } from '../testing/fake-replies.ts'
import { statesOf, type Step, click, codeField, fill, waitFor, submit, submitButton, press } from './screen-state.ts'
import { severalPasskeysAndSessions } from './security-states.ts'

const enterPassword =
  (login: string, password?: string): Step =>
  ({ page }) =>
    passPassword(page, login, password)

/** The SMS of the code is taken although nobody enters it, so that the next code asked for is the next one sent. */
const leaveCodeUnused: Step[] = [
  enterPassword('oliver'),
  waitFor('dialog[open]'),
  ({ run }) => run.smsCode(customerOf('oliver').phone),
]

const enterWrongCode: Step[] = [
  enterPassword('malgorzata'),
  waitFor(codeField),
  async ({ page, run }) => {
    const code = await run.smsCode(customerOf('malgorzata').phone)
    await page.locator(codeField).fill(code === '123456' ? '654321' : '123456')
  },
]

/**
 * Enters wrong passwords until the login is paused, whether or not there is such an account. In the other language and size it may be
 * paused already.
 */
const pausedLogin: Step = async ({ page, locale }) => {
  const paused = page.locator('.error-summary', { hasText: /za dużo prób|too many attempts/i })
  while (!(await paused.count())) {
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/sign-in'))
    await passPassword(page, `paused.${locale}`, 'Wrong-Password-1!')
    await answered
    await page.locator('form button[type=submit]:not(.is-busy)').waitFor()
  }
}

const loseTypedPassword = [
  waitFor(submitButton),
  fill('input[name=password]', 'Half-typed'),
  click('.lang [hreflang]:not([aria-current])'),
]

const notice = '.auth__notice'

const login = statesOf('login', { path: '/' })({
  empty: {},
  errors: { steps: submit, shows: '.error-summary' },
  refused: { steps: enterPassword('nobody', 'Wrong-Password-1!'), shows: '.error-summary' },
  code: { steps: leaveCodeUnused },
  'code-wrong': { steps: enterWrongCode, shows: 'dialog .code-field--error' },
  'code-locked': {
    before: [refuse(enterSignInCode, 'too-many-attempts', { retryAfter: 86_400 })],
    steps: [...leaveCodeUnused, fill(codeField, '123456')],
    shows: 'dialog[open] .notice',
  },
  blocked: { steps: enterPassword('zablokowany'), shows: 'dialog[open]' },
  'session-ended': { path: '/?reason=session-ended&returnTo=/home', shows: notice },
  paused: { steps: pausedLogin },
  'session-full': { path: '/?reason=session-full&returnTo=/home', shows: notice },
  'session-gone': { path: '/?reason=session-gone&returnTo=/home', shows: notice },
  language: { steps: loseTypedPassword, shows: 'dialog[open]' },
  'signed-out': { path: '/?reason=signed-out', shows: notice },
  'password-changed': { path: '/?reason=password-changed', shows: notice },
})

const requestLink = (email: string): Step[] => [
  waitFor(submitButton),
  fill('input[name=email]', email),
  click(submitButton),
  waitFor('dialog[open]'),
]

const passwordReset = statesOf('password-reset')({
  empty: {},
  errors: { steps: submit, shows: '.error-summary' },
  sent: { steps: requestLink('jan.kowalski@poczta.example') },
})

const openMailedLink: Step = async (scene) => {
  const { page, run, locale } = scene
  // At most three links an hour are sent to an account.
  const { email } = customerOf({ pl: 'tomasz', en: 'ewa' }[locale])
  for (const step of requestLink(email)) await step(scene)
  const link = new URL(await run.mailedLink(email))
  await page.goto((locale === 'en' ? '/en' : '') + link.pathname.replace(/^\/en/, ''))
}

const setUpLink = (customer: Partial<InvitedCustomer> = {}, required: readonly RequiredConsent[] = []) =>
  reply(checkPasswordLink, {
    purpose: 'set-up',
    login: 'zaneta.kazmierczak@poczta.example',
    expiresAt: '2026-12-01T12:00:00.000Z',
    confirmsPhone: !customer.signatures,
    invited: {
      firstName: 'Żaneta',
      secondName: null,
      surname: 'Kaźmierczak',
      email: 'zaneta.kazmierczak@poczta.example',
      phone: '+48 ••• ••• 204',
      signatures: { total: 0, first: [] },
      seals: [],
      identification: null,
      ...customer,
    },
    required: [...required],
  })

const identifier = { type: 'PNO', country: 'PL', value: '••••••••458' } as const
const validity = { validFrom: '2026-11-24T08:00:00.000Z', validTo: '2028-11-23T13:00:00.000Z' }
const products = ['app', 'card', 'file'] as const

const invitedBySignatures = setUpLink({
  secondName: 'Świętosława',
  surname: 'Brzęczyszczykiewicz-Świętochłowska',
  signatures: { total: 5, first: products.map((product) => ({ product, identifier, ...validity })) },
  identification: {
    nationality: 'PL',
    identifierType: identifier.type,
    issuingCountry: identifier.country,
    identificationNumber: identifier.value,
    birthYear: 1944,
    documentType: 'DO',
    documentNumber: '••••••000',
    documentValidTo: null,
  },
})

const expiredLink = refuse(checkPasswordLink, 'link-expired')

const setupPassword = statesOf('setup-password', { path: `/setup-password/${'x'.repeat(43)}` })({
  form: { path: '/password-reset', steps: openMailedLink, shows: 'input[name=newPassword]' },
  invited: { before: invitedBySignatures, shows: '.setup__part' },
  seal: { before: setUpLink({ seals: ['Stowarzyszenie Łączność'] }), shows: '.setup__facts .notice' },
  // Who registered: the provider has stated nothing yet.
  'own-data-only': { before: setUpLink(), steps: click('summary') },
  required: {
    before: setUpLink({ seals: ['Stowarzyszenie Łączność'] }, ['terms', 'privacy']),
    steps: click('form button[type=submit]'),
    shows: '.consents [aria-invalid=true]',
  },
  'required-privacy': { before: setUpLink({}, ['privacy']), shows: '.consents' },
  unknown: { path: '/setup-password/cut-off', shows: 'a.button--primary' },
  expired: { before: expiredLink, shows: 'button.button--primary' },
  used: { before: refuse(checkPasswordLink, 'link-used'), shows: 'main .button--secondary' },
  'sent-again': {
    before: [expiredLink, reply(sendLinkAgain, { to: 'm•••@k•••.example' })],
    steps: click('button.button--primary'),
    shows: '.buttons--stack',
  },
})

const linkWith = (certificates: number, suspended = 0): FakeReply =>
  reply(checkLostPhoneLink, { certificates, suspended, expiresAt: '2026-12-01T12:00:00.000Z' })
const lostPhoneLink = linkWith(2)
const enterNumber: Step[] = [
  waitFor('input[name=documentNumber]'),
  fill('input[name=documentNumber]', 'ABA 300000'),
  click('form button[type=submit]:enabled'),
]
const openedLink = { path: `/lost-phone#link=${'x'.repeat(43)}`, before: lostPhoneLink }
const suspendedSoon = { deadline: '2026-11-25T10:30:00.000Z' }

const lostPhone = statesOf('lost-phone', { ownTab: true })({
  empty: {},
  sent: {
    steps: [
      waitFor(submitButton),
      fill('main input[name=login]', 'jan.kowalski'),
      click(submitButton),
      waitFor('dialog[open]'),
    ],
  },
  number: { ...openedLink, shows: 'input[name=documentNumber]' },
  'number-wrong': {
    ...openedLink,
    before: [lostPhoneLink, refuse(suspendAfterLoss, 'lost-phone-number-wrong', { entriesLeft: 2 })],
    steps: enterNumber,
    shows: '.error',
  },
  'numbers-spent': {
    ...openedLink,
    before: [lostPhoneLink, refuse(suspendAfterLoss, 'too-many-attempts', { retryAfter: 86_400 })],
    steps: enterNumber,
    shows: 'main:not(:has(form)) .button',
  },
  requested: {
    ...openedLink,
    before: [
      lostPhoneLink,
      reply(suspendAfterLoss, {
        requested: [
          { product: 'app', organisation: null, validTo: '2028-11-23T13:00:00.000Z', ...suspendedSoon },
          {
            product: 'card',
            organisation: 'Kancelaria Notarialna Brzęczyszczykiewicz-Świętochłowska i Wspólnicy',
            validTo: '2027-03-01T13:00:00.000Z',
            ...suspendedSoon,
          },
        ],
        hasEndedSession: false,
        seals: ['Stowarzyszenie Łączność'],
      }),
    ],
    steps: enterNumber,
    shows: '.ordered-list',
  },
  nothing: { ...openedLink, before: linkWith(0), shows: '.call-button' },
  kept: { ...openedLink, before: linkWith(0, 1), shows: 'input[name=documentNumber]' },
  used: { ...openedLink, before: refuse(checkLostPhoneLink, 'link-used'), shows: 'main .button--secondary' },
  expired: { ...openedLink, before: refuse(checkLostPhoneLink, 'link-expired'), shows: 'main .button--primary' },
  unknown: { path: '/lost-phone#link=cut-off', shows: 'main .button--primary' },
  offline: { ...openedLink, before: intercept(checkLostPhoneLink, (route) => route.abort()), shows: '.notice--error' },
  opening: { ...openedLink, before: stall(checkLostPhoneLink), shows: '.auth__box [role=status]' },
})

const phone = '+48 ••• ••• 204'
const unconfirmedPhone: FakeReply[] = [
  reply(readPhoneConfirmation, { phone, sent: null }),
  reply(sendPhoneConfirmation, () => ({ phone, sent: codeSent({ to: phone, sendsLeft: 1 }) })),
]
const sendCode = click('.button--primary')

const confirmPhone = statesOf('confirm-phone', { before: unconfirmedPhone })({
  send: { shows: '.button--primary' },
  code: { steps: sendCode, shows: '.code-field' },
  correct: { steps: click('.buttons--stack .button--secondary'), shows: 'input[type=tel]' },
  spent: {
    before: [...unconfirmedPhone, refuse(sendPhoneConfirmation, 'phone-sends-spent')],
    steps: sendCode,
    shows: '.notice--error',
  },
})

const changePassword = statesOf('change-password', { customer: 'oliver' })({
  empty: {},
  errors: { steps: submit, shows: '.error-summary' },
  passkeys: { before: severalPasskeysAndSessions, shows: '[aria-labelledby=passkeys-review] li' },
})

const enter = ({ number, email }: { number: string; email: string }): Step[] => [
  waitFor(submitButton),
  fill('input[name=email]', email),
  fill('input[name=firstName]', 'Żaneta'),
  fill('input[name=surname]', 'Kaźmierczak'),
  fill('input[type=tel]', number),
]

const send: Step[] = [
  ...enter({ number: '600 100 417', email: 'zaneta.kazmierczak@poczta.example' }),
  click('.check--all input'),
  press(/regulamin|the terms/, 'dialog[open]'),
  press(/zapoznanie|notice/, 'dialog[open]'),
  click(submitButton),
]

const registration = statesOf('register')({
  empty: {},
  /** Two wrong fields, and a domain with a typing error. */
  errors: {
    steps: [...enter({ number: '600 1', email: 'zaneta.kazmierczak@gmial.com' }), click(submitButton)],
    shows: '.error-summary',
  },
  countries: { steps: [click('button.country-code:enabled'), fill('[role=combobox]', 'nie')] },
  terms: { steps: [waitFor(submitButton), click('.check a')], shows: 'dialog[open] h3' },
  'too-many': {
    before: refuse(register, 'too-many-attempts', { retryAfter: 2520 }),
    steps: send,
    shows: '.next-steps, .notice--error',
  },
  sent: { steps: send, shows: '.next-steps, .notice--error' },
})

export const states = [
  ...login,
  ...passwordReset,
  ...setupPassword,
  ...lostPhone,
  ...confirmPhone,
  ...changePassword,
  ...registration,
]
