import type { Page } from 'playwright-core'
import { readDeskCase, type DeskCase } from '../../contract/desk/desk-cases.ts'
import { unmaskIdentityDocument } from '../../contract/desk/desk-tasks.ts'
import { renewalNumber } from '../../contract/rules/renewal-number.ts'
import { inDays, reply } from '../../e2e/testing/fake-replies.ts'

/** A state of the desk: who looks at it, where, and what is done there first. */
type DeskState = {
  /** `desk-<screen>--<state>`, the name of its pictures. */
  name: string
  /** Of the demonstration's staff; nobody unless given. */
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

/** An earlier run may have proposed the legal hold, which is the last of the buttons. */
async function proposeHold(page: Page) {
  await page.locator('#changes').waitFor()
  if (await page.locator('.desk-proposals li').count()) return
  await page.locator('section:has(> #changes) .btns button').last().click()
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

/** No renewal of the demonstration waits for the judgement of a document. */
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

/** Customers are found on the way, because their ids differ from run to run. They are of the demonstration. */
export const deskStates: DeskState[] = [
  { name: 'desk-sign-in--page', path: '/desk' },
  { name: 'desk-start--agent', person: agent, path: '/desk' },
  { name: 'desk-search--nobody', person: agent, path: '/desk', steps: [search('mal')], shows: '.desk-found__none' },
  {
    name: 'desk-customer--blocked',
    person: agent,
    path: '/desk',
    steps: [search('zablokowany')],
    shows: '[name=reason]',
  },
  {
    name: 'desk-customer--products',
    person: agent,
    path: '/desk',
    steps: [search('malgorzata')],
    shows: '.desk-products',
  },
  {
    name: 'desk-case--document',
    person: agent,
    path: '/desk',
    steps: [search('malgorzata'), press('.desk-products a[href*="/cases/document/"]')],
    shows: 'ol, .desk-steps',
  },
  {
    name: 'desk-move--certificate',
    person: agent,
    path: '/desk',
    steps: [search('malgorzata'), press('section:has(> #products-certificates) button')],
    shows: '[name=customer]',
  },
  {
    name: 'desk-customer--proposal',
    person: agent,
    path: '/desk',
    steps: [search('emma'), proposeHold],
    shows: '.desk-proposals',
  },
  { name: 'desk-tasks--page', person: agent, path: '/desk/tasks', shows: 'table' },
  {
    name: 'desk-tasks--case',
    person: agent,
    path: '/desk/tasks',
    steps: [
      (page) =>
        page
          .getByRole('row', { name: /O-20813/ })
          .getByRole('link')
          .click(),
    ],
    shows: '#tasks',
  },
  { name: 'desk-tasks--identity', person: agent, path: '/desk', steps: [showIdentity], shows: '[name=reason]' },
  {
    name: 'desk-tasks--identity-shown',
    person: agent,
    path: '/desk',
    steps: [
      showIdentity,
      async (page) => {
        await page.locator('[name=reason]').fill('Zgłoszenie 4711')
        await page.keyboard.press('Enter')
      },
    ],
    shows: 'section:has(> #tasks) dl',
  },
  { name: 'desk-approvals--page', person: administrator, path: '/desk/approvals', shows: 'table' },
  {
    name: 'desk-approval--page',
    person: administrator,
    path: '/desk/approvals',
    steps: [press('td a, td .btn')],
    shows: '#change',
  },
  { name: 'desk-trail--page', person: auditor, path: '/desk/audit', shows: 'table' },
  {
    name: 'desk-trail--details',
    person: auditor,
    path: '/desk/audit',
    steps: [press('summary')],
    shows: 'details[open]',
  },
  { name: 'desk-readers--page', person: auditor, path: '/desk/audit/readers', shows: 'table' },
  {
    name: 'desk-verification--page',
    person: auditor,
    path: '/desk/audit/verification',
    steps: [press('main form button[type=submit]')],
    shows: '.note, table, form',
  },
  { name: 'desk-health--page', person: administrator, path: '/desk/operations', shows: 'h2' },
  { name: 'desk-messages--page', person: administrator, path: '/desk/operations/messages', shows: '.note, table' },
  { name: 'desk-client-keys--page', person: administrator, path: '/desk/operations/client-keys', shows: 'table' },
  {
    name: 'desk-client-keys--new',
    person: administrator,
    path: '/desk/operations/client-keys',
    steps: [(page) => page.locator('.desk-head .btn--primary').click()],
    shows: 'dialog input[name=name]',
  },
  { name: 'desk-webhooks--page', person: administrator, path: '/desk/operations/webhooks', shows: 'table, p.soft' },
  { name: 'desk-software--page', person: administrator, path: '/desk/operations/software', shows: 'table' },
  { name: 'desk-vouchers--page', person: administrator, path: '/desk/operations/vouchers', shows: 'table' },
  {
    name: 'desk-vouchers--new',
    person: administrator,
    path: '/desk/operations/vouchers',
    steps: [(page) => page.locator('.desk-head .btn--primary').click()],
    shows: 'dialog input[name=customer]',
  },
  {
    name: 'desk-vouchers--twenty',
    person: administrator,
    path: '/desk/operations/vouchers',
    steps: [
      (page) => page.locator('.desk-head .btn--primary').click(),
      (page) => page.locator('dialog').getByRole('combobox').nth(1).click(),
      (page) => page.getByRole('option').last().click(),
      (page) => page.locator('dialog button[type=submit]').click(),
    ],
    shows: 'dialog [data-secret]',
  },
  { name: 'desk-features--page', person: administrator, path: '/desk/operations/features', shows: 'table' },
  { name: 'desk-sessions--page', person: agent, path: '/desk/sessions', shows: 'table' },
]
