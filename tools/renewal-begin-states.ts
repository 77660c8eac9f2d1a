import type { Page } from 'playwright-core'
import type { Renewal, RenewalParameters } from '../contract/renewal.ts'
import type { Signature } from '../contract/signatures.ts'
import type { ScreenState } from './screen-states.ts'

const uid = '3f9b2c1e-7a4d-4e0b-9c55-1d2e3f405162'
const path = `/renewal/${uid}`
const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString()

const parameters: RenewalParameters = {
  start: 'continuity',
  activationDate: null,
  years: 2,
  certificateType: 'company',
  company: 'Kancelaria Źródło sp. z o.o.',
  unit: null,
  position: 'Radczyni prawna',
  language: 'pl',
  identifier: 'same',
}

/** A renewal whose new certificate the identity document would cut short. */
function sampleRenewal(over: Partial<Renewal> = {}): Renewal {
  return {
    uid,
    state: 'parameters',
    version: 1,
    now: days(0),
    openedAt: days(-1),
    endsAt: days(12),
    certificate: {
      signature: uid,
      name: 'Małgorzata Wiśniewska',
      company: 'Kancelaria Źródło sp. z o.o.',
      unit: null,
      position: 'Radczyni prawna',
      identifier: { type: 'IDC', country: 'PL', value: 'ABA300000' },
      years: 2,
      validFrom: days(-718),
      validTo: days(12),
      status: 'good',
    },
    person: {
      firstName: 'Małgorzata',
      secondName: null,
      surname: 'Wiśniewska',
      email: 'malgorzata@poczta.example',
      phone: '+48600100417',
      maskedPhone: '+48 ••• ••• 417',
      birthDate: '1985-03-12',
      birthPlace: 'Gdańsk',
      nationality: 'PL',
      pesel: '85031201240',
      document: { type: 'DO', number: 'ABA300000', validTo: days(528).slice(0, 10), issuedBy: 'Prezydent Gdańska' },
      matches: true,
    },
    identityCheck: null,
    parameters,
    frozen: false,
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

const shown = (page: Page, renewal: Renewal) =>
  page.route(`**/api/renewals/${uid}*`, (route) => route.fulfill({ json: renewal }))

const cut = sampleRenewal()
const { document } = cut.person
const expired = { ...document!, validTo: days(-3).slice(0, 10) }
const endsSoon = { ...document!, validTo: days(6).slice(0, 10) }

const state = (name: string, renewal: Renewal, steps?: (page: Page) => Promise<unknown>): ScreenState => ({
  name: `renewal--${name}`,
  path,
  customer: 'malgorzata',
  before: ({ page }) => shown(page, renewal),
  steps: async ({ page }) => {
    await page.locator('main h1').waitFor()
    await steps?.(page)
  },
})

/** The renewal up to its personal data, and where it begins. */
export const renewalBeginStates: ScreenState[] = [
  state('parameters', cut, wizard),
  state('parameters-full', sampleRenewal({ parameters: { ...parameters, identifier: 'pesel' } }), wizard),
  state('parameters-no-continuity', sampleRenewal({ person: { ...cut.person, document: endsSoon } }), wizard),
  state('parameters-personal', sampleRenewal({ certificate: { ...cut.certificate, company: null } }), wizard),
  state('parameters-errors', cut, async (page) => {
    await wizard(page)
    await page.locator('input[name=company]').fill('')
    await page.locator('input[value=immediately]').check()
    await page.locator('input[name=activationDate]').fill('2020-01-01')
    await page.locator('.wiz__act button').click()
    await page.locator('.esum').waitFor()
  }),
  state('shortened', cut, async (page) => {
    await wizard(page)
    await page.locator('.wiz__act button').click()
    await page.locator('dialog[open] .rows').waitFor()
  }),
  state('identifier', cut, async (page) => {
    await page.locator('.wiz__notes .link').first().click()
    await page.locator('dialog[open]').waitFor()
  }),
  state('document-expired', sampleRenewal({ stops: ['DOC_EXPIRED'], person: { ...cut.person, document: expired } })),
  state('data-differ', sampleRenewal({ stops: ['DATA_MISMATCH'] })),
  state(
    'document-checked',
    sampleRenewal({ stops: ['DATA_MISMATCH'], identityCheck: { state: 'asked', document: document! } }),
  ),
  state('certificate-expired', sampleRenewal({ stops: ['CERT_EXPIRED'] })),
  {
    ...state('parameters-review', sampleRenewal({ state: 'personal-data', version: 3, frozen: true })),
    path: `${path}?step=1`,
  },
  { ...state('data-review', sampleRenewal({ state: 'signing', version: 4, frozen: true })), path: `${path}?step=2` },
  state('exit', sampleRenewal({ version: 2 }), async (page) => {
    await wizard(page)
    await page.locator('.focus__out').click()
    await page.locator('dialog[open]').waitFor()
  }),
  {
    ...state('moved-on', cut, async (page) => {
      await wizard(page)
      await page.locator('input[name=years][value="3"]').click()
      await page.locator('.focus__main > .note').waitFor()
    }),
    before: async ({ page }) => {
      await shown(page, cut)
      await page.route(`**/api/renewals/${uid}/parameters`, (route) =>
        route.fulfill({ status: 422, json: { code: 'state-passed', status: 422, current: 'parameters' } }),
      )
    },
  },
  { name: 'renewal--unknown', path: `/renewal/${crypto.randomUUID()}`, customer: 'malgorzata' },
  {
    ...state('unavailable', cut),
    before: ({ page }) =>
      page.route(`**/api/renewals/${uid}`, (route) =>
        route.fulfill({ status: 503, json: { code: 'unavailable', status: 503 } }),
      ),
    steps: ({ page }) => page.locator('.note .btn').waitFor(),
  },
  {
    name: 'signatures--renewed',
    path: '/certificates/signatures',
    customer: 'malgorzata',
    before: ({ page }) =>
      page.route(/\/api\/signatures(?:\?|$)/, async (route) => {
        const response = await route.fetch()
        const list = (await response.json()) as { items: Signature[] }
        const items = list.items.map((one, i) => (i ? one : { ...one, renewal: 'signed' }))
        await route.fulfill({ response, json: { ...list, items } })
      }),
    steps: ({ page }) => page.getByRole('button', { name: /^(?:Zobacz odnowienie|See the renewal)/ }).waitFor(),
  },
  {
    name: 'signatures--renewal-code',
    path: '/certificates/signatures',
    customer: 'malgorzata',
    steps: ({ page }) => askForCode(page),
  },
  {
    name: 'signatures--renewal-code-wrong',
    path: '/certificates/signatures',
    customer: 'malgorzata',
    before: ({ page }) => opening(page, { code: 'voucher-refused', status: 422 }),
    steps: ({ page }) => enterCode(page, '[aria-invalid]'),
  },
  {
    name: 'signatures--renewal-refused',
    path: '/certificates/signatures',
    customer: 'malgorzata',
    before: ({ page }) => opening(page, { code: 'renewal-refused', status: 422, reason: 'TOO_EARLY' }),
    steps: ({ page }) => enterCode(page, '.note--warn'),
  },
  {
    name: 'home--unfinished-renewal',
    path: '/home',
    customer: 'wilhelmina',
    before: ({ page }) =>
      page.route('**/api/renewals', (route) =>
        route.fulfill({
          json: {
            items: [
              {
                uid,
                state: 'signing',
                name: 'Małgorzata Wiśniewska',
                certificateValidTo: days(12),
                endsAt: days(12),
                validFrom: null,
              },
            ],
          },
        }),
      ),
    steps: ({ page }) => page.locator('.attn__main').waitFor(),
  },
]

function wizard(page: Page) {
  return page.locator('.wiz .tl').waitFor()
}

const opening = (page: Page, problem: { code: string; status: number; reason?: string }) =>
  page.route('**/api/renewals', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: problem.status, json: problem }) : route.fallback(),
  )

async function askForCode(page: Page) {
  await page.locator('.page__head .btn').click()
  await page.locator('dialog[open] input[name=code]').waitFor()
}

async function enterCode(page: Page, shows: string) {
  await askForCode(page)
  await page.locator('dialog input[name=code]').fill('0000-0000-0000-0000')
  await page.locator('dialog button[type=submit]:enabled').click()
  await page.locator(`dialog ${shows}`).first().waitFor()
}
