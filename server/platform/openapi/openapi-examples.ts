import * as z from 'zod/mini'

type CallExamples = { body?: unknown; query?: Record<string, unknown>; reply?: unknown }

/** Values of fields by their names, the first that fits the schema. A test parses every example with the schema of the contract. */
const values: Record<string, readonly unknown[]> = {
  accessCode: ['7KD2-0XQM-9TPC-41VE'],
  account: ['tsa-1'],
  activationDate: [null],
  address: ['203.0.113.7'],
  after: ['20870', '20870-9f3c2ab41e07d85c'],
  application: ['W/2026/117'],
  birthDate: ['1944-05-14'],
  birthPlace: ['Łódź'],
  botProof: ['eyJhbGdvcml0aG0iOiJTSEEtMjU2In0='],
  bytes: [48_211],
  case: ['d-4410', '1042'],
  certificate: ['MIIDdTCCAl2gAwIBAgIL'],
  certificateType: ['company'],
  chain: ['MIIDdTCCAl2gAwIBAgIL'],
  code: ['123456', '7KD2-0XQM-9TPC-41VE'],
  company: ['Wawel Trust S.A.'],
  confirmation: ['REVOKE'],
  content: ['signapp://activate?code=7f3b19c2'],
  currentPassword: ['Zielony-Rower-2025!'],
  cursor: ['WzE3OTUyNjI0MDBd'],
  customer: ['c-9001'],
  deletedAt: [null, '2027-11-21T12:00:00.000Z'],
  digests: ['n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg='],
  document: ['U-20871'],
  documentNumber: ['ABA300000'],
  email: ['anna.nowak@mail.example'],
  en: ['Signature agreement'],
  endsAt: ['2027-11-21T12:00:00.000Z'],
  expiresAt: ['2027-11-21T12:00:00.000Z'],
  failure: ['the answer was 500'],
  filed: ['s-20871'],
  firstName: ['Anna'],
  givenName: ['Anna'],
  heldUntil: ['2046-11-21T12:00:00.000Z'],
  id: ['v-117'],
  identificationNumber: ['44051401458'],
  identifier: ['PNOPL-44051401458'],
  issued: ['s-20990'],
  issuedBy: ['Prezydent m.st. Warszawy'],
  issuingCountry: ['PL'],
  kind: ['recurring'],
  known: ['false'],
  limit: ['100'],
  login: ['anna.nowak'],
  name: ['Anna Nowak'],
  nationality: ['PL'],
  newPassword: ['Zielony-Rower-2026!'],
  newPhone: ['+48600100418'],
  next: ['WzE3OTUyNjI0MDBd', 20_871, '20871-3b81d0c96fe2a754'],
  nonce: ['q7mC0Zb1y2nA8RkP'],
  number: ['ABA300000', 'R-7KD2-0XQM'],
  organisation: ['Wawel Trust S.A.'],
  organisationIdentifier: ['VATPL-1234563218'],
  package: ['tsa-1-monthly'],
  pairedAt: ['2026-11-21T12:04:31.000Z'],
  password: ['Zielony-Rower-2026!'],
  period: ['1_year'],
  perSecond: [20],
  phone: ['+48600100417'],
  pl: ['Umowa o podpis'],
  position: ['Accountant', 20_871, '20871-3b81d0c96fe2a754'],
  product: ['app'],
  providerStatus: ['Przyjęto do realizacji'],
  refillDay: [31],
  release: ['signing-app-windows'],
  remaining: [12_068],
  renewal: ['5b1e7a52-0c64-4a52-9a0f-3f1f1f0f4c11'],
  renews: ['s-20871'],
  repeatPassword: ['Zielony-Rower-2026!'],
  result: ['1;PL'],
  scopes: ['customers:write'],
  seal: ['seal-310'],
  secondName: [null],
  secret: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', '5b1e7a52-0c64-4a52-9a0f-3f1f1f0f4c11'],
  serialNumber: ['PNOPL-44051401458'],
  serverUrl: ['https://tsa.provider.example/tsa'],
  sha256: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  signature: ['s-20871'],
  signer: ['PNOPL-44051401458'],
  size: [20_000, '20'],
  spent: [7932],
  state: ['active', 'ready'],
  status: ['Przyjęto do realizacji', 'good', 'active'],
  surname: ['Nowak'],
  template: ['qualified-cloud-1y'],
  termsSha256: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  through: ['20871'],
  to: ['+48 ••• ••• 417', '2027-11-21T12:00:00.000Z'],
  unit: ['Finance'],
  unknown: ['v-118'],
  unknownAccounts: ['tsa-9'],
  unknownPackages: ['tsa-9-monthly'],
  url: ['https://events.provider.example/sygnet', 'https://downloads.provider.example/app.exe'],
  user: ['u-12'],
  validTo: ['2034-05-02', '2027-11-21T12:00:00.000Z'],
  version: [3, '2.4.1'],
  webhook: ['crm'],
  years: [1],
}

/** Values for fields without a line above, the first that fits. */
const others: readonly unknown[] = [
  'Sample text',
  'sample',
  1,
  true,
  '2026-11-21T12:00:00.000Z',
  '2026-11-21',
  '7c0e3b0a-9d1f-4b7e-8f53-0f6a1c1f7a11',
  'https://portal.provider.example/',
  '123456',
  'PL',
  '1',
  'dGhpcyBpcyBhbiBleGFtcGxlIG9mIGEgdG9rZW4gMzI',
  {},
  '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
]

const accessCode = '7KD2-0XQM-9TPC-41VE'
const voucherCode = {
  id: 'v-117',
  code: accessCode,
  kind: 'voucher',
  process: 'cloud-certificate',
  customer: 'c-9001',
  signature: null,
  expiresAt: '2027-11-21T12:00:00.000Z',
  status: 'unused',
  case: null,
}

const program = {
  platform: 'windows',
  name: 'Signing app',
  purpose: { pl: 'Do podpisywania', en: 'For signing' },
  requirements: { pl: 'Windows 11', en: 'Windows 11' },
  version: '2.4.1',
  releasedAt: '2026-11-21T12:00:00.000Z',
  bytes: 48_211_968,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  url: 'https://downloads.provider.example/signing-app-2.4.1.exe',
}

const maskedPhone = '+48 ••• ••• 417'
const person = {
  login: 'anna.nowak',
  email: 'anna.nowak@mail.example',
  phone: maskedPhone,
  firstName: 'Anna',
  secondName: null,
  surname: 'Nowak',
  locale: 'pl',
  state: 'active',
  createdAt: '2026-11-21T12:00:00.000Z',
}
const maskedCustomer = {
  ...person,
  identification: {
    nationality: 'PL',
    identifierType: 'PNO',
    issuingCountry: 'PL',
    identificationNumber: '••••••••458',
    document: { type: 'DO', number: '••••••000', validTo: '2034-05-02', issuedBy: 'Prezydent m.st. Warszawy' },
  },
}
const maskedResult = { customer: 'c-9001', account: '7c0e3b0a-9d1f-4b7e-8f53-0f6a1c1f7a11', ...person }

/** Examples of calls whose fields mean something else than their names elsewhere, or depend on one another. */
export const examplesOfCalls: Record<string, CallExamples> = {
  'POST /api/renewals': { body: { code: accessCode } },
  'POST /api/vouchers/redemption': { body: { code: accessCode } },
  'PUT /provider/v1/software/:release': { body: program, reply: program },
  'PUT /provider/v1/voucher-codes': { reply: { codes: [voucherCode], unknown: ['v-118'] } },
  'GET /provider/v1/voucher-codes/:code': { reply: voucherCode },
  'POST /provider/v1/customers/search': { body: { email: 'anna.nowak@mail.example' } },
  'GET /provider/v1/masked-customers/:customer': { reply: maskedCustomer },
  'POST /provider/v1/masked-customers/search': {
    body: { email: 'anna.nowak@mail.example' },
    reply: { items: [maskedResult], next: 'WzE3OTUyNjI0MDBd' },
  },
}

/** Returns a value that the schema accepts, the same each time. `name` is that of the field. */
export function createExample(schema: z.core.$ZodType, name = ''): unknown {
  const fits = (value: unknown) => z.safeParse(schema, value).success
  const known = (values[name] ?? []).find(fits)
  if (known !== undefined) return known
  const { def } = schema as unknown as { def: z.core.$ZodTypes['_zod']['def'] }
  switch (def.type) {
    case 'object':
      return Object.fromEntries(Object.entries(def.shape).map(([field, part]) => [field, createExample(part, field)]))
    case 'array':
      return [createExample(def.element, name)]
    case 'union':
      return createExample(def.options[0]!, name)
    case 'nullable':
    case 'optional':
      return createExample(def.innerType, name)
    case 'literal':
      return def.values[0]
    case 'enum':
      return Object.values(def.entries)[0]
  }
  const found = others.find(fits)
  if (found !== undefined) return found
  if (def.type === 'pipe') return createExample(def.in, name)
  throw new Error(`The field ${name} has no example in openapi-examples.ts.`)
}
