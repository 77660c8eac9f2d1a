import type { Page } from 'playwright-core'
import type { listSessions } from '../contract/active-sessions.ts'
import type { CodeSent } from '../contract/account.ts'
import { consentKinds } from '../contract/consent-statements.ts'
import type { Reply } from '../contract/endpoint.ts'
import type { Locale } from '../contract/enums.ts'
import type { checkPasswordLink, InvitedCustomer } from '../contract/password-link.ts'
import type { listPasskeys } from '../contract/passkeys.ts'
import { phoneChangeSteps, type PhoneChangeStep, type readPhoneChange } from '../contract/phone-change.ts'
import { wordingOf } from '../contract/wordings.ts'
import { demonstrationBrand } from '../server/brand.ts'
import { answerEveryMatter, answerNoneActive } from './home-states.ts'
import { dataExportStates } from './data-export-states.ts'
import { documentStates } from './document-states.ts'
import { downloadStates } from './download-states.ts'
import { customerOf, enterSmsCode, passPassword, type DemonstrationRun } from './demonstration-run.ts'
import { renewalBeginStates } from './renewal-begin-states.ts'
import { renewalStates } from './renewal-states.ts'
import { voucherStates } from './voucher-states.ts'

type Scene = { page: Page; run: DemonstrationRun; locale: Locale; at: (path: string) => string }

/** A link as it stands in a mail. */
const mailedPath = `/setup-password/${'x'.repeat(43)}`

/** One picture of the portal: a place, who looks at it, and what is done there first. */
export type ScreenState = {
  /** `<route>--<state>`, the name of its pictures. */
  name: string
  path: string
  /** Login of a customer of the demonstration; nobody unless said. */
  customer?: string
  /** Drawn at this size only, where the others do not have it. */
  only?: 'desktop' | 'phone'
  /** What it prepares lasts as long as its tab, so no other state can follow in it. */
  ownTab?: true
  /** Before the page is opened. */
  before?: (scene: Scene) => Promise<unknown>
  steps?: (scene: Scene) => Promise<unknown>
}

/** Every page, dialog and state that the demonstration can reach. A new screen joins by a line. */
export const screenStates: ScreenState[] = [
  { name: 'login--empty', path: '/' },
  { name: 'login--errors', path: '/', steps: submit },
  {
    name: 'login--refused',
    path: '/',
    steps: ({ page }) => passPassword(page, 'nobody', 'Wrong-Password-1!').then(() => seen(page, '.esum')),
  },
  { name: 'login--code', path: '/', steps: showCodeDialog },
  { name: 'login--code-wrong', path: '/', steps: wrongCode },
  {
    name: 'login--blocked',
    path: '/',
    steps: ({ page }) => passPassword(page, 'zablokowany').then(() => seen(page, 'dialog[open]')),
  },
  { name: 'login--session-ended', path: '/?reason=session-ended&returnTo=/home', steps: notice },
  { name: 'login--paused', path: '/', steps: pausedLogin },
  { name: 'login--session-full', path: '/?reason=session-full&returnTo=/home', steps: notice },
  { name: 'login--session-gone', path: '/?reason=session-gone&returnTo=/home', steps: notice },
  { name: 'login--language', path: '/', steps: loseAPassword },
  { name: 'login--signed-out', path: '/?reason=signed-out', steps: notice },
  { name: 'login--password-changed', path: '/?reason=password-changed', steps: notice },
  { name: 'password-reset--empty', path: '/password-reset' },
  { name: 'password-reset--errors', path: '/password-reset', steps: submit },
  { name: 'password-reset--sent', path: '/password-reset', steps: askForLink },
  { name: 'register--empty', path: '/register' },
  { name: 'register--errors', path: '/register', steps: failRegistration },
  { name: 'register--countries', path: '/register', steps: ({ page }) => openCountries(page, 'nie') },
  { name: 'register--terms', path: '/register', steps: ({ page }) => openTerms(page) },
  { name: 'register--too-many', path: '/register', before: refuseRegistration, steps: sendRegistration },
  { name: 'register--sent', path: '/register', steps: sendRegistration },
  { name: 'setup-password--form', path: '/password-reset', steps: openLink },
  {
    name: 'setup-password--invited',
    path: mailedPath,
    before: invited,
    steps: ({ page }) => seen(page, '.setup__part'),
  },
  {
    name: 'setup-password--seal',
    path: mailedPath,
    before: ({ page }) => setUpLink(page, { seals: ['Stowarzyszenie Łączność'] }),
    steps: ({ page }) => seen(page, '.setup__facts .note'),
  },
  {
    name: 'setup-password--own-data-only',
    path: mailedPath,
    before: registered,
    steps: ({ page }) => page.locator('summary').click(),
  },
  {
    name: 'confirm-phone--send',
    path: '/confirm-phone',
    before: confirmPhone,
    steps: ({ page }) => seen(page, '.btn--primary'),
  },
  { name: 'confirm-phone--code', path: '/confirm-phone', before: confirmPhone, steps: sendConfirmation },
  { name: 'confirm-phone--correct', path: '/confirm-phone', before: confirmPhone, steps: correctPhone },
  { name: 'confirm-phone--spent', path: '/confirm-phone', before: confirmSpentPhone, steps: sendSpent },
  {
    name: 'setup-password--unknown',
    path: '/setup-password/cut-off',
    steps: ({ page }) => seen(page, 'a.btn--primary'),
  },
  {
    name: 'setup-password--expired',
    path: mailedPath,
    before: (scene) => deadLink(scene, 'link-expired'),
    steps: ({ page }) => seen(page, 'button.btn--primary'),
  },
  {
    name: 'setup-password--used',
    path: mailedPath,
    before: (scene) => deadLink(scene, 'link-used'),
    steps: ({ page }) => seen(page, 'main .btn--secondary'),
  },
  {
    name: 'setup-password--sent-again',
    path: mailedPath,
    before: (scene) => deadLink(scene, 'link-expired'),
    steps: sendAgain,
  },
  { name: 'access-denied--plain', path: '/access-denied' },
  {
    name: 'access-denied--signed-in',
    path: '/access-denied',
    customer: 'oliver',
    steps: ({ page }) => seen(page, '.denied b'),
  },
  { name: 'faq--closed', path: '/faq' },
  { name: 'faq--open', path: '/faq#forgot-password', steps: ({ page }) => seen(page, 'details[open]') },
  {
    name: 'faq--nothing-found',
    path: '/faq',
    steps: searchInVain,
  },
  { name: 'accessibility--statement', path: '/accessibility' },
  { name: 'privacy--notice', path: '/privacy' },
  { name: 'terms--text', path: '/terms' },
  { name: 'not-found--open', path: '/no-such-page' },
  {
    name: 'error--chunk',
    path: '/software',
    customer: 'oliver',
    before: breakChunk,
    steps: ({ page }) => seen(page, '.err h1'),
  },
  {
    name: 'error--offline',
    path: '/home',
    customer: 'oliver',
    ownTab: true,
    before: async (scene) => {
      await scene.page.addInitScript(() => Object.defineProperty(navigator, 'onLine', { value: false }))
      await breakChunk(scene)
    },
    steps: async ({ page }) => {
      // On a phone the menu is in the sheet; the link in it is the same.
      await page.locator('.nav a[href$="/software"]').first().dispatchEvent('click')
      await seen(page, '.err h1')
    },
  },
  { name: 'home--expiring', path: '/home', customer: 'malgorzata', steps: card },
  { name: 'home--many', path: '/home', customer: 'zofia', steps: card },
  { name: 'home--calm', path: '/home', customer: 'wilhelmina', steps: ({ page }) => seen(page, '.calm') },
  { name: 'home--newcomer', path: '/home', customer: 'nowy', steps: ({ page }) => seen(page, '.home__start') },
  { name: 'home--waiting', path: '/home', customer: 'tomasz', steps: card },
  { name: 'home--suspended', path: '/home', customer: 'ewa', steps: card },
  {
    name: 'home--nothing-active',
    path: '/home',
    customer: 'nowy',
    before: ({ page }) => answerNoneActive(page, 'signatures'),
    steps: ({ page }) => seen(page, '.home__start'),
  },
  {
    name: 'home--every-matter',
    path: '/home',
    customer: 'nowy',
    before: ({ page }) => answerEveryMatter(page),
    steps: card,
  },
  {
    name: 'home--unavailable',
    path: '/home',
    customer: 'oliver',
    before: ({ page }) => failSummary(page, 503, 'unavailable'),
    steps: ({ page }) => seen(page, '.note .btn'),
  },
  {
    name: 'home--failed',
    path: '/home',
    customer: 'oliver',
    before: ({ page }) => failSummary(page, 429, 'too-many-attempts'),
    steps: ({ page }) => seen(page, '.note .btn'),
  },
  {
    name: 'home--account-menu',
    path: '/home',
    customer: 'oliver',
    steps: ({ page }) => page.locator('button.who').click(),
  },
  {
    name: 'home--more',
    path: '/home',
    customer: 'oliver',
    only: 'phone',
    steps: ({ page }) =>
      page
        .locator('.tabbar button')
        .click()
        .then(() => seen(page, 'dialog[open]')),
  },
  {
    name: 'home--session-warning',
    path: '/home',
    customer: 'oliver',
    before: shortenSession,
    steps: ({ page }) => seen(page, 'dialog[open] .sess'),
  },
  {
    name: 'home--last-warning',
    path: '/home',
    customer: 'oliver',
    before: (scene) => shortenSession(scene, true),
    steps: ({ page }) => seen(page, 'dialog[open] .sess'),
  },
  {
    name: 'home--new-build',
    path: '/home',
    customer: 'oliver',
    ownTab: true,
    before: newBuild,
    steps: ({ page }) =>
      card({ page })
        .then(() => page.clock.fastForward(3_600_000))
        .then(() => seen(page, '.toast')),
  },
  { name: 'signatures--expiring', path: '/certificates/signatures', customer: 'malgorzata', steps: card },
  { name: 'signatures--many', path: '/certificates/signatures', customer: 'zofia', steps: card },
  {
    name: 'signatures--nothing-found',
    path: '/certificates/signatures?search=zzzz',
    customer: 'zofia',
    steps: ({ page }) => seen(page, '.empty, .card'),
  },
  { name: 'signatures--long-names', path: '/certificates/signatures', customer: 'wilhelmina', steps: card },
  { name: 'signatures--not-yet-valid', path: '/certificates/signatures', customer: 'tomasz', steps: card },
  { name: 'signatures--inactive', path: '/certificates/signatures', customer: 'ewa', steps: card },
  {
    name: 'signatures--none',
    path: '/certificates/signatures',
    customer: 'nowy',
    steps: ({ page }) => seen(page, '.empty, main .card'),
  },
  { name: 'signatures--details', path: '/certificates/signatures', customer: 'malgorzata', steps: details },
  { name: 'signatures--step-up', path: '/certificates/signatures', customer: 'malgorzata', steps: showStepUp },
  { name: 'signatures--qr', path: '/certificates/signatures', customer: 'malgorzata', steps: showQr },
  {
    name: 'signatures--qr-code',
    path: '/certificates/signatures',
    customer: 'malgorzata',
    steps: (scene) => showQr(scene).then(() => enterAppCode(scene.page)),
  },
  { name: 'signatures--by-expiry', path: '/certificates/signatures?sort=ends-first', customer: 'zofia', steps: card },
  { name: 'faq--signed-in', path: '/faq', customer: 'oliver', steps: menuRound },
  { name: 'privacy--signed-in', path: '/privacy', customer: 'oliver', steps: menuRound },
  { name: 'seals--administrator', path: '/certificates/seals', customer: 'malgorzata', steps: sealUsers },
  { name: 'seals--several', path: '/certificates/seals', customer: 'zofia', steps: card },
  { name: 'seals--user', path: '/certificates/seals', customer: 'tomasz', steps: card },
  { name: 'seals--long-names', path: '/certificates/seals', customer: 'wilhelmina', steps: sealUsers },
  {
    name: 'seals--none',
    path: '/certificates/seals',
    customer: 'nowy',
    steps: ({ page }) => seen(page, '.empty, main .card'),
  },
  {
    name: 'seals--unavailable',
    path: '/certificates/seals',
    customer: 'oliver',
    before: ({ page }) => answerWith(page, '/api/seals', { code: 'unavailable', status: 503 }, 503),
    steps: ({ page }) => seen(page, '.note .btn'),
  },
  {
    name: 'seals--removed-users',
    path: '/certificates/seals',
    customer: 'malgorzata',
    steps: (scene) => sealUsers(scene).then(() => showRemoved(scene.page)),
  },
  {
    name: 'seals--many-users',
    path: '/certificates/seals',
    customer: 'malgorzata',
    before: manySealUsers,
    steps: ({ page }) => seen(page, '.sealusers__tools'),
  },
  {
    name: 'seals--add-user',
    path: '/certificates/seals',
    customer: 'malgorzata',
    steps: (scene) => sealUsers(scene).then(() => openAddUser(scene.page)),
  },
  {
    name: 'seals--add-user-errors',
    path: '/certificates/seals',
    customer: 'malgorzata',
    steps: (scene) => sealUsers(scene).then(() => failAddUser(scene.page)),
  },
  {
    name: 'seals--remove-user',
    path: '/certificates/seals',
    customer: 'malgorzata',
    steps: (scene) => sealUsers(scene).then(() => openRemoveUser(scene.page)),
  },
  { name: 'seals--activation', path: '/certificates/seals', customer: 'malgorzata', steps: openActivation },
  { name: 'seals--qr', path: '/certificates/seals', customer: 'wilhelmina', steps: showSealQr },
  { name: 'timestamps--list', path: '/certificates/timestamps', customer: 'malgorzata', steps: card },
  { name: 'timestamps--running-out', path: '/certificates/timestamps', customer: 'zofia', steps: card },
  {
    name: 'timestamps--none',
    path: '/certificates/timestamps',
    customer: 'oliver',
    steps: ({ page }) => seen(page, '.empty'),
  },
  {
    name: 'timestamps--failed',
    path: '/certificates/timestamps',
    customer: 'oliver',
    before: ({ page }) => answerWith(page, '/api/timestamps', { code: 'unavailable', status: 503 }, 503),
    steps: ({ page }) => seen(page, '.note .btn'),
  },
  {
    name: 'timestamps--packages',
    path: '/certificates/timestamps',
    customer: 'malgorzata',
    steps: (scene) => openOfAccount(scene, 0, 0, '.pack'),
  },
  {
    name: 'timestamps--packages-ending',
    path: '/certificates/timestamps',
    customer: 'zofia',
    steps: (scene) => openOfAccount(scene, 1, 0, '.pack'),
  },
  {
    name: 'timestamps--usage',
    path: '/certificates/timestamps',
    customer: 'malgorzata',
    steps: (scene) => openOfAccount(scene, 0, 1, '.usage'),
  },
  {
    name: 'timestamps--usage-table',
    path: '/certificates/timestamps',
    customer: 'malgorzata',
    steps: (scene) =>
      openOfAccount(scene, 0, 1, '.usage').then(() => scene.page.locator('.usage__table summary').click()),
  },
  {
    name: 'timestamps--connect',
    path: '/certificates/timestamps',
    customer: 'malgorzata',
    steps: (scene) => openOfAccount(scene, 0, 2, '.tsa__line'),
  },
  {
    name: 'timestamps--connect-signed',
    path: '/certificates/timestamps',
    customer: 'malgorzata',
    steps: (scene) => openOfAccount(scene, 1, 2, '.tsa__line'),
  },
  {
    name: 'timestamps--password',
    path: '/certificates/timestamps',
    customer: 'malgorzata',
    steps: (scene) => openOfAccount(scene, 0, 3, 'dialog input[name=newPassword]'),
  },
  {
    name: 'timestamps--password-errors',
    path: '/certificates/timestamps',
    customer: 'malgorzata',
    steps: failAccountPassword,
  },
  {
    name: 'timestamps--password-changed',
    path: '/certificates/timestamps',
    customer: 'malgorzata',
    before: ({ page }) => page.route('**/api/timestamps/*/password', (route) => route.fulfill({ status: 204 })),
    steps: changeAccountPassword,
  },
  { name: 'my-data--known', path: '/my-data', customer: 'malgorzata', steps: myData },
  { name: 'my-data--long-names', path: '/my-data', customer: 'wilhelmina', steps: myData },
  { name: 'my-data--document-expired', path: '/my-data', customer: 'ewa', steps: myData },
  { name: 'my-data--no-document', path: '/my-data', customer: 'nowy', steps: myData },
  { name: 'my-data--step-up', path: '/my-data', customer: 'malgorzata', steps: askForNumber },
  { name: 'my-data--revealed', path: '/my-data', customer: 'malgorzata', before: revealAtOnce, steps: reveal },
  ...phoneChangeSteps.map((step): ScreenState => ({
    name: `my-data--phone-${step}`,
    path: '/my-data',
    customer: 'malgorzata',
    before: (scene) => phoneChangeAt(scene, step),
    steps: ({ page }) => seen(page, '.task form'),
  })),
  {
    name: 'my-data--phone-back',
    path: '/my-data',
    customer: 'malgorzata',
    before: (scene) => phoneChangeAt(scene, 'number'),
    steps: ({ page }) => page.locator('.task .btn--quiet').click(),
  },
  {
    name: 'my-data--phone-document-wrong',
    path: '/my-data',
    customer: 'malgorzata',
    before: (scene) => refuseAt(scene, 'document', 'document-number-wrong'),
    steps: ({ page }) => enterInTask(page, 'ABC123456', '.esum'),
  },
  {
    name: 'my-data--phone-email-wrong',
    path: '/my-data',
    customer: 'malgorzata',
    before: (scene) => refuseAt(scene, 'email', 'email-code-wrong'),
    steps: ({ page }) => enterInTask(page, '481072', '.otp--err'),
  },
  {
    name: 'my-data--phone-expired',
    path: '/my-data',
    customer: 'malgorzata',
    before: (scene) => phoneChangeAt(scene, 'sms', { expiresAt: '2026-11-21T09:00:00.000Z' }),
    steps: ({ page }) => seen(page, '.task form'),
  },
  {
    name: 'my-data--phone-blocked',
    path: '/my-data',
    customer: 'malgorzata',
    before: ({ page }) =>
      answerWith(page, '/api/phone-change', { possible: true, change: null, blockedUntil: '2026-11-22T09:42:00.000Z' }),
    steps: ({ page }) => seen(page, '.note--err'),
  },
  {
    name: 'my-data--phone-changed',
    path: '/my-data',
    customer: 'malgorzata',
    before: changePhone,
    steps: async ({ page }) => {
      await enterInTask(page, '481072', '.task--done')
      await page.locator('.task--done .btn').last().click()
    },
  },
  { name: 'my-data--nothing-given', path: '/my-data', customer: 'oliver', steps: consents },
  { name: 'my-data--given', path: '/my-data', customer: 'oliver', before: giveConsents, steps: consents },
  { name: 'my-data--security', path: '/my-data', customer: 'oliver', before: severalWays, steps: security },
  {
    name: 'my-data--rename-passkey',
    path: '/my-data',
    customer: 'oliver',
    before: severalWays,
    steps: (scene) => openOfWay(scene, 'passkeys', 0, 'dialog input[name=name]'),
  },
  {
    name: 'my-data--remove-passkey',
    path: '/my-data',
    customer: 'oliver',
    before: severalWays,
    steps: (scene) => openOfWay(scene, 'passkeys', 1, 'dialog [data-safe]'),
  },
  {
    name: 'my-data--end-session',
    path: '/my-data',
    customer: 'oliver',
    before: severalWays,
    steps: (scene) => openOfWay(scene, 'sessions', 0, 'dialog [data-safe]'),
  },
  {
    name: 'my-data--nothing-found',
    path: '/my-data',
    customer: 'oliver',
    steps: async ({ page }) => {
      await page.locator('.activity select').selectOption('documents')
      await page.locator('.activity__tools button').click()
      await seen(page, '.activity .empty')
    },
  },
  {
    name: 'my-data--history-failed',
    path: '/my-data',
    customer: 'oliver',
    before: ({ page }) => answerWith(page, '/api/activity', { code: 'unavailable', status: 503 }, 503),
    steps: ({ page }) => seen(page, '.activity .note .btn'),
  },
  { name: 'my-data--wording', path: '/my-data', customer: 'oliver', steps: showWording },
  { name: 'change-password--empty', path: '/change-password', customer: 'oliver' },
  { name: 'change-password--errors', path: '/change-password', customer: 'oliver', steps: submit },
  {
    name: 'change-password--passkeys',
    path: '/change-password',
    customer: 'oliver',
    before: severalWays,
    steps: ({ page }) => seen(page, '[aria-labelledby=passkeys-review] li'),
  },
  ...dataExportStates,
  ...renewalStates,
  ...voucherStates,
  ...documentStates,
  ...downloadStates,
  ...renewalBeginStates,
  { name: 'software--list', path: '/software', customer: 'oliver', steps: card },
]

function sealUsers({ page }: { page: Page }) {
  return seen(page, '.sealusers tbody tr')
}

async function showRemoved(page: Page) {
  await page.locator('.sealusers__gone summary').click()
  await seen(page, '.sealusers__gone tbody tr')
}

async function openAddUser(page: Page) {
  await page
    .locator('.sealusers__head .btn')
    .filter({ hasText: /Dodaj|Add/ })
    .click()
  await seen(page, 'dialog input[name=email]')
}

async function failAddUser(page: Page) {
  await openAddUser(page)
  await page.locator('dialog input[name=email]').fill('l.dabrowski@kancelaria')
  await page.locator('dialog button[type=submit]').click()
  await seen(page, 'dialog .esum')
}

async function openRemoveUser(page: Page) {
  await page.locator('.sealusers .is-danger').first().click()
  await seen(page, 'dialog[open] .btn--danger')
}

/** The code is not entered, and not really sent: three a day go to one invitation. */
async function openActivation({ page }: Scene) {
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
  const sent = { sentAt: at(0), expiresAt: at(600), resendAt: at(60), sendsLeft: 2 }
  const id = crypto.randomUUID()
  await answerWith(page, '/activation', { id, channel: 'sms', to: '+48 ••• ••• 417', ordinal: 1, ...sent })
  await page.locator('.invite .btn--primary').click()
  await seen(page, 'dialog input[name=code]')
}

async function showSealQr({ page, run }: Scene) {
  await page.getByRole('button', { name: /kod QR|QR code|inny telefon|another phone/ }).click()
  await seen(page, 'dialog .qr, dialog input[name=code]')
  if (await page.locator('dialog input[name=code]').count()) await enterSmsCode(page, run, 'wilhelmina')
  await seen(page, 'dialog .qr__code')
}

/** A list of several pages, which the demonstration has not. */
function manySealUsers({ page }: Scene) {
  const items = Array.from({ length: 20 }, (_, i) => ({
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
  return page.route(/\/api\/seals\/[\w-]+\/users/, (route) => route.fulfill({ json: { items, next: 'next' } }))
}

/** Presses an action of an account's card: packages, usage, connection, password. */
async function openOfAccount({ page }: Scene, account: number, action: number, shows: string) {
  await card({ page })
  await page.locator('main article').nth(account).locator('.cert__act button').nth(action).click()
  await seen(page, `dialog[open]:has(${shows.replace('dialog ', '')})`)
}

async function enterAccountPassword(scene: Scene, newPassword: string, repeatPassword: string) {
  await openOfAccount(scene, 0, 3, 'input[name=newPassword]')
  const { page } = scene
  await page.locator('dialog input[name=newPassword]').fill(newPassword)
  await page.locator('dialog input[name=repeatPassword]').fill(repeatPassword)
  await page.locator('dialog button[type=submit]:enabled').click()
}

async function failAccountPassword(scene: Scene) {
  await enterAccountPassword(scene, 'zakrotkie', 'inne')
  await seen(scene.page, 'dialog [aria-invalid]')
}

async function changeAccountPassword(scene: Scene) {
  await enterAccountPassword(scene, 'Znaczniki2027', 'Znaczniki2027')
  await seen(scene.page, '.tsa__done')
}

function seen(page: Page, selector: string) {
  return page.locator(selector).first().waitFor()
}

function card({ page }: { page: Page }) {
  return seen(page, 'main article')
}
/** Typed again until the page has come to life. */
async function searchInVain({ page }: Scene) {
  const field = page.getByRole('searchbox')
  while (!(await page.locator('.faq .btn').isVisible())) {
    await field.fill('')
    await field.fill('zzzz')
  }
}

/** Two fields wrong and a domain mistyped; everything else as it should be. */
async function failRegistration({ page }: Scene) {
  await enterRegistration(page, { phone: '600 1', email: 'zaneta.kazmierczak@gmial.com' })
  await page.locator('form button[type=submit]:enabled').click()
  await seen(page, '.esum')
}

async function enterRegistration(page: Page, { phone, email }: { phone: string; email: string }) {
  await page.locator('form button[type=submit]:enabled').waitFor()
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=firstName]').fill('Żaneta')
  await page.locator('input[name=surname]').fill('Kaźmierczak')
  await page.locator('input[type=tel]').fill(phone)
}

async function sendRegistration({ page }: Scene) {
  await enterRegistration(page, { phone: '600 100 417', email: 'zaneta.kazmierczak@poczta.example' })
  await page.locator('.check--all input').click()
  for (const name of [/regulamin|the terms/, /informację|notice/])
    await page.getByRole('dialog').getByRole('button', { name }).click()
  await page.locator('form button[type=submit]').click()
  await seen(page, '.next, .note--err')
}

async function openCountries(page: Page, letters: string) {
  await page.locator('button.cc:enabled').click()
  await page.getByRole('combobox').fill(letters)
}

async function openTerms(page: Page) {
  await page.locator('form button[type=submit]:enabled').waitFor()
  await page.locator('.check a').first().click()
  await seen(page, 'dialog[open] h3')
}

function refuseRegistration({ page }: Scene) {
  return page.route('**/api/registration', (route) =>
    route.fulfill({
      status: 429,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'too-many-attempts', status: 429, retryAfter: 2520 }),
    }),
  )
}

function myData({ page }: Scene) {
  return seen(page, '.my-data .rows')
}

async function askForNumber({ page }: Scene) {
  await page.locator('.my-data .rows .btn--icon').last().click()
  await seen(page, 'dialog input[name=code]')
}

function revealAtOnce({ page }: Scene) {
  return answerWith(page, '/reveal', { value: 'ABA300000' })
}

async function reveal({ page }: Scene) {
  await page.locator('.my-data .rows .btn--icon').last().click()
  await seen(page, '.my-data [aria-pressed=true]')
}

/** A change of the number that has come to a step. */
async function phoneChangeAt({ page }: Scene, step: PhoneChangeStep, over: Partial<CodeSent> = {}) {
  const sent: CodeSent = {
    id: '0d9bd1a1-6f0f-4a52-9a52-3b1f5f3b8d10',
    ...(step === 'email' ? { channel: 'email', to: 'm•••@k•••.example' } : { channel: 'sms', to: '+48 ••• ••• 355' }),
    ordinal: 1,
    sentAt: '2026-11-21T09:42:00.000Z',
    expiresAt: '2026-11-21T09:52:00.000Z',
    resendAt: '2026-11-21T09:43:00.000Z',
    sendsLeft: 2,
    ...over,
  }
  const state: Reply<typeof readPhoneChange> = {
    possible: true,
    blockedUntil: null,
    change: {
      step,
      newPhone: step === 'sms' ? '+48600200355' : null,
      sent: step === 'email' || step === 'sms' ? sent : null,
    },
  }
  await answerWith(page, '/api/phone-change', state)
}

async function refuseAt(scene: Scene, step: 'document' | 'email', code: string) {
  await phoneChangeAt(scene, step)
  const path = step === 'email' ? 'email-code' : step
  await answerWith(scene.page, `/api/phone-change/${path}`, { code, status: 422, entriesLeft: 2 }, 422)
}

async function enterInTask(page: Page, text: string, shows: string) {
  await page.locator('.task form button[type=submit]:enabled').waitFor()
  await page.locator('.task input').first().fill(text)
  await page.locator('.task form button[type=submit]').click()
  await seen(page, shows)
}

async function changePhone(scene: Scene) {
  await phoneChangeAt(scene, 'sms')
  await scene.page.route('**/api/phone-change/sms-code', async (route) => {
    const session = (await (await scene.page.request.get('/api/session')).json()) as object
    await route.fulfill({ json: { phone: '+48 ••• ••• 355', session } })
  })
}

function consents({ page }: Scene) {
  return seen(page, '[aria-labelledby=consents-title] .consent-list')
}

/** Passkeys, of which a browser without a device can have none, and sessions on several devices. */
async function severalWays({ page }: Scene) {
  const passkeys: Reply<typeof listPasskeys> = {
    items: [
      {
        id: '6f1c1f5e-0000-4000-8000-000000000001',
        name: 'Laptop',
        addedAt: '2026-09-03T08:05:00.000Z',
        usedAt: '2026-11-20T13:05:00.000Z',
      },
      {
        id: '6f1c1f5e-0000-4000-8000-000000000002',
        name: 'Telefon służbowy w\u00a0kancelarii Brzęczyszczykiewicz-Świętochłowska',
        addedAt: '2026-11-03T14:05:00.000Z',
        usedAt: null,
      },
    ],
  }
  const moments = { startedAt: '2026-11-21T07:05:00.000Z', usedAt: '2026-11-21T09:41:00.000Z' }
  const sessions: Reply<typeof listSessions> = {
    items: [
      {
        id: '6f1c1f5e-0000-4000-8000-000000000003',
        isOwn: true,
        device: { browser: 'chrome', system: 'windows' },
        address: '198.51.100.7',
        country: 'PL',
        ...moments,
      },
      {
        id: '6f1c1f5e-0000-4000-8000-000000000004',
        isOwn: false,
        device: { browser: 'safari', system: 'ios' },
        address: '2001:db8:85a3::8a2e:370:7334',
        country: 'DE',
        ...moments,
      },
      {
        id: '6f1c1f5e-0000-4000-8000-000000000005',
        isOwn: false,
        device: { browser: null, system: null },
        address: null,
        country: null,
        ...moments,
      },
    ],
  }
  await answerWith(page, '/api/passkeys', passkeys)
  await answerWith(page, '/api/sessions', sessions)
}

async function security({ page }: Scene) {
  for (const part of ['[aria-labelledby=passkeys-title] li', '[aria-labelledby=sessions-title] li', '.activity tbody'])
    await seen(page, part)
}

async function openOfWay(scene: Scene, of: 'passkeys' | 'sessions', button: number, shown: string) {
  await security(scene)
  await scene.page.locator(`[aria-labelledby=${of}-title] li button`).nth(button).click()
  await seen(scene.page, shown)
}

/** As a customer who registered sees it; those of the demonstration were put by the provider. */
function giveConsents({ page, locale }: Scene) {
  return page.route('**/api/consents', (route) =>
    route.fulfill({
      json: {
        items: consentKinds.map((kind) => ({
          kind,
          given: true,
          at: '2026-11-03T14:05:00.000Z',
          wording: wordingOf(kind, locale, demonstrationBrand),
        })),
      },
    }),
  )
}

async function showWording({ page }: Scene) {
  await page.locator('[aria-labelledby=consents-title] .consent-list .btn').first().click()
  await seen(page, 'dialog[open] h3')
}

function menuRound({ page }: Scene) {
  return seen(page, '.app h1')
}

function notice({ page }: Scene) {
  return seen(page, '.auth__notice')
}

/** Whether or not there is such an account. In the other language and size it may be paused already. */
async function pausedLogin({ page, locale }: Scene) {
  const paused = page.locator('.esum', { hasText: /za dużo prób|too many attempts/ })
  while (!(await paused.count())) {
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/api/sign-in'))
    await passPassword(page, `paused.${locale}`, 'Wrong-Password-1!')
    await answered
    await page.locator('form button[type=submit]:not(.is-busy)').waitFor()
  }
}

async function loseAPassword({ page }: Scene) {
  await page.locator('form button[type=submit]:enabled').waitFor()
  await page.locator('input[name=password]').fill('Half-typed')
  await page.locator('.lang [hreflang]:not([aria-current])').click()
  await seen(page, 'dialog[open]')
}

async function submit({ page }: Scene) {
  await page.locator('form button[type=submit]:enabled').click()
  await seen(page, '.esum')
}

/** Whoever leaves a code unused takes it all the same, so that the next one asked for is the next one sent. */
async function showCodeDialog({ page, run }: Scene) {
  await passPassword(page, 'oliver')
  await seen(page, 'dialog[open]')
  await run.smsCode(customerOf('oliver').phone)
}

async function wrongCode({ page, run }: Scene) {
  await passPassword(page, 'malgorzata')
  await page.locator('dialog input[name=code]').waitFor()
  const right = await run.smsCode(customerOf('malgorzata').phone)
  await page.locator('dialog input[name=code]').fill(right === '123456' ? '654321' : '123456')
  await seen(page, 'dialog .otp--err')
}

async function askForLink({ page }: Scene) {
  await page.locator('form button[type=submit]:enabled').waitFor()
  await page.locator('input[name=email]').fill('jan.kowalski@poczta.example')
  await page.locator('form button[type=submit]').click()
  await seen(page, 'dialog[open]')
}

/** A page that opens the link of a mail: the answer to asking for it is the page where it is asked for. */
async function openLink({ page, run, locale }: Scene) {
  // Three links an hour are sent to one account.
  const { email } = customerOf({ pl: 'tomasz', en: 'ewa' }[locale])
  await page.locator('form button[type=submit]:enabled').waitFor()
  await page.locator('input[name=email]').fill(email)
  await page.locator('form button[type=submit]').click()
  await seen(page, 'dialog[open]')
  const link = new URL(await run.mailedLink(email))
  await page.goto((locale === 'en' ? '/en' : '') + link.pathname.replace(/^\/en/, ''))
  await seen(page, 'input[name=newPassword]')
}

const answerWith = (page: Page, path: string, body: object, status = 200) =>
  page.route(`**${path}`, (route) =>
    route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) }),
  )

const setUpLink = (page: Page, who: Partial<InvitedCustomer>) => {
  const link: Reply<typeof checkPasswordLink> = {
    purpose: 'set-up',
    login: 'zaneta.kazmierczak@poczta.example',
    expiresAt: '2026-12-01T12:00:00.000Z',
    confirmsPhone: !who.signatures,
    invited: {
      firstName: 'Żaneta',
      secondName: null,
      surname: 'Kaźmierczak',
      email: 'zaneta.kazmierczak@poczta.example',
      phone: '+48 ••• ••• 204',
      signatures: { total: 0, first: [] },
      seals: [],
      identification: null,
      ...who,
    },
  }
  return answerWith(page, '/api/password-link', link)
}

/** A customer who registered on their own, and of whom the provider knows nothing yet. */
function registered({ page }: Scene) {
  return setUpLink(page, {})
}

function invited({ page }: Scene) {
  const identifier = { type: 'PNO', country: 'PL', value: '••••••••458' } as const
  const validity = { validFrom: '2026-11-24T08:00:00.000Z', validTo: '2028-11-23T13:00:00.000Z' }
  return setUpLink(page, {
    secondName: 'Świętosława',
    surname: 'Brzęczyszczykiewicz-Świętochłowska',
    signatures: {
      total: 5,
      first: (['app', 'card', 'file'] as const).map((product) => ({ product, identifier, ...validity })),
    },
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
}

const unconfirmedPhone = '+48 ••• ••• 204'

/** Whose number is still to be confirmed; with a code that was sent as soon as it is asked for. */
async function confirmPhone({ page }: Scene) {
  const [now, later] = [0, 600_000].map((ms) => new Date(Date.now() + ms).toISOString())
  const sent = { id: crypto.randomUUID(), channel: 'sms', to: unconfirmedPhone, ordinal: 1, sendsLeft: 1 }
  const times = { sentAt: now, resendAt: new Date(Date.now() + 60_000).toISOString(), expiresAt: later }
  await answerWith(page, '/api/phone-confirmation', { phone: unconfirmedPhone, sent: null })
  await answerWith(page, '/api/phone-confirmation/send', { phone: unconfirmedPhone, sent: { ...sent, ...times } })
}

async function sendConfirmation({ page }: Scene) {
  await page.locator('.btn--primary').click()
  await seen(page, '.otp')
}

async function correctPhone({ page }: Scene) {
  await page.locator('.btns--stack .btn--secondary').click()
  await seen(page, 'input[type=tel]')
}

/** Two messages went to the number before, and nobody confirmed it. */
async function confirmSpentPhone(scene: Scene) {
  await confirmPhone(scene)
  await answerWith(scene.page, '/api/phone-confirmation/send', { code: 'phone-sends-spent', status: 422 }, 422)
}

async function sendSpent({ page }: Scene) {
  await page.locator('.btn--primary').click()
  await seen(page, '.note--err')
}

function deadLink({ page }: Scene, code: string) {
  return answerWith(page, '/api/password-link', { code, status: 422 }, 422)
}

async function sendAgain({ page }: Scene) {
  await answerWith(page, '/api/password-link/again', { to: 'm•••@k•••.example' })
  await page.locator('button.btn--primary').click()
  await seen(page, '.btns--stack')
}

function breakChunk({ page }: Scene) {
  return page.route(/software-screen.*\.js/, (route) => route.abort())
}

const failSummary = (page: Page, status: number, code: string) =>
  page.route('**/api/signatures/summary', (route) =>
    route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify({ code, status }) }),
  )

/** A session that is told to be over in 90 seconds; `last`: and cannot be extended. */
function shortenSession({ page }: Scene, last = false) {
  return page.route('**/api/session', async (route) => {
    const answer = await route.fetch()
    if (!answer.ok()) return route.fulfill({ response: answer })
    const session = (await answer.json()) as { now: string; endsAt: string; absoluteEndsAt: string }
    const endsAt = new Date(Date.parse(session.now) + 90_000).toISOString()
    await route.fulfill({
      response: answer,
      json: { ...session, endsAt, absoluteEndsAt: last ? endsAt : session.absoluteEndsAt },
    })
  })
}

async function newBuild({ page }: Scene) {
  await page.clock.install()
  await page.route('**/builds/**', (route) => route.fulfill({ json: { id: 'newer', timestamp: 1 } }))
  // An hour passes in the browser alone, and must not end the session there.
  await page.route('**/api/session', async (route) => {
    const answer = await route.fetch()
    if (!answer.ok()) return route.fulfill({ response: answer })
    const session = (await answer.json()) as { now: string }
    const endsAt = new Date(Date.parse(session.now) + 7_200_000).toISOString()
    await route.fulfill({ response: answer, json: { ...session, endsAt } })
  })
}

async function details({ page }: Scene) {
  await page
    .locator('main article')
    .first()
    .getByRole('button', { name: /certyfikatu|Certificate details/ })
    .click()
  await seen(page, 'dialog .certchain')
}

async function askForQr({ page }: Scene) {
  await page
    .locator('main article')
    .first()
    .getByRole('button', { name: /kod QR|QR code|inny telefon|another phone/ })
    .click()
  await seen(page, 'dialog[open]')
}

async function showStepUp(scene: Scene) {
  await askForQr(scene)
  // Its SMS is the next state's: the step-up stays open, and asking again sends no other.
  await seen(scene.page, 'dialog input[name=code]')
}

async function showQr(scene: Scene) {
  await askForQr(scene)
  // A step-up of this act may still be fresh, and then no code is asked for.
  await seen(scene.page, 'dialog .qr, dialog input[name=code]')
  if (await scene.page.locator('dialog input[name=code]').count())
    await enterSmsCode(scene.page, scene.run, 'malgorzata')
  await seen(scene.page, 'dialog .qr__code')
}

async function enterAppCode(page: Page) {
  await page.locator('dialog .dialog__foot .btn').last().click()
  await page.locator('dialog input[name=code]').fill('123')
}
