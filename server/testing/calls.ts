import type { Endpoint } from '../../contract/endpoint.ts'
import type { Problem } from '../../contract/errors.ts'
import { contractPdf } from '../../pki/testing/pades-authorities.ts'
import { sampleAssertion, sampleCredential } from './authenticators.ts'
import { openBrowser } from './browser.ts'
import { now, sampleIdentification, samplePerson, type TestPortal } from './portal-nodes.ts'
import { openTestProvider, sampleRelease, samplePdf, type TestProvider } from './provider.ts'
import { schemaOf, type Schema } from './samples/fuzz-values.ts'
import { addCustomer, signInDirectly } from './samples/ready-customers.ts'
import { registrationForm, wordingHashes } from './samples/registration-forms.ts'
import { sampleDocumentCase } from './samples/sample-documents.ts'
import { giveObjects, pathObjects, sampleWebhook, type Objects } from './samples/sample-objects.ts'
import { chosen } from './samples/sample-renewals.ts'
import { issueSeal, sealUserForm } from './samples/sample-seals.ts'
import { sampleTimestampAccount, sampleTimestampPackage } from './samples/sample-timestamps.ts'
import { sampleVoucher, wrongCode } from './samples/sample-vouchers.ts'
import { passPassword } from './test-customers.ts'

/** Values for the required fields of bodies and queries, by their names; others get one that suits their schema. */
const sampleFields: Record<string, unknown> = {
  /** The text that an app scans. */
  content: 'signapp://activate?c=1',
  code: '000000',
  confirmation: 'REVOKE',
  currentPassword: 'Wrong-Password-1!',
  document: sampleIdentification.document,
  documentNumber: 'ABA300000',
  isEarly: false,
  email: 'nobody@mail.example',
  /** A draft that has been opened and not changed. */
  expected: { state: 'parameters', version: 1 },
  given: true,
  locale: 'pl',
  newPassword: 'Inne-Haslo-2026!',
  note: null,
  number: 'phone',
  parameters: chosen,
  phone: '+48501502503',
  repeatPassword: 'Inne-Haslo-2026!',
  sha256: 'a'.repeat(64),
  token: 'x'.repeat(43),
  version: 1,
}

type Sample = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: Record<string, unknown>
  upload?: Buffer
}

/** The parts of a request that neither `pathObjects` nor `sampleFields` provides. */
const samples: Record<string, (objects: Objects, provider: TestProvider) => Sample | Promise<Sample>> = {
  'POST /desk/api/customers/:id/proposals': () => ({ body: { kind: 'hold', reason: 'test' } }),
  'POST /api/sign-in': () => ({ body: { login: 'nobody', password: 'Wrong-Password-1!' } }),
  'POST /api/step-up': ({ signature: object }) => ({ body: { purpose: 'pair-app', object } }),
  'POST /api/passkey-sign-in': () => ({ body: { ...sampleAssertion, userHandle: 'x'.repeat(22) } }),
  'POST /api/sign-in/passkey': () => ({ body: sampleAssertion }),
  'POST /api/step-up/passkey/options': ({ signature: object }) => ({ body: { purpose: 'pair-app', object } }),
  'POST /api/step-up/passkey': ({ signature: object }) => ({
    body: { purpose: 'pair-app', object, assertion: sampleAssertion },
  }),
  'POST /api/passkeys': () => ({ body: { name: 'Telefon', credential: sampleCredential } }),
  'GET /api/activity': () => ({ query: { kind: 'sign-in', from: '2026-06-01', to: '2026-06-30', size: '20' } }),
  'POST /api/password-reset': () => ({
    body: { email: 'nobody@mail.example', locale: 'pl', botProof: crypto.randomUUID() },
  }),
  'POST /api/lost-phone': () => ({ body: { login: 'nobody', botProof: crypto.randomUUID() } }),
  'POST /api/lost-phone/suspension': () => ({ body: { token: 'x'.repeat(43), documentNumber: 'ABA300000' } }),
  'PUT /api/locale': () => ({ body: { locale: 'en' } }),
  'POST /api/registration': () => ({ body: registrationForm() }),
  'PUT /api/consents/marketing': () => ({
    body: { given: true, locale: 'pl', wording: wordingHashes('pl').marketing },
  }),
  'GET /api/data-export/:format': () => ({ params: { format: 'json' } }),
  'GET /api/calendar/:token/expiry.ics': ({ calendarToken: token }) => ({ params: { token } }),
  'GET /api/signatures': () => ({ query: { size: '20', status: 'active', search: 'a' } }),
  'GET /api/signatures/:id/certificate/:format': () => ({ params: { format: 'pem' } }),
  'GET /api/seals': () => ({ query: { size: '20', search: 'a' } }),
  'GET /api/seals/:id/certificate/:format': () => ({ params: { format: 'pem' } }),
  'GET /api/seals/:id/users': () => ({ query: { size: '20', status: 'active', search: 'a' } }),
  'POST /api/seals/:id/users': () => ({ body: sealUserForm() }),
  'POST /api/seal-recipients/answer': () => ({ body: { token: 'x'.repeat(43), answer: 'confirm' } }),
  'GET /api/timestamps/:id/usage': () => ({ query: { until: '2026-06-01' } }),
  'POST /api/vouchers/redemption': () => ({ body: { code: wrongCode } }),
  'GET /api/voucher-cases': () => ({ query: { size: '20', status: 'in-progress', search: 'a' } }),
  'GET /api/documents': () => ({ query: { size: '20', status: 'finished', search: 'a' } }),
  'POST /desk/api/audit/verification': () => ({ body: { day: '2026-01-01' } }),
  'POST /api/documents/:id/signing': ({ signature: signer }) => ({ body: { signer } }),
  'POST /api/file-signings': ({ signature: signer }) => ({ body: { signer, digests: [`${'A'.repeat(43)}=`] } }),
  'POST /api/renewals': () => ({ body: { code: wrongCode } }),
  'POST /api/revocation-data': () => ({
    body: { chains: [{ path: ['MAA='], at: '2026-01-02T03:04:05.678Z' }] },
  }),
  'POST /api/renewals/:uid/parameters': () => ({
    body: { expected: sampleFields['expected'], parameters: chosen, shortenedTo: null },
  }),
  'POST /api/renewals/:uid/shortening': () => ({
    body: { expected: sampleFields['expected'], shortenedTo: '2026-01-02T03:04:05.678Z' },
  }),
  ...Object.fromEntries(
    ['signatures/:signature', 'seals/:seal/users/:user'].map((path) => [
      `DELETE /provider/v1/${path}/activation/secrets/:secret`,
      () => ({ params: { secret: crypto.randomUUID() } }),
    ]),
  ),
  'POST /provider/v1/masked-customers/search': () => ({ body: { email: 'nobody@mail.example' } }),
  'POST /provider/v1/customers/search': () => ({ body: { email: 'nobody@mail.example' } }),
  'POST /api/signings/:id/codes': () => ({ body: { otp: '000000', pin: '0000' } }),
  'POST /api/signings/:id/return': () => ({ body: { state: 'x'.repeat(43), code: 'x' } }),
  'GET /provider/v1/status-requests': () => ({ query: { state: 'requested' } }),
  'GET /provider/v1/renewals': () => ({ query: { task: 'issue' } }),
  'PUT /provider/v1/renewals/:renewal/identity': () => ({
    body: { document: sampleIdentification.document, verdict: 'refused' },
  }),
  'PUT /provider/v1/renewals/:renewal/agreements/:terms': () => ({ params: { terms: 'a'.repeat(64) } }),
  'PUT /provider/v1/renewals/:renewal/issued': ({ providerSignature }) => ({ body: { signature: providerSignature } }),
  'PUT /provider/v1/customers/:customer': () => ({ body: samplePerson() }),
  'PUT /provider/v1/customers': () => ({
    upload: Buffer.from(JSON.stringify({ customer: `c-${crypto.randomUUID()}`, ...samplePerson() })),
  }),
  'PUT /provider/v1/signatures/:signature': async ({ providerCustomer }, provider) => ({
    body: await provider.signedBody(providerCustomer),
  }),
  'PUT /provider/v1/seals/:seal': async (_, provider) => ({ body: await issueSeal(provider) }),
  'PUT /provider/v1/seals/:seal/users/:user': () => ({ body: { ...sealUserForm(), locale: 'pl', status: 'pending' } }),
  'PUT /provider/v1/timestamp-accounts/:account': ({ providerCustomer }) => ({
    body: sampleTimestampAccount(providerCustomer),
  }),
  'PUT /provider/v1/timestamp-packages/:package': ({ providerTimestampAccount }) => ({
    body: sampleTimestampPackage(providerTimestampAccount),
  }),
  'PUT /provider/v1/timestamp-usage': ({ providerTimestampAccount: account, providerTimestampPackage }) => ({
    body: {
      days: [{ account, day: '2026-06-01', spent: 1 }],
      packages: [{ package: providerTimestampPackage, spent: 1, countedFrom: null }],
    },
  }),
  'PUT /provider/v1/document-cases/:case': ({ providerCustomer }) => ({ body: sampleDocumentCase(providerCustomer) }),
  'PUT /provider/v1/document-cases/:case/document': () => ({ upload: Buffer.from(contractPdf()) }),
  'GET /provider/v1/document-cases': () => ({ query: { status: 'subscriber-uploaded' } }),
  'POST /provider/v1/document-cases/:case/refusal': () => ({ body: { reason: 'other', note: null } }),
  'PUT /provider/v1/voucher-codes': () => ({ body: { codes: [sampleVoucher()] } }),
  'GET /provider/v1/voucher-cases': () => ({ query: { status: 'in-progress', known: 'true' } }),
  'PUT /provider/v1/voucher-cases/:case/status': () => ({
    body: { status: 'W toku', at: '2026-01-02T03:04:05.678Z', note: null },
  }),
  'GET /provider/v1/events': () => ({ query: { after: '0', limit: '20' } }),
  'PUT /provider/v1/webhooks/:webhook': () => ({ body: sampleWebhook }),
  'PUT /desk/api/operations/webhooks/:webhook': () => ({ body: sampleWebhook }),
  'PUT /desk/api/operations/software/:release': () => ({ body: sampleRelease }),
  'POST /desk/api/operations/client-keys': () => ({
    body: { name: `k-${crypto.randomUUID()}`, scopes: ['events:read'], days: 30 },
  }),
  'POST /desk/api/operations/client-keys/:id/rotation': () => ({ params: { id: crypto.randomUUID() } }),
  'DELETE /desk/api/operations/client-keys/:id': () => ({ params: { id: crypto.randomUUID() } }),
  'POST /desk/api/operations/voucher-codes': () => ({
    body: { codes: { kind: 'voucher', process: 'timestamps', customer: null, count: 1, days: 30 } },
  }),
  'POST /desk/api/operations/messages/resend': () => ({ body: { which: { id: crypto.randomUUID() } } }),
  'GET /provider/v1/webhooks': () => ({ query: { after: 'a' } }),
  'GET /provider/v1/webhooks/:webhook/dead-letters': () => ({ query: { after: '0' } }),
  'DELETE /provider/v1/webhooks/:webhook/dead-letters': () => ({ query: { through: '0' } }),
  'PUT /provider/v1/software/:release': () => ({ body: sampleRelease }),
}

/** The calls of `samples`, so that one of a removed endpoint is found. */
export const sampledCalls = Object.keys(samples)

export const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

const sampleTexts = [
  'Sample',
  'sample',
  'S1',
  '1',
  '2026-06-01',
  '2026-06-01T12:00:00.000Z',
  'https://sample.example/',
  '00000000-0000-4000-8000-000000000000',
]

/** Returns a value that fits a schema; objects get their required fields only. */
function sampleValue(schema: Schema, known: Record<string, unknown>, name = 'body'): unknown {
  if (name in known) return known[name]
  if (schema.properties)
    return Object.fromEntries(
      (schema.required ?? []).map((field) => [field, sampleValue(schema.properties?.[field] ?? {}, known, field)]),
    )
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  const [choice] = schema.anyOf ?? schema.oneOf ?? []
  if (choice) return sampleValue(choice, known, name)
  if (schema.type === 'array') return []
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(schema.minimum ?? 1, 1)
  const text = sampleTexts.find((each) => fits(schema, each))
  if (text === undefined) throw new Error(`The field ${name} has no value in server/testing/calls.ts`)
  return text
}

const formats: Record<string, RegExp> = {
  uuid: /^[0-9a-f-]{36}$/,
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /T.*Z$/,
  uri: /^https:/,
}
const fits = ({ type, pattern, format, minLength = 0, maxLength = Infinity }: Schema, text: string) =>
  type === 'string' &&
  (!pattern || new RegExp(pattern, 'u').test(text)) &&
  (!format || (formats[format]?.test(text) ?? false)) &&
  text.length >= minLength &&
  text.length <= maxLength

export const objectsIn = ({ path }: Endpoint): (keyof Objects)[] =>
  Object.keys(pathObjects)
    .filter((start) => path === start || path.startsWith(`${start}/`))
    .map((start) => pathObjects[start]!)

/** Returns a value for a path parameter that a desk endpoint declares: the first of its enum, or an id that no object has. */
function statedParam({ access, params }: Endpoint, name: string): string | undefined {
  const stated = access === 'staff' ? params?.[name] : undefined
  return stated && (schemaOf(stated).enum?.map(String)[0] ?? crypto.randomUUID())
}

/**
 * Builds a request to an endpoint about the given objects; the request passes the endpoint's schemas and is ready for a browser's `raw`.
 */
export async function fill(endpoint: Endpoint, objects: Objects, provider: TestProvider) {
  const sample = await samples[nameOf(endpoint)]?.(objects, provider)
  const valueOf = (name: string, upTo: number) => {
    const object = pathObjects[endpoint.path.slice(0, upTo)]
    const created = endpoint.access === 'provider' ? `${name}-${crypto.randomUUID()}` : undefined
    const value = sample?.params?.[name] ?? (object ? objects[object] : (created ?? statedParam(endpoint, name)))
    if (value === undefined) throw new Error(`${nameOf(endpoint)}: :${name} has no value in server/testing/calls.ts`)
    return encodeURIComponent(value)
  }
  const path = endpoint.path.replace(/:(\w+)/g, (found, name: string, at: number) => valueOf(name, at + found.length))
  const known = { ...sampleFields, customer: objects.providerCustomer }
  const upload = sample?.upload ?? (endpoint.upload && samplePdf)
  const query = sample?.query ?? (endpoint.query && (sampleValue(schemaOf(endpoint.query), known) as Sample['query']))
  return {
    path: query && Object.keys(query).length ? `${path}?${new URLSearchParams(query).toString()}` : path,
    body: sample?.body ?? (endpoint.body && sampleValue(schemaOf(endpoint.body), known)),
    upload,
    headers: {
      ...(endpoint.idempotent && { 'idempotency-key': crypto.randomUUID() }),
      ...(endpoint.upload && { 'content-type': endpoint.upload }),
    } as Record<string, string>,
  }
}

/**
 * Creates a signed-in customer with one of everything and one who has entered the password only; returns them with functions that call any
 * endpoint as an actor that may call it.
 */
export async function openCalls(portal: TestPortal) {
  const provider = await openTestProvider(portal)
  const person = await addCustomer(portal)
  const customer = await signInDirectly(portal, person)
  const objects = await giveObjects(portal, provider, person, customer)
  const { browser: pending } = await passPassword(portal, await addCustomer(portal))
  const callers = {
    open: openBrowser(portal),
    pending,
    customer,
    provider: openBrowser(portal),
    staff: openBrowser(portal),
  }
  // The clock is stopped, so that only requests change anything.
  await portal.clock.stopAt(await now(portal.db))

  return {
    provider,
    person,
    customer,
    pending,
    objects,
    fill: (endpoint: Endpoint) => fill(endpoint, objects, provider),
    bodyOf: async (endpoint: Endpoint) => (await fill(endpoint, objects, provider)).body ?? {},
    /** Calls an endpoint as an actor that may, with a part of the request replaced. */
    async send(endpoint: Endpoint, change: { body?: unknown; path?: string; headers?: Record<string, string> }) {
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
  }
}
