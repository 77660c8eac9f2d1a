import { expect, test } from 'vitest'
import { listActivity, type ActivityEntry } from '../../contract/activity.ts'
import { activityObjectText } from '../../contract/activity-object.ts'
import type { AuditAction } from '../../contract/audit-actions.ts'
import { listDocuments } from '../../contract/documents.ts'
import { removePasskey } from '../../contract/passkeys.ts'
import { removeSignature } from '../../contract/provider/provider-api.ts'
import { removeDocumentCase } from '../../contract/provider/provider-documents.ts'
import { removeSeal } from '../../contract/provider/provider-seals.ts'
import { removeTimestampAccount } from '../../contract/provider/provider-timestamps.ts'
import { listSeals } from '../../contract/seals.ts'
import { listSignatures } from '../../contract/signatures.ts'
import { listTimestampAccounts } from '../../contract/timestamps.ts'
import { listVoucherCases } from '../../contract/vouchers.ts'
import type { AuditEntry } from '../platform/audit/audit-entry.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { accountIdOf } from '../platform/authentication/testing/account-id.ts'
import { openBrowser, type Person, type TestBrowser } from '../testing/browser.ts'
import { openPortal } from '../testing/open-portal.ts'
import { openTestProvider } from '../testing/provider.ts'
import { addCustomer, letIn } from '../testing/samples/ready-customers.ts'
import { giveObjects } from '../testing/samples/sample-objects.ts'
import { inviteTo, makeSeal } from '../testing/samples/sample-seals.ts'
import { giveTimestampAccount } from '../testing/samples/sample-timestamps.ts'
import { watchWork } from '../testing/work-watch.ts'

const portal = await openPortal()
const provider = await openTestProvider(portal)
const { call } = openBrowser(portal)
const query = { reason: 'wrong-customer' as const }

const historyOf = async (browser: TestBrowser) =>
  (await browser.call(listActivity, { query: { size: '100' } })).body.items
const day = (instant: string) => instant.slice(0, 10)
/** The newest entry of an action: its text, and whether it leads anywhere. */
function about(entries: readonly ActivityEntry[], action: AuditAction) {
  const object = entries.find(({ act }) => act === action)!.object
  return object && { text: activityObjectText('pl', object, day), isListed: object.shown?.isListed }
}

/** Entries of an account, whoever owns the objects that they name. */
async function addEntries(person: Person, ...entries: Pick<AuditEntry, 'action' | 'details'>[]) {
  const accountId = await accountIdOf(portal, person)
  await portal.db.transaction().execute(async (tx) => {
    for (const entry of entries) await addAuditEntry(tx, { ...entry, accountId, actor: 'customer' })
  })
}

test('AUT-12 R34 each entry names what it is about, and an entry of somebody else’s object names nothing', async () => {
  const person = await addCustomer(portal)
  const browser = await letIn(portal, person)
  const given = await giveObjects(portal, provider, person, browser)
  const { voucherCase, passkey, seal, sealUser } = given
  const entries = await historyOf(browser)
  const certificate = /^Podpis w\u00a0aplikacji mobilnej, Anna Nowak, do \d{4}-\d\d-\d\d$/
  const listed = (text: unknown) => ({ text, isListed: true })
  expect(about(entries, 'agreement-stored')).toEqual(listed(expect.stringMatching(certificate)))
  expect(about(entries, 'renewal-opened')).toEqual(listed(expect.stringMatching(certificate)))
  expect(about(entries, 'document-stored')).toEqual(listed('Sprawa W/2026/117'))
  expect(about(entries, 'voucher-redeemed')).toEqual(listed(`Sprawa ${voucherCase}`))
  expect(about(entries, 'timestamp-account-stored')).toEqual(listed('Konto tsa-01'))
  expect(about(entries, 'timestamp-package-stored')).toEqual(listed('Konto tsa-01'))
  expect(about(entries, 'passkey-added')!.text).toMatch(/^Klucz ./)
  expect(about(entries, 'seal-user-stored')).toEqual(
    listed('Pieczęć w\u00a0aplikacji mobilnej, Stowarzyszenie Łączność – pieczęć'),
  )
  expect(about(entries, 'code-sent')).toBeNull()
  await addEntries(person, { action: 'seal-user-invited', details: { seal, user: sealUser } })
  const { rows } = await portal.owner.query<{ name: string }>(
    `select first_name || ' ' || surname as name from seal_users where id = $1`,
    [sealUser],
  )
  expect(about(await historyOf(browser), 'seal-user-invited')!.text).toBe(
    `${rows[0]!.name}, Pieczęć w\u00a0aplikacji mobilnej, Stowarzyszenie Łączność – pieczęć`,
  )

  const stranger = await addCustomer(portal)
  const { rows: cases } = await portal.owner.query<{ id: string }>('select id from voucher_cases where number = $1', [
    voucherCase,
  ])
  await addEntries(
    stranger,
    { action: 'agreement-downloaded', details: { signature: given.signature } },
    { action: 'renewal-opened', details: { renewal: given.renewal, signature: given.signature } },
    { action: 'document-stored', details: { documentCase: given.documentCase } },
    { action: 'voucher-redeemed', details: { voucherCase: cases[0]!.id } },
    { action: 'timestamp-account-stored', details: { timestampAccount: given.timestampAccount } },
    { action: 'passkey-added', details: { passkey } },
    { action: 'seal-user-invited', details: { seal, user: sealUser } },
    { action: 'certificate-downloaded', details: { signature: 'no id' } },
  )
  const foreign = (await historyOf(await letIn(portal, stranger))).filter(({ object }) => object)
  expect(foreign).toHaveLength(8)
  expect(foreign.map(({ object }) => object!.shown)).toEqual(foreign.map(() => null))
})

test('AUT-12 what was removed has no link; an ended membership of a seal keeps the name, and only its Administrator sees the other users', async () => {
  const person = await addCustomer(portal)
  const browser = await letIn(portal, person)
  const given = await giveObjects(portal, provider, person, browser)
  const params = { id: given.passkey }
  await browser.call(removePasskey, { params })
  await call(removeDocumentCase, { params: { case: given.providerDocumentCase }, query })
  await call(removeTimestampAccount, { params: { account: given.providerTimestampAccount }, query })
  await call(removeSeal, { params: { seal: given.providerSeal }, query })
  await call(removeSignature, { params: { signature: given.providerSignature }, query })
  const entries = await historyOf(browser)
  const removed = (text: string) => ({ text, isListed: undefined })
  expect(about(entries, 'filed-object-removed')).toEqual(removed('Usunięty podpis'))
  expect(about(entries, 'agreement-stored')).toEqual(removed('Usunięty podpis'))
  expect(about(entries, 'document-stored')).toEqual(removed('Usunięta sprawa'))
  expect(about(entries, 'timestamp-package-stored')).toEqual(removed('Usunięte konto'))
  expect(about(entries, 'seal-user-stored')).toEqual(removed('Usunięta pieczęć'))
  expect(about(entries, 'passkey-added')).toEqual(removed('Usunięty klucz'))
  expect(about(entries, 'passkey-removed')).toBeNull()

  const [administrator, user] = [person, await addCustomer(portal)]
  const {
    id: seal,
    providerId,
    users,
  } = await makeSeal(portal, provider, [
    { person: administrator, role: 'administrator', status: 'active' },
    { person: user, role: 'user', status: 'active' },
  ])
  const other = await inviteTo(portal, providerId)
  const details = { seal, user: other.id }
  await addEntries(administrator, { action: 'seal-user-invited', details })
  await addEntries(user, { action: 'seal-user-invited', details })
  const text = 'Pieczęć w\u00a0aplikacji mobilnej, Stowarzyszenie Łączność – pieczęć'
  const browserOfUser = await letIn(portal, user)
  expect(about(await historyOf(browser), 'seal-user-invited')!.text).toMatch(new RegExp(`^.+ .+, ${text}$`))
  expect(about(await historyOf(browserOfUser), 'seal-user-invited')).toEqual({ text, isListed: true })
  await portal.owner.query(`update seal_users set status = 'deleted', deleted_at = now() where id = any($1)`, [
    [other.id, users[1]!.id],
  ])
  expect(about(await historyOf(browser), 'seal-user-invited')).toMatchObject({ isListed: false })
  expect(about(await historyOf(browserOfUser), 'seal-user-invited')).toEqual({ text, isListed: false })
})

test('AUT-12 R34 each list can be read with one object alone, and never with somebody else’s', async () => {
  const person = await addCustomer(portal)
  const browser = await letIn(portal, person)
  await giveObjects(portal, provider, person, browser)
  await giveTimestampAccount(portal, person.id, { login: 'tsa-02' })
  const stranger = await letIn(portal, await addCustomer(portal))
  for (const list of [listSignatures, listSeals, listTimestampAccounts, listDocuments, listVoucherCases]) {
    const idsOf = async (by: TestBrowser, wanted: { id?: string; search?: string }) => {
      const { body } = await by.call(list as typeof listDocuments, { query: wanted })
      return body.items.map(({ id }) => id)
    }
    const all = await idsOf(browser, {})
    expect([list.path, all.length > 0]).toEqual([list.path, true])
    for (const id of all) {
      expect(await idsOf(browser, { id })).toEqual([id])
      expect(await idsOf(browser, { id, search: 'nothing has this' })).toEqual([])
      expect(await idsOf(stranger, { id })).toEqual([])
    }
    expect((await browser.raw('GET', `${list.path}?id=1`)).status).toBe(400)
  }
})

test('AUT-12 the names of a page are read with its entries, by one statement however many there are', async () => {
  const person = await addCustomer(portal)
  const browser = await letIn(portal, person)
  const { id } = await provider.give(person)
  const take = watchWork()
  const statementsOf = async () => {
    take()
    const rows = await historyOf(browser)
    const entries = rows.reduce((sum, { count }) => sum + count, 0)
    return { entries, statements: take().statements.filter((text) => !/sessions/.test(text)).length }
  }
  const few = await statementsOf()
  await addEntries(
    person,
    ...Array.from({ length: 40 }, () => ({ action: 'agreement-downloaded' as const, details: { signature: id } })),
  )
  expect(await statementsOf()).toEqual({ entries: few.entries + 40, statements: few.statements })
})
