import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../../contract/endpoint.ts'
import { getDocumentCase, listDocumentCases, removeDocumentCase } from '../../contract/provider/provider-documents.ts'
import { getSeal, listProviderSeals, removeSeal } from '../../contract/provider/provider-seals.ts'
import * as providerApi from '../../contract/provider/provider-signatures.ts'
import * as providerTimestamps from '../../contract/provider/provider-timestamps.ts'
import { getVoucherCode, listProviderCases } from '../../contract/provider/provider-vouchers.ts'
import { listSignatures } from '../../contract/signatures.ts'
import { removeDiscarded } from '../platform/files/discarded-files.ts'
import { auditEntries, endOfFeed, readFeed } from '../testing/audit-entries.ts'
import { openBrowser } from '../testing/browser.ts'
import { countRows } from '../testing/database-state.ts'
import { openPortalWithRenewals } from '../testing/open-portal.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { giveDocument } from '../testing/samples/sample-documents.ts'
import { renewUntilAgreement, signAgreementByCode } from '../testing/samples/sample-renewals.ts'
import { makeSeal, putSealPdf } from '../testing/samples/sample-seals.ts'
import { giveTimestamps } from '../testing/samples/sample-timestamps.ts'
import { openVoucherCase } from '../testing/samples/sample-vouchers.ts'

const renewalPortal = await openPortalWithRenewals()
const { portal, provider, makeRenewable } = renewalPortal
const { call } = openBrowser(portal)
const reason = 'wrong-customer' as const
const query = { reason }

const count = (from: string, ...values: string[]) => countRows(portal, from, ...values)
const storedFiles = async () => {
  await removeDiscarded(portal.db, portal.portal.ports.documents)
  const { rows } = await portal.owner.query<{ key: string }>('select document as key from document_keys')
  return rows.map(({ key }) => key)
}

describe('PRV-3 R141 misfiled objects', () => {
  test('PRV-3 R141 a signature goes with its pairing, agreement, codes and unsigned renewal; the audit trail and the feed name it; a repetition does nothing', async () => {
    const renewing = await makeRenewable()
    const { providerId: signature, id } = renewing.signature
    await provider.putAgreement(signature)
    await renewUntilAgreement(renewalPortal, renewing)
    const codes = await portal.owner.query(`select provider_id from voucher_codes where signature_id = $1`, [id])
    const [files, end] = [await storedFiles(), await endOfFeed(portal)]
    const first = await call(providerApi.removeSignature, { params: { signature }, query })
    expect([first.status, first.body]).toEqual([200, { removed: true }])
    expect((await call(providerApi.getSignature, { params: { signature } })).status).toBe(404)
    expect((await renewing.browser.call(listSignatures)).body.items).toEqual([])
    expect((await call(getVoucherCode, { params: { code: codes.rows[0].provider_id } })).status).toBe(404)
    expect(await count('renewals where signature_id = $1', id)).toBe(0)
    // The agreement of the signature and that of the renewal.
    expect(files.length - (await storedFiles()).length).toBe(2)
    expect((await readFeed(portal, end)).map(({ type, data }) => ({ type, data }))).toEqual([
      { type: 'object.removed', data: { object: 'signature', filed: signature, reason } },
    ])
    const entries = () => auditEntries(portal, { action: 'filed-object-removed', details: { filed: signature } })
    expect(await entries()).toMatchObject([{ actor: 'provider', details: { object: 'signature', reason } }])
    expect((await call(providerApi.removeSignature, { params: { signature }, query })).body).toEqual({ removed: false })
    expect(await entries()).toHaveLength(1)
    // The certificate can be filed where it belongs.
    const owner = await addCustomer(portal)
    const body = await provider.signedBody(owner.id)
    const [wrong, right] = [`s-${crypto.randomUUID()}`, `s-${crypto.randomUUID()}`]
    await call(providerApi.putSignature, { params: { signature: wrong }, body })
    await call(providerApi.removeSignature, { params: { signature: wrong }, query })
    expect((await call(providerApi.putSignature, { params: { signature: right }, body })).status).toBe(200)
  })

  test('PRV-3 R141 neither side of a signed renewal is removed, and nothing of it', async () => {
    const renewing = await makeRenewable()
    const renewal = await signAgreementByCode(
      renewalPortal,
      renewing,
      await renewUntilAgreement(renewalPortal, renewing),
    )
    expect(renewal.state).toBe('signed')
    const { providerId: signature } = renewing.signature
    const refused = async (id: string) => {
      const { problem } = await call(providerApi.removeSignature, { params: { signature: id }, query })
      expect(problem).toMatchObject({ status: 422, code: 'object-in-use', reason: 'renewal' })
      expect((await call(providerApi.getSignature, { params: { signature: id } })).status).toBe(200)
    }
    const files = await storedFiles()
    await refused(signature)
    await renewalPortal.backOffice.work()
    const rows = await portal.rows(
      `select n.provider_id as issued from renewals r join signatures n on n.id = r.issued_signature where r.signature_id = $1`,
      [renewing.signature.id],
    )
    await refused(rows[0]!.issued)
    expect(await storedFiles()).toEqual(expect.arrayContaining(files))
  })

  test('R251 DSK-26 nothing of a customer under a legal hold is removed, nor a file of it', async () => {
    const person = await addCustomer(portal)
    const { providerId: signature } = await provider.give(person, {})
    await provider.putAgreement(signature)
    const { providerDocumentCase } = await giveDocument(portal, person.id)
    const timestamps = await giveTimestamps(portal, person.id)
    const { providerId: seal, id } = await makeSeal(portal, provider, [{ person, role: 'admin', status: 'active' }])
    // A user who has had access counts too.
    const deleteUsers = `update seal_users set status = 'deleted', deleted_at = portal_now() where seal_id = $1`
    await portal.owner.query(deleteUsers, [id])
    const removals = [
      [providerApi.removeSignature, { signature }],
      [removeDocumentCase, { case: providerDocumentCase }],
      [removeSeal, { seal }],
      [providerTimestamps.removeTimestampPackage, { package: timestamps.providerTimestampPackage }],
      [providerTimestamps.removeTimestampAccount, { account: timestamps.providerTimestampAccount }],
    ] as const
    const removeAll = async () => {
      const answers = []
      for (const [endpoint, params] of removals)
        answers.push(await call(endpoint as Endpoint, { params, query } as never))
      return answers
    }
    const hold = (at: string) =>
      portal.owner.query(`update accounts set held_at = ${at} where provider_id = $1`, [person.id])
    await hold('portal_now()')
    const files = await storedFiles()
    for (const { status, problem } of await removeAll())
      expect([status, problem.code, problem.reason]).toEqual([422, 'object-in-use', 'legal-hold'])
    expect(await storedFiles()).toEqual(files)
    await hold('null')
    for (const { body } of await removeAll()) expect(body).toEqual({ removed: true })
  })

  test('PRV-3 R141 a seal goes with its users, invitations and agreement, and each user reads it in the history', async () => {
    const [admin, invited] = [await addCustomer(portal), await addCustomer(portal)]
    const { id, providerId: seal } = await makeSeal(portal, provider, [
      { person: admin, role: 'admin', status: 'active' },
      { person: invited, role: 'user', status: 'pending' },
    ])
    await putSealPdf(portal, seal)
    const files = (await storedFiles()).length
    expect((await call(removeSeal, { params: { seal }, query })).body).toEqual({ removed: true })
    expect((await call(getSeal, { params: { seal } })).status).toBe(404)
    expect(await count('seal_users where seal_id = $1', id)).toBe(0)
    expect(files - (await storedFiles()).length).toBe(1)
    const actions = (await auditEntries(portal, { login: admin.login })).map(({ action }) => action)
    expect(actions).toContain('seal-user-removed')
    expect((await call(removeSeal, { params: { seal }, query })).body).toEqual({ removed: false })
  })

  test('PRV-3 timestamp packages and accounts are removed, an account with its packages', async () => {
    const { id } = await addCustomer(portal)
    const one = await giveTimestamps(portal, id)
    const [account, name] = [one.providerTimestampAccount, one.providerTimestampPackage]
    const removal = () => call(providerTimestamps.removeTimestampPackage, { params: { package: name }, query })
    expect([(await removal()).body, (await removal()).body]).toEqual([{ removed: true }, { removed: false }])
    expect((await call(providerTimestamps.getTimestampPackage, { params: { package: name } })).status).toBe(404)
    expect((await call(providerTimestamps.removeTimestampAccount, { params: { account }, query })).body.removed).toBe(
      true,
    )
    expect((await call(providerTimestamps.getTimestampAccount, { params: { account } })).status).toBe(404)
  })

  test('PRV-3 R141 a case goes with its document, but not once the customer has signed it', async () => {
    const { id } = await addCustomer(portal)
    const given = await giveDocument(portal, id)
    const params = { case: given.providerDocumentCase }
    const files = (await storedFiles()).length
    expect((await call(removeDocumentCase, { params, query })).body).toEqual({ removed: true })
    expect((await call(getDocumentCase, { params })).status).toBe(404)
    expect(files - (await storedFiles()).length).toBe(1)
    const uploaded = await giveDocument(portal, id)
    const upload = `update document_cases set upload_file = document_file where id = $1`
    await portal.owner.query(upload, [uploaded.documentCase])
    const refused = await call(removeDocumentCase, { params: { case: uploaded.providerDocumentCase }, query })
    expect(refused.problem).toMatchObject({ code: 'object-in-use', reason: 'signed-document' })
    expect(await count('document_cases where id = $1 and document_file is not null', uploaded.documentCase)).toBe(1)
    expect(await count('discarded_files')).toBe(0)
  })
})

describe('PRV-5 lists', () => {
  type Listed = {
    list: Endpoint
    one: (item: never) => string
    status: string
    give: (customer: string) => Promise<string>
  }
  const lists: Record<string, Listed> = {
    signatures: {
      list: providerApi.listProviderSignatures,
      one: ({ signature }: { signature: string }) => signature,
      status: 'good',
      give: async (id) => (await provider.give({ id })).providerId,
    },
    'timestamp accounts': {
      list: providerTimestamps.listTimestampAccounts,
      one: ({ account }: { account: string }) => account,
      status: 'active',
      give: async (id) => (await giveTimestamps(portal, id)).providerTimestampAccount,
    },
    'document cases': {
      list: listDocumentCases,
      one: (item: { case: string }) => item.case,
      status: 'passed-to-subscriber',
      give: async (id) => (await giveDocument(portal, id, { pdf: null })).providerDocumentCase,
    },
  }
  const read = (list: Endpoint, filters: Record<string, string>) =>
    call(list as typeof providerApi.listProviderSignatures, { query: filters }) as unknown as Promise<{
      status: number
      body: { items: never[]; next: string | null }
      problem: { code: string }
    }>

  test.each(Object.entries(lists))(
    'PRV-5 %s are listed by customer and by status, page by page, each once',
    async (_, { list, one, status, give }) => {
      const [mine, other] = [await addCustomer(portal), await addCustomer(portal)]
      const given = []
      for (let i = 0; i < 3; i++) given.push(await give(mine.id))
      await give(other.id)
      const ofCustomer = (await read(list, { customer: mine.id })).body
      expect(ofCustomer.items.map(one).toSorted()).toEqual(given.toSorted())
      expect((await read(list, { customer: mine.id, status })).body.items).toHaveLength(3)
      expect((await read(list, { customer: 'c-nobody' })).body).toEqual({ items: [], next: null })
      const all: string[] = []
      for (let next: string | null = ''; next !== null;) {
        const { body } = await read(list, { status, ...(next && { cursor: next }) })
        all.push(...body.items.map(one))
        next = body.next
      }
      expect(new Set(all).size).toBe(all.length)
      expect(given.every((id) => all.includes(id))).toBe(true)
    },
  )

  test('PRV-5 seals are listed by status and by who has access now', async () => {
    const [admin, former] = [await addCustomer(portal), await addCustomer(portal)]
    const { providerId } = await makeSeal(portal, provider, [
      { person: admin, role: 'admin', status: 'active' },
      { person: former, role: 'user', status: 'pending' },
    ])
    const sealsOf = async (filters: Record<string, string>) =>
      ((await read(listProviderSeals, filters)).body.items as { seal: string }[]).map(({ seal }) => seal)
    expect(await sealsOf({ customer: admin.id })).toEqual([providerId])
    expect(await sealsOf({ customer: former.id })).toEqual([])
    expect(await sealsOf({ status: 'good' })).toContain(providerId)
    expect(await sealsOf({ status: 'revoked' })).not.toContain(providerId)
  })

  test('PRV-5 voucher cases are listed by customer', async () => {
    const person = await addCustomer(portal)
    await openVoucherCase(portal, await signInDirectly(portal, person))
    const { body } = await call(listProviderCases, { query: { customer: person.id } })
    expect(body.items.map(({ customer }) => customer)).toEqual([person.id])
  })
})
