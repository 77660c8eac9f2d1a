import { signOut } from '../../../contract/account.ts'
import { makeCalendarAddress } from '../../../contract/calendar.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { clientScopes } from '../../../contract/provider/client-keys.ts'
import { blockCustomer } from '../../../contract/provider/provider-customers.ts'
import { putWebhook } from '../../../contract/provider/webhooks.ts'
import { issueClientKey, revokeClientKey } from '../../client-keys/client-keys.ts'
import { signInAgain, confirmByPasskey, givePasskey } from '../authenticators.ts'
import { openBrowser, type TestBrowser } from '../browser.ts'
import type { TestPortal } from '../portal-nodes.ts'
import type { TestProvider } from '../provider.ts'
import { stepUp, type Person, passPassword } from '../test-customers.ts'
import { addCustomer, signInDirectly } from './ready-customers.ts'
import { giveDocument } from './sample-documents.ts'
import { openDraft } from './sample-renewals.ts'
import { insertStepUp, inviteTo, makeSeal, putSealPdf } from './sample-seals.ts'
import { giveTimestamps } from './sample-timestamps.ts'
import { openVoucherCase } from './sample-vouchers.ts'

/** The ids of one customer's objects, for the calls that take one; those that begin with `provider` are the provider's own. */
export type Objects = Awaited<ReturnType<typeof giveObjects>>

export const sampleWebhook = { url: 'https://hooks.example/sygnet', types: null }

/** Inserts a row as the owner of the tables and returns its id. */
const insertOne = async (portal: TestPortal, statement: string, values: unknown[]) =>
  (await portal.owner.query<{ id: string }>(statement, values)).rows[0]!.id

/** Inserts what is under way: the signings of a document and of files, and a request to suspend a seal. */
async function insertPending(
  portal: TestPortal,
  { account, signature, documentCase, seal }: Record<'account' | 'signature' | 'documentCase' | 'seal', string>,
) {
  const signing = await insertOne(
    portal,
    `insert into service_authorisations
       (account_id, session_id, case_id, signature_id, kind, otp, pin, binding, hash, claimed_at, expires_at)
     values ($1, gen_random_uuid(), $2, $3, 'codes', 'sent', true, '', '', portal_now(), portal_now() + interval '10 minutes')
     returning id`,
    [account, documentCase, signature],
  )
  const fileSigning = await insertOne(
    portal,
    `insert into file_signings (id, account_id, session_id, signature_id, digests, binding)
     values (gen_random_uuid(), $1, gen_random_uuid(), $2, array['\\x00'::bytea], '') returning id`,
    [account, signature],
  )
  // Of a seal for which there is no other call, because one whose suspension is requested pairs no app (STP-8).
  const statusRequest = await insertOne(
    portal,
    `insert into status_requests (id, account_id, seal_id, change, reason, deadline)
     values (gen_random_uuid(), $1, $2, 'suspend', 'compromised', portal_now() + interval '1 day') returning id`,
    [account, seal],
  )
  return {
    /** A signature that the customer has to authorise at the signing service. */
    signing,
    /** The signing of files whose code has not been entered. */
    fileSigning,
    /** An open request to suspend a seal. */
    statusRequest,
  }
}

/** Gives a customer one object of every kind, and the step-ups that the calls about them need. */
export async function giveObjects(portal: TestPortal, provider: TestProvider, person: Person, browser: TestBrowser) {
  const document = await giveDocument(portal, person.id)
  const { voucher, opened } = await openVoucherCase(portal, browser)
  // Due, so that it can be renewed.
  const { id, providerId } = await provider.give(person, { to: new Date(Date.now() + 80 * 86_400_000) })
  const renewal = await openDraft(portal, providerId, browser)
  await provider.putAgreement(providerId)
  const administered = await makeSeal(portal, provider, [{ person, role: 'admin', status: 'active' }])
  await putSealPdf(portal, administered.providerId)
  const user = await inviteTo(portal, administered.providerId)
  for (const purpose of ['pair-seal', 'manage-seal-users'] as const)
    await insertStepUp(portal, person, purpose, administered.id)
  const invited = await makeSeal(portal, provider, [{ person, role: 'user', status: 'pending' }])
  const timestamps = await giveTimestamps(portal, person.id)
  await stepUp(portal, browser, person, 'timestamp-password', timestamps.timestampAccount)
  await stepUp(portal, browser, person, 'pair-app', id)
  // After the codes, which a customer with a passkey is not sent unasked.
  const { device, id: passkey } = await givePasskey(portal, browser, person)
  await confirmByPasskey(browser, device, { purpose: 'remove-passkey', object: passkey })
  const session = await signInAgain(portal, person)
  const webhook = `w-${crypto.randomUUID()}`
  await openBrowser(portal).call(putWebhook, { params: { webhook }, body: sampleWebhook })
  const { rows } = await portal.owner.query<{ code: string; account: string }>(
    `select c.id as code, a.id as account from codes c join accounts a on a.id = c.account_id
     where a.login = $1 and c.purpose = 'pair-app'`,
    [person.login],
  )
  const { code, account } = rows[0]!
  for (const purpose of ['change-phone', 'export-data'] as const) await insertStepUp(portal, person, purpose, account)
  for (const purpose of ['suspend', 'resume', 'revoke'] as const) await insertStepUp(portal, person, purpose, id)
  const { documentCase } = document
  const pending = await insertPending(portal, { account, signature: id, documentCase, seal: invited.id })
  return {
    /** The private part of the address of the customer’s calendar. */
    calendarToken: (await browser.call(makeCalendarAddress)).body.address.split('/').at(-2)!,
    /** The portal's id of the customer. */
    account,
    signature: id,
    renewal,
    code,
    /** A seal that the customer administers. */
    seal: administered.id,
    /** Another user of that seal. */
    sealUser: user.id,
    /** An invitation of the customer to another seal. */
    invitation: invited.users[0]!.id,
    providerSignature: providerId,
    providerSeal: administered.providerId,
    providerSealUser: user.providerId,
    providerCustomer: person.id,
    voucherCase: opened.number,
    providerVoucherCode: voucher.id,
    passkey,
    /** A session other than the browser's own. */
    session,
    webhook,
    ...pending,
    ...timestamps,
    ...document,
  }
}

/** Object that a path parameter names. The provider's other parameters get a new id, because a PUT creates the object. */
export const pathObjects: Record<string, keyof Objects> = {
  '/api/step-up/:id': 'code',
  '/api/passkeys/:id': 'passkey',
  '/api/sessions/:id': 'session',
  '/desk/api/sessions/:id': 'session',
  '/desk/api/customers/:id': 'account',
  /** A random id. */
  '/desk/api/approvals/:id': 'session',
  '/api/my-data/:id': 'account',
  '/api/signatures/:id': 'signature',
  '/api/certificates/:id': 'signature',
  '/api/seals/:id': 'seal',
  '/api/seals/:id/users/:user': 'sealUser',
  '/api/seal-invitations/:id': 'invitation',
  '/api/timestamps/:id': 'timestampAccount',
  '/api/documents/:id': 'documentCase',
  '/api/renewals/:uid': 'renewal',
  '/api/signings/:id': 'signing',
  '/api/file-signings/:id': 'fileSigning',
  '/provider/v1/customers/:customer': 'providerCustomer',
  '/provider/v1/masked-customers/:customer': 'providerCustomer',
  '/provider/v1/signatures/:signature': 'providerSignature',
  '/provider/v1/seals/:seal': 'providerSeal',
  '/provider/v1/seals/:seal/users/:user': 'providerSealUser',
  '/provider/v1/timestamp-accounts/:account': 'providerTimestampAccount',
  '/provider/v1/timestamp-packages/:package': 'providerTimestampPackage',
  '/provider/v1/document-cases/:case': 'providerDocumentCase',
  '/provider/v1/renewals/:renewal': 'renewal',
  '/provider/v1/status-requests/:request': 'statusRequest',
  '/provider/v1/voucher-codes/:code': 'providerVoucherCode',
  '/provider/v1/voucher-cases/:case': 'voucherCase',
  '/provider/v1/webhooks/:webhook': 'webhook',
}

/** A caller of the API. */
export type Actor = {
  name: string
  browser: TestBrowser
  key?: string
  /** The access that the caller has; undefined for one that is always refused. */
  opens?: Endpoint['access']
}

export type Owner = { person: Person; browser: TestBrowser; objects: Objects }

/** Creates a signed-in customer with one object of every kind. */
export async function makeOwner(portal: TestPortal, provider: TestProvider): Promise<Owner> {
  const person = await addCustomer(portal)
  const browser = await signInDirectly(portal, person)
  return { person, browser, objects: await giveObjects(portal, provider, person, browser) }
}

/** Creates the eight actors of R34. */
export async function makeActors(portal: TestPortal, customer: TestBrowser): Promise<Actor[]> {
  const anonymous = () => openBrowser(portal)
  const guessing = anonymous()
  guessing.cookie = `__Host-sygnet=${'A'.repeat(43)}`
  const { browser: pending } = await passPassword(portal, await addCustomer(portal))
  const signedOut = await signInDirectly(portal, await addCustomer(portal))
  const { cookie } = signedOut
  await signedOut.call(signOut)
  signedOut.cookie = cookie
  const blockedCustomer = await addCustomer(portal)
  const blocked = await signInDirectly(portal, blockedCustomer)
  await anonymous().call(blockCustomer, { params: { customer: blockedCustomer.id } })
  const name = `revoked ${crypto.randomUUID()}`
  const revoked = await issueClientKey(portal.ownerDb, { name, scopes: clientScopes })
  await revokeClientKey(portal.ownerDb, name)
  return [
    { name: 'anonymous', browser: anonymous(), opens: 'open' },
    { name: 'made-up cookie', browser: guessing },
    { name: 'pending', browser: pending, opens: 'pending' },
    { name: 'customer', browser: customer, opens: 'customer' },
    { name: 'signed out', browser: signedOut },
    { name: 'blocked', browser: blocked },
    { name: 'provider', browser: anonymous(), key: portal.clientKey, opens: 'provider' },
    { name: 'revoked key', browser: anonymous(), key: revoked.key },
  ]
}
