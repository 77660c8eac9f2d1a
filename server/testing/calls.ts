import type { Endpoint } from '../../contract/endpoint.ts'
import { contractPdf } from '../../pki/testing/pades-authorities.ts'
import { giveDocument, sampleDocumentCase } from './sample-documents.ts'
import { openVoucherCase, sampleVoucher, wrongCode } from './sample-vouchers.ts'
import { giveTimestamps, sampleTimestampAccount, sampleTimestampPackage } from './sample-timestamps.ts'
import { openTestProvider, sampleRelease, samplePdf, type TestProvider } from './provider.ts'
import type { Problem } from '../../contract/errors.ts'
import { putWebhook } from '../../contract/webhooks.ts'
import { openBrowser, passPassword, stepUp, type Person, type TestBrowser } from './browser.ts'
import { addCustomer, letIn } from './ready-customers.ts'
import { now, sampleIdentification, somebody, type TestPortal } from './portal-nodes.ts'
import { anotherSession, confirmByPasskey, givePasskey, sampleAssertion, sampleCredential } from './authenticators.ts'
import { filledIn, shown } from './registration-forms.ts'
import { chosen, openDraft } from './sample-renewals.ts'
import { confirmAnyway, drawSeal, inviteTo, makeSeal, putSealPaper, sealUserForm } from './sample-seals.ts'

/** The objects of one customer, by which the calls that take one can be filled. */
export type Objects = {
  /** The customer as the portal names them. */
  account: string
  signature: string
  code: string
  /** A seal that the customer administers, one of its users, and an invitation of the customer's to another. */
  seal: string
  sealUser: string
  invitation: string
  providerSignature: string
  providerSeal: string
  providerSealUser: string
  providerCustomer: string
  release: string
  timestampAccount: string
  providerTimestampAccount: string
  providerTimestampPackage: string
  passkey: string
  /** Another session of the customer's. */
  session: string
  documentCase: string
  providerDocumentCase: string
  renewal: string
  voucherCase: string
  providerVoucherCode: string
  webhook: string
}

type Filling = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: Record<string, unknown>
  upload?: Buffer
}

const password = { newPassword: 'Inne-Haslo-2026!', repeatPassword: 'Inne-Haslo-2026!' }
const ofAccount = ({ account: id }: Objects): Filling => ({ params: { id } })
const signature = ({ signature: id }: Objects): Filling => ({ params: { id } })
const seal = ({ seal: id }: Objects): Filling => ({ params: { id } })
const sealUser = ({ seal: id, sealUser: user }: Objects): Filling => ({ params: { id, user } })
const invitation = ({ invitation: id }: Objects): Filling => ({ params: { id } })
const step = ({ code: id }: Objects): Filling => ({ params: { id } })
const ofCustomer = ({ providerCustomer }: Objects): Filling => ({ params: { customer: providerCustomer } })
const providerSignature = (objects: Objects): Filling => ({ params: { signature: objects.providerSignature } })
const providerSeal = (objects: Objects): Filling => ({ params: { seal: objects.providerSeal } })
const providerSealUser = (objects: Objects): Filling => ({
  params: { seal: objects.providerSeal, user: objects.providerSealUser },
})
const release = (objects: Objects): Filling => ({ params: { release: objects.release } })
const timestampAccount = ({ timestampAccount: id }: Objects): Filling => ({ params: { id } })
const ofTimestampAccount = (objects: Objects): Filling => ({ params: { account: objects.providerTimestampAccount } })
const ofTimestampPackage = (objects: Objects): Filling => ({ params: { package: objects.providerTimestampPackage } })
const documentCase = ({ documentCase: id }: Objects): Filling => ({ params: { id } })
const ofDocumentCase = ({ providerDocumentCase }: Objects): Filling => ({ params: { case: providerDocumentCase } })
const ofVoucherCase = ({ voucherCase }: Objects): Filling => ({ params: { case: voucherCase } })
const ofPasskey = ({ passkey: id }: Objects): Filling => ({ params: { id } })
const renewal = ({ renewal: uid }: Objects): Filling => ({ params: { uid } })
const ofRenewal = ({ renewal: id }: Objects): Filling => ({ params: { renewal: id } })
/** A draft that is opened and not touched. */
const expected = { state: 'parameters', version: 1 }
const ofWebhook = ({ webhook }: Objects): Filling => ({ params: { webhook } })
const sampleWebhook = { url: 'https://hooks.example/sygnet', types: null }
const nothing = (): Filling => ({})

/**
 * How each endpoint is called so that it gets past its schemas. One that is missing here makes the tests of access
 * fail: whoever adds an endpoint says which object it is about.
 */
const fillings: Record<string, (objects: Objects, provider: TestProvider) => Filling | Promise<Filling>> = {
  'POST /api/sign-in': () => ({ body: { login: 'nobody', password: 'Wrong-Password-1!' } }),
  'POST /api/sign-in/code': () => ({ body: { code: '000000' } }),
  'POST /api/sign-in/code/resend': nothing,
  'GET /api/session': nothing,
  'POST /api/session/extend': nothing,
  'POST /api/sign-out': nothing,
  'POST /api/step-up': ({ signature: object }) => ({ body: { purpose: 'pair-app', object } }),
  'POST /api/step-up/:id/code': (objects) => ({ ...step(objects), body: { code: '000000' } }),
  'POST /api/step-up/:id/code/resend': step,
  'POST /api/sign-in/code/send': nothing,
  'POST /api/passkey-sign-in/options': nothing,
  'POST /api/passkey-sign-in': () => ({ body: { ...sampleAssertion, userHandle: 'x'.repeat(22) } }),
  'POST /api/sign-in/passkey/options': nothing,
  'POST /api/sign-in/passkey': () => ({ body: sampleAssertion }),
  'POST /api/step-up/passkey/options': ({ signature: object }) => ({ body: { purpose: 'pair-app', object } }),
  'POST /api/step-up/passkey': ({ signature: object }) => ({
    body: { purpose: 'pair-app', object, assertion: sampleAssertion },
  }),
  'GET /api/passkeys': nothing,
  'POST /api/passkeys/options': nothing,
  'POST /api/passkeys': () => ({ body: { name: 'Telefon', credential: sampleCredential } }),
  'PUT /api/passkeys/:id/name': (objects) => ({ ...ofPasskey(objects), body: { name: 'Laptop' } }),
  'DELETE /api/passkeys/:id': ofPasskey,
  'GET /api/sessions': nothing,
  'DELETE /api/sessions/:id': ({ session: id }) => ({ params: { id } }),
  'POST /api/sessions/revocation': nothing,
  'GET /api/activity': () => ({ query: { kind: 'sign-in', from: '2026-06-01', to: '2026-06-30', size: '20' } }),
  'GET /api/activity/export': () => ({ query: { format: 'json', locale: 'pl' } }),
  'POST /api/password-reset': () => ({
    body: { email: 'nobody@mail.example', locale: 'pl', botProof: crypto.randomUUID() },
  }),
  'POST /api/password-link': () => ({ body: { token: 'x'.repeat(43) } }),
  'POST /api/password-link/again': () => ({ body: { token: 'x'.repeat(43) } }),
  'POST /api/password-link/password': () => ({ body: { token: 'x'.repeat(43), password } }),
  'POST /api/password': () => ({ body: { currentPassword: 'Wrong-Password-1!', ...password } }),
  'PUT /api/locale': () => ({ body: { locale: 'en' } }),
  'GET /api/bot-challenge': () => ({ query: { action: 'sign-in' } }),
  'GET /api/country': nothing,
  'POST /api/registration': () => ({ body: filledIn() }),
  'GET /api/consents': nothing,
  'PUT /api/consents/marketing': () => ({ body: { given: true, locale: 'pl', wording: shown('pl').marketing } }),
  'GET /api/reminders': nothing,
  'PUT /api/reminders': () => ({ body: { early: false } }),
  'GET /api/my-data': nothing,
  'POST /api/my-data/:id/reveal': (objects) => ({ ...ofAccount(objects), body: { number: 'phone' } }),
  'POST /api/my-data/:id/phone-change': ofAccount,
  'GET /api/data-export': nothing,
  'POST /api/data-export': () => ({ body: { locale: 'pl' } }),
  'GET /api/data-export/:format': () => ({ params: { format: 'json' } }),
  'GET /api/phone-confirmation': nothing,
  'POST /api/phone-confirmation/send': nothing,
  'POST /api/phone-confirmation/resend': nothing,
  'POST /api/phone-confirmation/number': () => ({ body: { phone: '+48501502503' } }),
  'POST /api/phone-confirmation/code': () => ({ body: { code: '000000' } }),
  'GET /api/phone-change': nothing,
  'POST /api/phone-change/document': () => ({ body: { documentNumber: 'ABA300000' } }),
  'POST /api/phone-change/email-code': () => ({ body: { code: '000000' } }),
  'POST /api/phone-change/number': () => ({ body: { phone: '+48501502503' } }),
  'POST /api/phone-change/sms-code': () => ({ body: { code: '000000' } }),
  'POST /api/phone-change/resend': nothing,
  'DELETE /api/phone-change': nothing,
  'GET /api/openapi.json': nothing,
  'GET /api/signatures': () => ({ query: { size: '20', status: 'active', search: 'a' } }),
  'GET /api/signatures/summary': nothing,
  'GET /api/signatures/:id/certificate': signature,
  'GET /api/signatures/:id/certificate/:format': ({ signature: id }) => ({ params: { id, format: 'pem' } }),
  'GET /api/signatures/:id/agreement': signature,
  'POST /api/signatures/:id/pairing': signature,
  'POST /api/signatures/:id/pairing/code': (objects) => ({ ...signature(objects), body: { code: '000000' } }),
  'GET /api/seals': () => ({ query: { size: '20' } }),
  'GET /api/seals/summary': nothing,
  'GET /api/seals/:id/agreement': seal,
  'POST /api/seals/:id/pairing': seal,
  'POST /api/seals/:id/pairing/code': (objects) => ({ ...seal(objects), body: { code: '000000' } }),
  'GET /api/seals/:id/users': (objects) => ({ ...seal(objects), query: { size: '20', status: 'active', search: 'a' } }),
  'POST /api/seals/:id/users': (objects) => ({ ...seal(objects), body: sealUserForm() }),
  'DELETE /api/seals/:id/users/:user': sealUser,
  'POST /api/seals/:id/users/:user/invitation': sealUser,
  'POST /api/seal-invitations/:id/activation': invitation,
  'POST /api/seal-invitations/:id/activation/resend': invitation,
  'POST /api/seal-invitations/:id/activation/code': (objects) => ({ ...invitation(objects), body: { code: '000000' } }),
  'GET /api/timestamps': nothing,
  'GET /api/timestamps/summary': nothing,
  'GET /api/timestamps/:id/packages': timestampAccount,
  'GET /api/timestamps/:id/usage': (objects) => ({ ...timestampAccount(objects), query: { until: '2026-06-01' } }),
  'POST /api/timestamps/:id/password': (objects) => ({
    ...timestampAccount(objects),
    body: { newPassword: 'Znaczniki1', repeatPassword: 'Znaczniki1' },
  }),
  'GET /api/software': nothing,
  'POST /api/vouchers/redemption': () => ({ body: { code: wrongCode } }),
  'GET /api/vouchers/limit': nothing,
  'GET /api/voucher-cases': () => ({ query: { size: '20', status: 'in-progress' } }),
  'GET /api/documents': () => ({ query: { size: '20', status: 'finished' } }),
  'GET /api/documents/summary': nothing,
  'GET /api/documents/:id': documentCase,
  'POST /api/documents/:id/file': documentCase,
  'POST /api/documents/:id/access-code': documentCase,
  'POST /api/documents/:id/uploads': (objects) => ({ ...documentCase(objects), upload: samplePdf }),
  'POST /api/documents/:id/confirmation': (objects) => ({
    ...documentCase(objects),
    body: { sha256: 'a'.repeat(64), version: 1 },
  }),
  'GET /api/documents/:id/signed': documentCase,
  'GET /api/documents/:id/signers': documentCase,
  'POST /api/documents/:id/signing': (objects) => ({ ...documentCase(objects), body: { signer: objects.signature } }),
  'POST /api/documents/:id/signing/code/resend': documentCase,
  'POST /api/documents/:id/signing/code': (objects) => ({ ...documentCase(objects), body: { code: '000000' } }),
  'GET /api/signatures/:id/renewal': signature,
  'GET /api/renewals': nothing,
  'POST /api/renewals': () => ({ body: { code: wrongCode } }),
  'GET /api/renewals/:uid': renewal,
  'PUT /api/renewals/:uid/parameters': (objects) => ({ ...renewal(objects), body: { expected, parameters: chosen } }),
  'POST /api/renewals/:uid/parameters': (objects) => ({
    ...renewal(objects),
    body: { expected, parameters: chosen, shortenedTo: null },
  }),
  'POST /api/renewals/:uid/identity-document': (objects) => ({
    ...renewal(objects),
    body: { expected, document: sampleIdentification.document },
  }),
  'POST /api/renewals/:uid/shortening': (objects) => ({
    ...renewal(objects),
    body: { expected, shortenedTo: '2026-01-02T03:04:05.678Z' },
  }),
  'POST /api/renewals/:uid/personal-data': (objects) => ({ ...renewal(objects), body: { expected } }),
  'POST /api/renewals/:uid/return': (objects) => ({ ...renewal(objects), body: { expected } }),
  'GET /api/renewals/:uid/agreement': renewal,
  'POST /api/renewals/:uid/signing': (objects) => ({ ...renewal(objects), body: { expected, sha256: 'a'.repeat(64) } }),
  'POST /api/renewals/:uid/signing/code/resend': (objects) => ({
    ...renewal(objects),
    body: { expected, sha256: 'a'.repeat(64) },
  }),
  'POST /api/renewals/:uid/signing/code': (objects) => ({
    ...renewal(objects),
    body: { expected, sha256: 'a'.repeat(64), code: '000000' },
  }),
  'POST /api/renewals/:uid/refusal': (objects) => ({ ...renewal(objects), body: { expected } }),
  'GET /api/renewals/:uid/calendar': renewal,
  'POST /api/renewals/:uid/finish': (objects) => ({ ...renewal(objects), body: { expected } }),
  'GET /provider/v1/renewals': () => ({ query: { task: 'issue' } }),
  'GET /provider/v1/renewals/:renewal': ofRenewal,
  'PUT /provider/v1/renewals/:renewal/identity': (objects) => ({
    ...ofRenewal(objects),
    body: { document: sampleIdentification.document, verdict: 'refused' },
  }),
  'PUT /provider/v1/renewals/:renewal/agreements/:terms': ({ renewal: id }) => ({
    params: { renewal: id, terms: 'a'.repeat(64) },
    upload: samplePdf,
  }),
  'GET /provider/v1/renewals/:renewal/signed': ofRenewal,
  'PUT /provider/v1/renewals/:renewal/issued': (objects) => ({
    ...ofRenewal(objects),
    body: { signature: objects.providerSignature },
  }),
  'PUT /provider/v1/renewals/:renewal/failure': (objects) => ({ ...ofRenewal(objects), body: { note: null } }),
  'PUT /provider/v1/customers/:customer': (objects) => ({ ...ofCustomer(objects), body: somebody() }),
  'GET /provider/v1/customers/:customer': ofCustomer,
  'DELETE /provider/v1/customers/:customer': ofCustomer,
  'POST /provider/v1/customers/:customer/block': ofCustomer,
  'POST /provider/v1/customers/:customer/unblock': ofCustomer,
  'PUT /provider/v1/customers': () => ({
    upload: Buffer.from(JSON.stringify({ customer: `c-${crypto.randomUUID()}`, ...somebody() })),
  }),
  'GET /provider/v1/client-key': nothing,
  'POST /provider/v1/customers/:customer/invitation': ofCustomer,
  'PUT /provider/v1/signatures/:signature': async (objects, provider) => ({
    ...providerSignature(objects),
    body: await provider.draw(objects.providerCustomer),
  }),
  'GET /provider/v1/signatures/:signature': providerSignature,
  'PUT /provider/v1/signatures/:signature/agreement': (objects) => ({
    ...providerSignature(objects),
    upload: samplePdf,
  }),
  'PUT /provider/v1/seals/:seal': async (objects, provider) => ({
    ...providerSeal(objects),
    body: await drawSeal(provider),
  }),
  'GET /provider/v1/seals/:seal': providerSeal,
  'PUT /provider/v1/seals/:seal/agreement': (objects) => ({ ...providerSeal(objects), upload: samplePdf }),
  'GET /provider/v1/seals/:seal/users': providerSeal,
  'PUT /provider/v1/seals/:seal/users/:user': (objects) => ({
    ...providerSealUser(objects),
    body: { ...sealUserForm(), locale: 'pl', status: 'pending' },
  }),
  'GET /provider/v1/seals/:seal/users/:user': providerSealUser,
  'PUT /provider/v1/timestamp-accounts/:account': (objects) => ({
    ...ofTimestampAccount(objects),
    body: sampleTimestampAccount(objects.providerCustomer),
  }),
  'GET /provider/v1/timestamp-accounts/:account': ofTimestampAccount,
  'PUT /provider/v1/timestamp-packages/:package': (objects) => ({
    ...ofTimestampPackage(objects),
    body: sampleTimestampPackage(objects.providerTimestampAccount),
  }),
  'GET /provider/v1/timestamp-packages/:package': ofTimestampPackage,
  'PUT /provider/v1/timestamp-usage': ({ providerTimestampAccount: account, providerTimestampPackage }) => ({
    body: {
      days: [{ account, day: '2026-06-01', spent: 1 }],
      packages: [{ package: providerTimestampPackage, spent: 1, countedFrom: null }],
    },
  }),
  'PUT /provider/v1/document-cases/:case': (objects) => ({
    ...ofDocumentCase(objects),
    body: sampleDocumentCase(objects.providerCustomer),
  }),
  'PUT /provider/v1/document-cases/:case/document': (objects) => ({
    ...ofDocumentCase(objects),
    upload: Buffer.from(contractPdf()),
  }),
  'GET /provider/v1/document-cases/:case': ofDocumentCase,
  'GET /provider/v1/document-cases': () => ({ query: { status: 'subscriber-uploaded' } }),
  'GET /provider/v1/document-cases/:case/upload': ofDocumentCase,
  'PUT /provider/v1/document-cases/:case/signed': (objects) => ({ ...ofDocumentCase(objects), upload: samplePdf }),
  'POST /provider/v1/document-cases/:case/refusal': (objects) => ({
    ...ofDocumentCase(objects),
    body: { reason: 'other', note: null },
  }),
  'POST /provider/v1/document-cases/:case/finish': ofDocumentCase,
  'POST /provider/v1/document-cases/:case/cancellation': ofDocumentCase,
  'PUT /provider/v1/voucher-codes': () => ({ body: { codes: [sampleVoucher()] } }),
  'GET /provider/v1/voucher-codes/:code': ({ providerVoucherCode }) => ({ params: { code: providerVoucherCode } }),
  'GET /provider/v1/voucher-cases': () => ({ query: { status: 'in-progress', known: 'true' } }),
  'GET /provider/v1/voucher-cases/:case': ofVoucherCase,
  'PUT /provider/v1/voucher-cases/:case/status': (objects) => ({
    ...ofVoucherCase(objects),
    body: { status: 'W toku', at: '2026-01-02T03:04:05.678Z', note: null },
  }),
  'GET /provider/v1/events': () => ({ query: { after: '0', limit: '20' } }),
  'PUT /provider/v1/webhooks/:webhook': (objects) => ({ ...ofWebhook(objects), body: sampleWebhook }),
  'GET /provider/v1/webhooks/:webhook': ofWebhook,
  'GET /provider/v1/webhooks': () => ({ query: { after: 'a' } }),
  'DELETE /provider/v1/webhooks/:webhook': ofWebhook,
  'POST /provider/v1/webhooks/:webhook/secret': ofWebhook,
  'GET /provider/v1/webhooks/:webhook/dead-letters': (objects) => ({ ...ofWebhook(objects), query: { after: '0' } }),
  'DELETE /provider/v1/webhooks/:webhook/dead-letters': (objects) => ({
    ...ofWebhook(objects),
    query: { through: '0' },
  }),
  'POST /provider/v1/webhooks/:webhook/replay': ofWebhook,
  'PUT /provider/v1/software/:release': (objects) => ({ ...release(objects), body: sampleRelease }),
  'DELETE /provider/v1/software/:release': release,
}

export const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** A whole request to an endpoint about the given objects, ready for a browser's `raw`. */
export async function fill(endpoint: Endpoint, objects: Objects, provider: TestProvider) {
  const filling = fillings[nameOf(endpoint)]
  if (!filling) throw new Error(`${nameOf(endpoint)} has no filling in server/testing/calls.ts`)
  const { params = {}, query, body, upload } = await filling(objects, provider)
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!))
  const headers: Record<string, string> = {
    ...(endpoint.idempotent ? { 'idempotency-key': crypto.randomUUID() } : {}),
    ...(upload ? { 'content-type': endpoint.upload! } : {}),
  }
  return { path: query ? `${path}?${new URLSearchParams(query).toString()}` : path, body, upload, headers }
}

/** Calls that have a filling, so that a leftover of a removed endpoint is found too. */
export const filled = Object.keys(fillings)

/** One of everything that a customer can have: a signature with agreement and pairing, a timestamp account with a package, and the step-ups of both. */
export async function giveObjects(
  portal: TestPortal,
  provider: TestProvider,
  person: Person,
  browser: TestBrowser,
): Promise<Objects> {
  const document = await giveDocument(portal, person.id)
  const { voucher, opened } = await openVoucherCase(portal, browser)
  // Due, so that it can be renewed.
  const { id, providerId } = await provider.give(person, { to: new Date(Date.now() + 80 * 86_400_000) })
  const renewed = await openDraft(portal, providerId, browser)
  await provider.putAgreement(providerId)
  const held = await makeSeal(portal, provider, [{ person, role: 'administrator', status: 'active' }])
  await putSealPaper(portal, held.providerId)
  const added = await inviteTo(portal, held.providerId)
  for (const purpose of ['pair-seal', 'manage-seal-users'] as const)
    await confirmAnyway(portal, person, purpose, held.id)
  const other = await makeSeal(portal, provider, [{ person, role: 'user', status: 'pending' }])
  const timestamps = await giveTimestamps(portal, person.id)
  await stepUp(portal, browser, person, 'timestamp-password', timestamps.timestampAccount)
  await stepUp(portal, browser, person, 'pair-app', id)
  // After the codes, which a customer with a passkey is not sent unasked.
  const { device, id: passkey } = await givePasskey(portal, browser, person)
  await confirmByPasskey(browser, device, { purpose: 'remove-passkey', object: passkey })
  const session = await anotherSession(portal, person)
  const webhook = `w-${crypto.randomUUID()}`
  await openBrowser(portal).call(putWebhook, { params: { webhook }, body: sampleWebhook })
  const { id: code, account } = await portal.db
    .selectFrom('codes')
    .innerJoin('accounts', 'accounts.id', 'codes.account_id')
    .select(['codes.id', 'accounts.id as account'])
    .where('accounts.login', '=', person.login)
    .where('purpose', '=', 'pair-app')
    .executeTakeFirstOrThrow()
  for (const purpose of ['reveal-data', 'change-phone', 'export-data'] as const)
    await confirmAnyway(portal, person, purpose, account)
  return {
    account,
    signature: id,
    renewal: renewed,
    code,
    seal: held.id,
    sealUser: added.id,
    invitation: other.users[0]!.id,
    providerSignature: providerId,
    providerSeal: held.providerId,
    providerSealUser: added.providerId,
    providerCustomer: person.id,
    release: `r-${crypto.randomUUID()}`,
    voucherCase: opened.number,
    providerVoucherCode: voucher.id,
    passkey,
    session,
    webhook,
    ...timestamps,
    ...document,
  }
}

/** A signed-in customer with one of everything, somebody half signed in, and a way to call any endpoint as whoever may. */
export type Calls = Awaited<ReturnType<typeof openCalls>>

export async function openCalls(portal: TestPortal) {
  const provider = await openTestProvider(portal)
  const person = await addCustomer(portal)
  const customer = await letIn(portal, person)
  const objects = await giveObjects(portal, provider, person, customer)
  const { browser: pending } = await passPassword(portal, await addCustomer(portal))
  const callers = { open: openBrowser(portal), pending, customer, provider: openBrowser(portal) }
  // Nothing moves on its own from now on, so that what has changed was changed by a request.
  await portal.clock.stopAt(await now(portal.db))

  return {
    provider,
    person,
    customer,
    pending,
    objects,
    fill: (endpoint: Endpoint) => fill(endpoint, objects, provider),
    bodyOf: async (endpoint: Endpoint) => (await fill(endpoint, objects, provider)).body ?? {},
    /** Calls an endpoint as somebody who may, with a part of the request replaced. */
    async ask(endpoint: Endpoint, change: { body?: unknown; path?: string; headers?: Record<string, string> }) {
      const { path, body, headers } = await fill(endpoint, objects, provider)
      const authorization = endpoint.access === 'provider' ? { authorization: `Bearer ${portal.clientKey}` } : {}
      const all = { ...headers, ...authorization, ...change.headers }
      const response = await callers[endpoint.access].raw(
        endpoint.method,
        change.path ?? path,
        'body' in change ? change.body : body,
        all,
      )
      const text = await response.text()
      const isJson = /json/.test(response.headers.get('content-type') ?? '')
      return { status: response.status, problem: (isJson ? JSON.parse(text) : {}) as Problem }
    },
    close: () => provider.close(),
  }
}
