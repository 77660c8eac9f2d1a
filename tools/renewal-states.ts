import type { Page, Route } from 'playwright-core'
import type { Renewal } from '../contract/renewal.ts'
import { makeAgreement } from '../provider/agreement.ts'
import type { ScreenState } from './screen-states.ts'

const uid = '6f1c2b2e-4a57-4b1e-9d0c-5a3c7b1f2d10'
const path = `/renewal/${uid}`
const customer = 'oliver'
const day = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString()
const dayIn = (days: number) => inDays(days).slice(0, 10)

/** A renewal as far as a step; the demonstration has no customer in each of its states. */
function sample(over: Partial<Renewal> = {}): Renewal {
  return {
    uid,
    state: 'personal-data',
    version: 2,
    now: inDays(0),
    openedAt: inDays(-1),
    endsAt: inDays(11),
    certificate: {
      signature: '0d2b7c5e-93c5-4b0a-8f0e-1f2c3d4e5f60',
      name: 'Małgorzata Wiśniewska',
      company: 'Kancelaria Źródło sp. z o.o.',
      unit: null,
      position: 'radca prawny',
      identifier: { type: 'PNO', country: 'PL', value: '85031212343' },
      years: 2,
      validFrom: inDays(-718),
      validTo: inDays(12),
      status: 'good',
    },
    person: {
      firstName: 'Małgorzata',
      secondName: 'Anna',
      surname: 'Wiśniewska',
      email: 'm.wisniewska@kancelaria-zrodlo.example',
      phone: '+48600100417',
      maskedPhone: '+48 ••• ••• 417',
      birthDate: '1985-03-12',
      birthPlace: 'Szczebrzeszyn',
      nationality: 'PL',
      pesel: '85031212343',
      document: { type: 'DO', number: 'ABA300000', validTo: dayIn(1200), issuedBy: 'Burmistrz Szczebrzeszyna' },
      matches: true,
    },
    identityCheck: null,
    parameters: {
      start: 'continuity',
      activationDate: null,
      years: 2,
      certificateType: 'company',
      company: 'Kancelaria Źródło sp. z o.o.',
      unit: null,
      position: 'radca prawny',
      language: 'pl',
      identifier: 'same',
    },
    frozen: true,
    shortenedTo: null,
    stops: [],
    terms: null,
    agreement: null,
    signingFailed: false,
    signedAt: null,
    signature: null,
    note: null,
    ...over,
  }
}

const person = (over: Partial<Renewal['person']>) => ({ person: { ...sample().person, ...over } })
const identityDocument = sample().person.document!

const signing = (over: Partial<Renewal> = {}) =>
  sample({
    state: 'signing',
    version: 3,
    terms: { from: inDays(12), to: inDays(742), identifier: sample().certificate.identifier },
    agreement: { sha256: '1a2b3c4d'.repeat(8), bytes: 212_000, signed: false },
    ...over,
  })
const signed = (over: Partial<Renewal> = {}) =>
  signing({
    state: 'signed',
    signedAt: inDays(0),
    agreement: { sha256: '1a2b3c4d'.repeat(8), bytes: 268_000, signed: true },
    ...over,
  })
const issued = (from: number, over: Partial<Renewal> = {}, pairedAt: string | null = null) =>
  signed({
    state: 'issued',
    signature: {
      id: '0d2b7c5e-93c5-4b0a-8f0e-1f2c3d4e5f61',
      validFrom: inDays(from),
      validTo: inDays(from + 730),
      pairable: from <= 0,
      pairedAt,
    },
    ...over,
  })

const seen = (page: Page, selector: string) => page.locator(selector).first().waitFor()
const problem = (route: Route, status: number, body: object) =>
  route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify({ status, ...body }) })
const on = (page: Page, address: string, how: (route: Route) => unknown) =>
  page.route(new RegExp(`/api/renewals/${uid}${address}$`), (route) => void how(route))

let made: Promise<Uint8Array> | undefined
const agreement = () =>
  (made ??= makeAgreement({
    language: 'pl',
    number: 'U-20846',
    concludedAt: new Date(),
    product: 'app',
    subject: {
      kind: 'person',
      givenName: 'Małgorzata',
      surname: 'Wiśniewska',
      serialNumber: 'PNOPL-85031212343',
      country: 'PL',
    },
    notBefore: new Date(),
    notAfter: new Date(Date.now() + 730 * day),
    email: 'm.wisniewska@kancelaria-zrodlo.example',
    phone: '+48600100417',
  }))

/** The page is given that renewal and its agreement. */
const given =
  (renewal: Renewal) =>
  async ({ page }: { page: Page }) => {
    await on(page, '', (route) => route.fulfill({ json: renewal }))
    await on(page, '/agreement', async (route) =>
      route.fulfill({ contentType: 'application/pdf', body: Buffer.from(await agreement()) }),
    )
  }

const state = (name: string, renewal: Renewal, steps: NonNullable<ScreenState['steps']>): ScreenState => ({
  name: `renewal--${name}`,
  path,
  customer,
  before: given(renewal),
  steps,
})

const heading = ({ page }: { page: Page }) => seen(page, '.wiz h1')
/** A phone shows the file's row alone. */
const preview = ({ page }: { page: Page }) =>
  seen(page, page.viewportSize()!.width > 640 ? '.pdf canvas:not([hidden])' : '.docrow__act')

async function openDocument({ page }: { page: Page }) {
  await page.getByRole('button', { name: /^(?:Popraw|Correct)/ }).click()
  await seen(page, 'dialog[open] input')
}

async function askForCode(scene: { page: Page }, sendsLeft = 2) {
  const { page } = scene
  const after = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
  const sent = {
    id: crypto.randomUUID(),
    channel: 'sms',
    to: '+48 ••• ••• 417',
    ordinal: 1,
    sentAt: after(0),
    expiresAt: after(600),
    resendAt: after(60),
    sendsLeft,
  }
  await on(page, '/signing', (route) => route.fulfill({ json: sent }))
  await page.getByRole('button', { name: /^(?:Wyślij kod SMS|Send the text)/ }).click()
  await seen(page, 'input[name=code]')
  await preview(scene)
}

async function enterCode(scene: { page: Page }, how: (route: Route) => unknown) {
  await on(scene.page, '/signing/code', how)
  await askForCode(scene)
  await scene.page.locator('input[name=code]').fill('123456')
  await scene.page.locator('.signbox button[type=submit]').click()
}

/** REN-3, REN-6 … REN-9: the second half of the wizard. */
export const renewalStates: ScreenState[] = [
  state('data', sample(), heading),
  state('data-unconfirmed', sample(), async ({ page }) => {
    await page.locator('form button[type=submit]').click()
    await seen(page, '.esum')
  }),
  state(
    'data-differs',
    sample({ stops: ['DATA_MISMATCH'], ...person({ surname: 'Wiśniewska-Źródlana', matches: false }) }),
    heading,
  ),
  state(
    'data-document-expired',
    sample({ stops: ['DOC_EXPIRED'], ...person({ document: { ...identityDocument, validTo: dayIn(-3) } }) }),
    heading,
  ),
  state('data-document-dialog', sample(), openDocument),
  state('data-document-wrong', sample(), async (scene) => {
    await openDocument(scene)
    const { page } = scene
    await page.locator('dialog input[name=number]').fill('ABA 300001')
    await page.locator('dialog input[name=validTo]').fill(dayIn(-1))
    await page.locator('dialog button[type=submit]').click()
    await seen(page, 'dialog .error .ico')
  }),
  state('data-document-asked', sample({ identityCheck: { state: 'asked', document: identityDocument } }), heading),
  state('data-document-refused', sample({ identityCheck: { state: 'refused', document: identityDocument } }), heading),
  state(
    'data-shorter',
    sample({
      certificate: { ...sample().certificate, identifier: { type: 'IDC', country: 'PL', value: 'ABA300000' } },
      identityCheck: { state: 'confirmed', document: identityDocument },
      ...person({ document: { ...identityDocument, validTo: dayIn(400) } }),
    }),
    heading,
  ),
  state('signing-preparing', signing({ agreement: null }), heading),
  state('signing', signing(), preview),
  state('signing-code', signing(), (scene) => askForCode(scene)),
  state('signing-code-last', signing(), (scene) => askForCode(scene, 0)),
  state('signing-code-wrong', signing(), async (scene) => {
    await enterCode(scene, (route) => problem(route, 422, { code: 'code-wrong', entriesLeft: 2 }))
    await seen(scene.page, '.signbox .error .ico')
  }),
  state('signing-code-spent', signing(), async (scene) => {
    await enterCode(scene, (route) => problem(route, 422, { code: 'code-void' }))
    await seen(scene.page, '.signbox .note--err')
  }),
  state('signing-sending', signing(), async (scene) => {
    await enterCode(scene, () => undefined)
    await seen(scene.page, '.signbox .is-busy')
  }),
  state('signing-authorised', signing({ state: 'authorised' }), ({ page }) => seen(page, 'dialog[open]')),
  state('signing-refused', signing({ signingFailed: true }), preview),
  {
    name: 'renewal--signing-no-agreement',
    path,
    customer,
    before: async (scene) => {
      await given(signing())(scene)
      await on(scene.page, '/agreement', (route) => problem(route, 503, { code: 'unavailable' }))
    },
    steps: ({ page }) => seen(page, '.signdocs .note--err'),
  },
  state('signing-decline', signing(), async (scene) => {
    await preview(scene)
    await scene.page.getByRole('button', { name: /^(?:Odmów podpisania|Decline to sign)/ }).click()
    await seen(scene.page, 'dialog[open]')
  }),
  state('issuing', signed(), heading),
  state('not-yet', issued(12), heading),
  state('ready', issued(-0.01), heading),
  state('paired', issued(-0.01, { state: 'finished' }, inDays(0)), heading),
  state('finished-later', issued(12, { state: 'finished' }), heading),
  state('declined', signing({ state: 'declined' }), heading),
  state('expired', sample({ state: 'expired' }), heading),
  state(
    'failed',
    signed({
      state: 'failed',
      note: {
        pl: 'Klucz nowego certyfikatu nie mógł powstać.',
        en: 'The key of the new certificate could not be made.',
      },
    }),
    heading,
  ),
  {
    name: 'my-data--reminders-off',
    path: '/my-data',
    customer,
    before: ({ page }) => page.route('**/api/reminders', (route) => route.fulfill({ json: { early: false } })),
    steps: ({ page }) => seen(page, '.badge--mute'),
  },
]
