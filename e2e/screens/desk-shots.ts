import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { readDeskCase, type DeskCase } from '../../contract/desk/desk-cases.ts'
import { unmaskIdentityDocument } from '../../contract/desk/desk-tasks.ts'
import { locales, type Locale } from '../../contract/enums.ts'
import { renewalNumber } from '../../contract/rules/access-code.ts'
import { freePort } from '../../server/testing/processes.ts'
import { inDays, reply } from '../testing/fake-replies.ts'
import { withBrowser, withDemonstration } from '../testing/portal-process.ts'

// `node e2e/screens/desk-shots.ts` draws every state of the desk, after `npm run build`; with names, those that begin so.
const wanted = process.argv.slice(2)

/** A state of the desk: who looks at it, where, and what is done there first. */
type DeskState = {
  /** `desk-<screen>--<state>`, the name of its pictures. */
  name: string
  /** Member of the demonstration's staff; nobody unless given. */
  person?: string
  path: string
  steps?: ((page: Page) => Promise<unknown>)[]
  /** Selector of an element that is there when all is done. */
  shows?: string
}

const agent = 'Ewa Lis'
const administrator = 'Iga Zych'
const auditor = 'Adam Bąk'

const search =
  (text: string) =>
  async (page: Page): Promise<void> => {
    await page.locator('#desk-search').fill(text)
    await page.keyboard.press('Enter')
  }

const press =
  (selector: string) =>
  async (page: Page): Promise<void> =>
    page.locator(selector).first().click()

/** Proposes the legal hold, which is the last of the buttons, unless an earlier run has proposed it. */
async function proposeHold(page: Page) {
  await page.locator('#changes').waitFor()
  if (await page.locator('.desk-proposals li').count()) return
  await page.locator('section:has(> #changes) .buttons button').last().click()
  await page.locator('dialog input[name=reason]').fill('Pismo sądu z 12 maja')
  await page.locator('dialog button[type=submit]').click()
}

const renewal: DeskCase = {
  kind: 'renewal',
  id: '5b0c5b0e-7d0b-4d59-9d3c-3f6f6f3d2a10',
  number: renewalNumber('5b0c5b0e-7d0b-4d59-9d3c-3f6f6f3d2a10'),
  since: inDays(-1),
  waits: 'identity-check',
  state: 'personal-data',
  endsAt: inDays(20),
  refusal: null,
  note: null,
  uploadCheck: null,
  failure: null,
  steps: [{ at: inDays(-1), action: 'renewal-opened', actor: 'customer' }],
  actions: [],
}

/** Fakes a renewal that waits for the judgement of a document, because the demonstration has none. */
async function showIdentity(page: Page) {
  await reply(readDeskCase, renewal)({ page })
  await reply(unmaskIdentityDocument, {
    name: 'Małgorzata Wiśniewska',
    certificate: 'Małgorzata Wiśniewska, PNOPL-84021012345',
    identificationNumber: '84021012345',
    document: { type: 'DO', number: 'ABA300000', validTo: '2033-01-31', issuedBy: 'Prezydent m.st. Warszawy' },
    filed: { type: 'DO', number: 'ABA200000', validTo: '2025-01-31', issuedBy: 'Prezydent m.st. Warszawy' },
  })({ page })
  await page.goto(`/desk/customers/${renewal.id}/cases/renewal/${renewal.id}`)
  await page.locator('#tasks').waitFor()
}

/** Returns the states that a person of the staff, or nobody, sees at an address. */
const seenBy = (
  person: string | undefined,
  path: string,
  states: Record<string, Pick<DeskState, 'steps' | 'shows'>>,
): DeskState[] =>
  Object.entries(states).map(([name, state]) => ({ name: `desk-${name}`, path, ...(person && { person }), ...state }))

const openForm = press('.desk-head .button--primary')
const table = { shows: 'table' }

/** Customers are found on the way, because their ids differ from run to run. They are of the demonstration. */
const deskStates: DeskState[] = [
  ...seenBy(undefined, '/desk', { 'sign-in--page': {} }),
  ...seenBy(agent, '/desk', {
    'start--agent': {},
    'search--nobody': { steps: [search('mal')], shows: '.desk-found__none' },
    'customer--blocked': { steps: [search('zablokowany')], shows: '[name=reason]' },
    'customer--products': { steps: [search('malgorzata')], shows: '.desk-products' },
    'case--document': {
      steps: [search('malgorzata'), press('.desk-products a[href*="/cases/document/"]')],
      shows: 'ol, .desk-steps',
    },
    'move--certificate': {
      steps: [search('malgorzata'), press('section:has(> #products-certificates) button')],
      shows: '[name=customer]',
    },
    'customer--proposal': { steps: [search('emma'), proposeHold], shows: '.desk-proposals' },
  }),
  ...seenBy(agent, '/desk/tasks', {
    'tasks--page': table,
    'tasks--case': {
      steps: [
        (page) =>
          page
            .getByRole('row', { name: /O-20813/ })
            .getByRole('link')
            .click(),
      ],
      shows: '#tasks',
    },
  }),
  // Its fake replies stay for the states after it.
  ...seenBy(agent, '/desk', {
    'tasks--identity': { steps: [showIdentity], shows: '[name=reason]' },
    'tasks--identity-shown': {
      steps: [
        showIdentity,
        async (page) => {
          await page.locator('[name=reason]').fill('Zgłoszenie 4711')
          await page.keyboard.press('Enter')
        },
      ],
      shows: 'section:has(> #tasks) dl',
    },
  }),
  ...seenBy(administrator, '/desk/approvals', {
    'approvals--page': table,
    'approval--page': { steps: [press('td a, td .button')], shows: '#change' },
  }),
  ...seenBy(auditor, '/desk/audit', {
    'trail--page': table,
    'trail--details': { steps: [press('summary')], shows: 'details[open]' },
  }),
  ...seenBy(auditor, '/desk/audit/readers', { 'readers--page': table }),
  ...seenBy(auditor, '/desk/audit/verification', {
    'verification--page': { steps: [press('main form button[type=submit]')], shows: '.notice, table, form' },
  }),
  ...seenBy(administrator, '/desk/operations', { 'health--page': { shows: 'h2' } }),
  ...seenBy(administrator, '/desk/operations/messages', { 'messages--page': { shows: '.notice, table' } }),
  ...seenBy(administrator, '/desk/operations/client-keys', {
    'client-keys--page': table,
    'client-keys--new': { steps: [openForm], shows: 'dialog input[name=name]' },
  }),
  ...seenBy(administrator, '/desk/operations/webhooks', { 'webhooks--page': { shows: 'table, p.soft' } }),
  ...seenBy(administrator, '/desk/operations/software', { 'software--page': table }),
  ...seenBy(administrator, '/desk/operations/vouchers', {
    'vouchers--page': table,
    'vouchers--new': { steps: [openForm], shows: 'dialog input[name=customer]' },
    'vouchers--twenty': {
      steps: [
        openForm,
        (page) => page.locator('dialog').getByRole('combobox').nth(1).click(),
        (page) => page.getByRole('option').last().click(),
        press('dialog button[type=submit]'),
      ],
      shows: 'dialog [data-secret]',
    },
  }),
  ...seenBy(administrator, '/desk/operations/features', { 'features--page': table }),
  ...seenBy(agent, '/desk/sessions', { 'sessions--page': table }),
]

const states = deskStates.filter(({ name }) => !wanted.length || wanted.some((start) => name.startsWith(start)))
const folder = join(import.meta.dirname, '../../shots')
mkdirSync(folder, { recursive: true })
const port = String(await freePort())
process.env.DESK_PORT = port
process.env.DESK_TASKS = 'on'
const origin = `http://127.0.0.1:${port}`

await withDemonstration(() =>
  withBrowser(async (browser) => {
    for (const locale of locales) for (const width of [1280, 820]) await draw(browser, locale, width)
  }),
)
console.log(`Pictures are in ${folder}.`)

async function draw(browser: Browser, locale: Locale, width: number) {
  for (const person of new Set(states.map(({ person: each }) => each))) {
    const page = await browser.newPage({
      baseURL: origin,
      locale,
      viewport: { width, height: 800 },
      timezoneId: 'Europe/Warsaw',
      reducedMotion: 'reduce',
    })
    page.setDefaultTimeout(10_000)
    if (person) await signIn(page, person)
    for (const { name, path, steps = [], shows } of states.filter((state) => state.person === person)) {
      const file = `${name}--${width}--${locale}.png`
      try {
        await page.goto(path)
        await page.locator('h1').first().waitFor()
        for (const step of steps) await step(page)
        if (shows) await page.locator(shows).first().waitFor()
        await page.evaluate(() => document.fonts.ready)
        const isDialog = (await page.locator('dialog[open]').count()) > 0
        await page.screenshot({ path: join(folder, file), fullPage: !isDialog })
      } catch (error) {
        process.exitCode = 1
        console.error(`${file}: ${(error as Error).message}`)
      }
    }
    await page.close()
  }
}

async function signIn(page: Page, person: string) {
  await page.goto('/desk')
  await page.locator('main button').click()
  await page.getByRole('button', { name: person }).click()
  await page.waitForURL(`${origin}/desk`)
}
