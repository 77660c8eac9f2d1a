import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { findMoveTarget, moveAtDesk, type MovableKind } from '../../contract/desk/desk-moves.ts'
import { listDocuments } from '../../contract/documents.ts'
import { openRenewal } from '../../contract/renewal.ts'
import { listSeals } from '../../contract/seals.ts'
import { listSignatures } from '../../contract/signatures.ts'
import { listTimestampAccounts } from '../../contract/timestamps.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { runBehindLock } from '../testing/concurrency.ts'
import { readPortalId } from '../testing/database-state.ts'
import { openDesk, signInStaff, uncountStaff } from '../testing/open-desk.ts'
import { openPortalWithRenewals } from '../testing/open-portal.ts'
import { sampleIdentification } from '../testing/portal-nodes.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { giveDocument } from '../testing/samples/sample-documents.ts'
import { makeSeal } from '../testing/samples/sample-seals.ts'
import { giveTimestamps } from '../testing/samples/sample-timestamps.ts'
import { giveRenewalCode } from '../testing/samples/sample-vouchers.ts'
import type { Person } from '../testing/test-customers.ts'

const { portal, provider, giveCloudSignature } = await openPortalWithRenewals()
const desk = await openDesk(portal)
const agent = await signInStaff(desk, 'staff-1')

const accountOf = (person: Pick<Person, 'id'>) => readPortalId(portal, 'accounts', person.id)
const anna = { firstName: 'Anna', secondName: null, surname: 'Nowak' }

/**
 * Creates the right customer, who is identified, and the wrong one, whose identity the provider has not stated, so that the wrong filing
 * was accepted.
 */
async function makeBoth() {
  await uncountStaff(portal)
  const right = await addCustomer(portal, { ...anna, identification: sampleIdentification })
  const wrong = await addCustomer(portal, { firstName: 'Piotr', secondName: null, surname: 'Zielony' })
  return { right, wrong }
}

const paramsOf = async (wrong: Person, kind: MovableKind, object: string) => ({
  id: await accountOf(wrong),
  kind,
  object,
})

/** Looks up the target, and moves if nothing is against it. */
async function move(wrong: Person, kind: MovableKind, object: string, right: Person) {
  const params = await paramsOf(wrong, kind, object)
  const target = await agent.call(findMoveTarget, { params, body: { customer: right.id } })
  const moved = await agent.call(moveAtDesk, { params, body: { to: await accountOf(right) } })
  return { obstacle: target.body.obstacle, to: target.body.to, moved }
}

/** Checks that nothing is moved, for a reason that the look-up shows as well. */
async function expectKept(...[reason, ...moving]: [reason: string, ...Parameters<typeof move>]) {
  const { obstacle, moved } = await move(...moving)
  expect([obstacle, moved.status, moved.problem.reason]).toEqual([reason, 422, reason])
}

const movesOf = ({ login }: Person) => auditEntries(portal, { login, action: 'desk-object-moved' })

describe('DSK-21 misfiled objects', () => {
  test('DSK-21 R243 a certificate with its renewal codes goes to the customer whom it names; both have an entry', async () => {
    const { right, wrong } = await makeBoth()
    const { id, providerId } = await giveCloudSignature(wrong, {})
    const { code } = await giveRenewalCode(portal, providerId)
    const { obstacle, to, moved } = await move(wrong, 'certificate', id, right)
    expect([obstacle, to.name, moved.status]).toEqual([null, 'Anna N•••', 200])
    expect(moved.body.products.certificates.items).toEqual([])
    const [own, former] = [await signInDirectly(portal, right), await signInDirectly(portal, wrong)]
    expect((await own.call(listSignatures)).body.items.map((item) => item.id)).toEqual([id])
    expect((await former.call(listSignatures)).body.items).toEqual([])
    expect((await former.call(openRenewal, { body: { code } })).problem.code).toBe('voucher-refused')
    expect((await own.call(openRenewal, { body: { code } })).status).toBe(200)
    const details = { kind: 'certificate', object: id, actorName: 'Ewa Lis' }
    const [from, into] = [await accountOf(wrong), await accountOf(right)]
    expect(await movesOf(wrong)).toMatchObject([{ actor: 'staff', details: { ...details, to: into } }])
    expect(await movesOf(right)).toMatchObject([{ details: { ...details, from } }])
    // Once only.
    expect((await move(wrong, 'certificate', id, right)).moved.status).toBe(404)
  })

  test('R237 a look-up of a customer or an object that is not there is an entry too', async () => {
    const { right, wrong } = await makeBoth()
    const { id } = await giveCloudSignature(wrong, {})
    const searches = () => auditEntries(portal, { action: 'desk-searched', details: { by: 'move' } })
    const before = (await searches()).length
    const nobody = crypto.randomUUID()
    for (const [object, customer] of [
      [id, 'nobody'],
      [nobody, right.id],
    ] as const) {
      const params = await paramsOf(wrong, 'certificate', object)
      const { status } = await agent.call(findMoveTarget, { params, body: { customer } })
      expect([object, status]).toEqual([object, 404])
    }
    const entry = { account: null, details: { by: 'move', found: 0, actorName: 'Ewa Lis' } }
    expect((await searches()).slice(before)).toMatchObject([entry, entry])
  })

  test('R243 R258 a certificate goes to nobody but its holder, also not to somebody who is not identified', async () => {
    const { wrong } = await makeBoth()
    const { id } = await giveCloudSignature(wrong, {})
    const unknown = await addCustomer(portal, anna)
    const identification = { ...sampleIdentification, identificationNumber: '44051401472' }
    const other = await addCustomer(portal, { ...anna, identification })
    for (const person of [unknown, other]) {
      await expectKept('holder', wrong, 'certificate', id, person)
      // A refused move is an entry too (R258).
      const refusals = await auditEntries(portal, { login: wrong.login, action: 'desk-action-refused' })
      const tried = { action: 'move', kind: 'certificate', object: id, to: await accountOf(person) }
      expect(refusals.at(-1)!.details).toMatchObject({ ...tried, cause: 'holder', actorName: 'Ewa Lis' })
    }
    await expectKept('same', wrong, 'certificate', id, wrong)
  })

  test('R243 what was done with a certificate keeps it where it is', async () => {
    const { right, wrong } = await makeBoth()
    const { id, providerId } = await giveCloudSignature(wrong, {})
    const account = await accountOf(wrong)
    const refused = async (reason: string, insert: string, remove: string) => {
      await portal.owner.query(insert, insert.includes('$2') ? [id, account] : [id])
      await expectKept(reason, wrong, 'certificate', id, right)
      await portal.owner.query(remove, [id])
    }
    for (const begun of ['confirmed_at', 'shown_at', 'requested_at'])
      await refused(
        'app',
        `insert into pairings (signature_id, secret, ${begun}) values ($1, '', portal_now())`,
        'delete from pairings where signature_id = $1',
      )
    await refused(
      'status-request',
      `insert into status_requests (id, account_id, signature_id, change, reason, deadline)
       values (gen_random_uuid(), $2, $1, 'suspend', 'compromised', portal_now())`,
      'delete from status_requests where signature_id = $1',
    )
    await refused(
      'signing',
      `insert into file_signings (id, account_id, session_id, signature_id, digests, binding)
       values (gen_random_uuid(), $2, gen_random_uuid(), $1, array['\\x00'::bytea], '')`,
      'delete from file_signings where signature_id = $1',
    )
    const { code } = await giveRenewalCode(portal, providerId)
    await (await signInDirectly(portal, wrong)).call(openRenewal, { body: { code } })
    await expectKept('renewal', wrong, 'certificate', id, right)
  })

  test('R243 a renewal that begins during the move finds no certificate', async () => {
    const { right, wrong } = await makeBoth()
    const { id, providerId } = await giveCloudSignature(wrong, {})
    const { code } = await giveRenewalCode(portal, providerId)
    const browser = await signInDirectly(portal, wrong)
    // The move ends while the renewal waits for it: the lock of its transaction is held here.
    const opening = await runBehindLock(
      portal,
      ['select from signatures where id = $1 for update', [id]],
      () => browser.call(openRenewal, { body: { code } }),
      { change: ['update signatures set account_id = $2 where id = $1', [id, await accountOf(right)]] },
    )
    expect(opening.status).not.toBe(200)
    expect((await portal.owner.query('select from renewals where signature_id = $1', [id])).rows).toEqual([])
  })

  test('DSK-21 R243 a document goes to the customer whom it names as its signer, with a mail, until it is signed', async () => {
    const { right, wrong } = await makeBoth()
    const signer = 'PNOPL-44051401458'
    const { documentCase } = await giveDocument(portal, wrong.id, { signer })
    const other = await giveDocument(portal, wrong.id, { signer: 'PNOPL-90010112345' })
    expect((await move(wrong, 'document', other.documentCase, right)).obstacle).toBe('holder')
    await portal.deliver()
    const before = portal.mails.filter(({ to }) => to === right.email).length
    expect((await move(wrong, 'document', documentCase, right)).moved.status).toBe(200)
    await portal.deliver()
    expect(portal.mails.filter(({ to }) => to === right.email).length - before).toBe(1)
    const { body } = await (await signInDirectly(portal, right)).call(listDocuments)
    // What was prepared for the earlier customer does not fit any more.
    expect(body.items).toMatchObject([{ id: documentCase, version: 2 }])
    const { documentCase: signed } = await giveDocument(portal, wrong.id, { signer })
    await portal.owner.query('update document_cases set upload_file = document_file where id = $1', [signed])
    await expectKept('signed-document', wrong, 'document', signed, right)
  })

  test('DSK-21 R243 a timestamp account, which names nobody, is not moved', async () => {
    const { right, wrong } = await makeBoth()
    const { timestampAccount } = await giveTimestamps(portal, wrong.id)
    const { moved } = await move(wrong, 'timestamps' as never, timestampAccount, right)
    expect([moved.status, moved.problem.code]).toEqual([400, 'invalid-input'])
    const { body } = await (await signInDirectly(portal, wrong)).call(listTimestampAccounts)
    expect(body.items.map(({ id }) => id)).toEqual([timestampAccount])
  })

  test('DSK-21 R243 access to a seal goes to the customer whose name it has, and to nobody else', async () => {
    const { right, wrong } = await makeBoth()
    const other = await addCustomer(portal)
    const seal = await makeSeal(portal, provider, [
      { person: wrong, role: 'admin', status: 'active' },
      { person: other, role: 'admin', status: 'active' },
    ])
    const access = seal.users[0]!.id
    const refused = (person: Person) => expectKept('holder', wrong, 'seal', access, person)
    // Filed by its address: the name in it is another one's.
    await refused(right)
    await portal.owner.query(`update seal_users set first_name = 'Anna', surname = 'Nowak' where id = $1`, [access])
    // Somebody of that name whom nobody has identified.
    await refused(await addCustomer(portal, anna))
    // The present user has that name too, so nothing tells whose it is.
    const rename = (surname: string) =>
      sql`update accounts set first_name = ${surname === 'Nowak' ? 'Anna' : 'Piotr'}, surname = ${surname}
        where provider_id = ${wrong.id}`.execute(portal.ownerDb)
    await rename('Nowak')
    await refused(right)
    await rename('Zielony')
    await portal.deliver()
    const before = portal.mails.length
    expect((await move(wrong, 'seal', access, right)).moved.status).toBe(200)
    await portal.deliver()
    const sent = portal.mails.slice(0, portal.mails.length - before)
    expect(sent.map(({ to }) => to).toSorted()).toEqual([wrong.email, right.email, other.email].toSorted())
    expect(new Set(sent.map(({ subject }) => subject))).toEqual(new Set(['Sygnet: zmiana dostępu do pieczęci']))
    expect((await (await signInDirectly(portal, right)).call(listSeals)).body.items).toMatchObject([{ role: 'admin' }])
    expect((await (await signInDirectly(portal, wrong)).call(listSeals)).body.items).toEqual([])
  })

  test('R243 of two moves at the same time one takes effect', async () => {
    const { right, wrong } = await makeBoth()
    const { id } = await giveCloudSignature(wrong, {})
    const twin = await addCustomer(portal, { ...anna, identification: sampleIdentification })
    const params = await paramsOf(wrong, 'certificate', id)
    const answers = await Promise.all(
      [right, twin].map(async (to) => agent.call(moveAtDesk, { params, body: { to: await accountOf(to) } })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
    expect(await movesOf(wrong)).toHaveLength(1)
  })

  test('R243 access to a seal whose app activation was shown or requested stays where it is', async () => {
    const { right, wrong } = await makeBoth()
    const { users } = await makeSeal(portal, provider, [{ person: wrong, role: 'admin', status: 'active' }])
    const access = users[0]!.id
    await portal.owner.query(`update seal_users set first_name = 'Anna', surname = 'Nowak' where id = $1`, [access])
    for (const begun of ['confirmed_at', 'shown_at', 'requested_at']) {
      const pairing = `insert into seal_pairings (seal_user_id, secret, ${begun}) values ($1, '', portal_now())`
      await portal.owner.query(pairing, [access])
      await expectKept('app', wrong, 'seal', access, right)
      await portal.owner.query('delete from seal_pairings where seal_user_id = $1', [access])
    }
  })

  test('R243 R251 nothing of a customer under a legal hold is moved, nor to one', async () => {
    const { right, wrong } = await makeBoth()
    const { id } = await giveCloudSignature(wrong, {})
    const hold = (person: Person, at: string) =>
      portal.owner.query(`update accounts set held_at = ${at} where provider_id = $1`, [person.id])
    for (const held of [wrong, right]) {
      await hold(held, 'portal_now()')
      await expectKept('legal-hold', wrong, 'certificate', id, right)
      await hold(held, 'null')
    }
    expect((await move(wrong, 'certificate', id, right)).moved.status).toBe(200)
  })

  test('R243 R238 neither an unconfirmed registration nor an erased customer gets anything', async () => {
    for (const become of [
      'update accounts set unconfirmed_key = email_key, email_key = null, login_key = null where id = $1',
      'insert into erasures (account_id) values ($1)',
    ]) {
      const { right, wrong } = await makeBoth()
      const { id } = await giveCloudSignature(wrong, {})
      const { documentCase } = await giveDocument(portal, wrong.id, { signer: 'PNOPL-44051401458' })
      const to = await accountOf(right)
      await portal.owner.query(become, [to])
      for (const [kind, object] of [
        ['certificate', id],
        ['document', documentCase],
      ] as const) {
        const params = await paramsOf(wrong, kind, object)
        const statuses = [
          (await agent.call(findMoveTarget, { params, body: { customer: right.id } })).status,
          (await agent.call(moveAtDesk, { params, body: { to } })).status,
        ]
        expect([become, kind, statuses]).toEqual([become, kind, [404, 404]])
      }
      // Nor does who has confirmed it, whom the provider does not know.
      await sql`update accounts set email_key = unconfirmed_key, login_key = unconfirmed_key, unconfirmed_key = null, login = email, provider_id = null
         where id = ${to} and unconfirmed_key is not null`.execute(portal.ownerDb)
      const params = await paramsOf(wrong, 'certificate', id)
      expect((await agent.call(moveAtDesk, { params, body: { to } })).status).toBe(404)
      const { body } = await (await signInDirectly(portal, wrong)).call(listSignatures)
      expect(body.items.map((item) => item.id)).toEqual([id])
    }
  })
})
