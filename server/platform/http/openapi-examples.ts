import type { core } from 'zod/mini'

type Schema = core.JSONSchema.BaseSchema
type CallExamples = { body?: unknown; query?: Record<string, unknown>; reply?: unknown }

/** Values of fields by their names, the first that fits the schema. A test parses every example with the schema of the contract. */
const values: Record<string, readonly unknown[]> = {
  accessCode: ['7KD2-0XQM-9TPC-41VE'],
  certificateType: ['company'],
  account: ['tsa-1'],
  activationDate: [null],
  address: ['203.0.113.7'],
  after: ['20870'],
  agreement: ['s-20871.pdf'],
  application: ['W/2026/117'],
  birthDate: ['1944-05-14'],
  birthPlace: ['Łódź'],
  botProof: ['eyJhbGdvcml0aG0iOiJTSEEtMjU2In0='],
  bytes: [48_211],
  case: ['d-4410', '1042'],
  certificate: ['MIIDdTCCAl2gAwIBAgIL'],
  chain: ['MIIDdTCCAl2gAwIBAgIL'],
  code: ['123456', '7KD2-0XQM-9TPC-41VE'],
  company: ['Wawel Trust S.A.'],
  content: ['signapp://activate?code=7f3b19c2'],
  currentPassword: ['Zielony-Rower-2025!'],
  cursor: ['WzE3OTUyNjI0MDBd'],
  customer: ['c-9001'],
  document: ['U-20871'],
  documentNumber: ['ABA300000'],
  email: ['anna.nowak@mail.example'],
  en: ['Signature agreement'],
  failure: ['the answer was 500'],
  filed: ['s-20871'],
  firstName: ['Anna'],
  givenName: ['Anna'],
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
  next: ['WzE3OTUyNjI0MDBd', 20_871],
  nonce: ['q7mC0Zb1y2nA8RkP'],
  number: ['ABA300000', 'R-7KD2-0XQM'],
  organisation: ['Wawel Trust S.A.'],
  organisationIdentifier: ['VATPL-1234563218'],
  package: ['tsa-1-monthly'],
  pairedAt: ['2026-11-21T12:04:31.000Z'],
  password: ['Zielony-Rower-2026!'],
  perSecond: [20],
  phone: ['+48600100417'],
  pl: ['Umowa o podpis'],
  position: ['Accountant', 20_871],
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
  secret: ['5b1e7a52-0c64-4a52-9a0f-3f1f1f0f4c11', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  serialNumber: ['PNOPL-44051401458'],
  serverUrl: ['https://tsa.provider.example/tsa'],
  signature: ['s-20871'],
  signer: ['PNOPL-44051401458'],
  size: [20_000, '20'],
  spent: [7932],
  status: ['good', 'active', 'Przyjęto do realizacji'],
  surname: ['Nowak'],
  template: ['qualified-cloud-1y'],
  through: ['20871'],
  to: ['+48 ••• ••• 417', '2027-11-21T12:00:00.000Z'],
  unit: ['Finance'],
  unknown: ['v-118'],
  url: ['https://events.provider.example/sygnet', 'https://downloads.provider.example/app.exe'],
  user: ['u-12'],
  version: [3, '2.4.1'],
  webhook: ['crm'],
  years: [1],
}

/** Values for fields without a line above, the first that fits. */
const others: readonly unknown[] = [
  1,
  true,
  '2026-11-21T12:00:00.000Z',
  '2026-11-21',
  '7c0e3b0a-9d1f-4b7e-8f53-0f6a1c1f7a11',
  'https://portal.provider.example/',
  'Sample text',
  'sample',
  '123456',
  'PL',
  '1',
  'dGhpcyBpcyBhbiBleGFtcGxlIG9mIGEgdG9rZW4gMzI',
  {},
  '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
]

/** Examples that no field can give by itself, because fields depend on one another. */
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

export const examplesOfCalls: Record<string, CallExamples> = {
  'POST /api/renewals': { body: { code: accessCode } },
  'POST /api/vouchers/redemption': { body: { code: accessCode } },
  'PUT /provider/v1/voucher-codes': { reply: { codes: [voucherCode], unknown: ['v-118'] } },
  'GET /provider/v1/voucher-codes/:code': { reply: voucherCode },
  'POST /provider/v1/customers/search': { body: { email: 'anna.nowak@mail.example' } },
}

/** An example that fits a JSON Schema, the same each time. `name` is that of the field. */
export function exampleOf(schema: Schema, name = ''): unknown {
  const known = (values[name] ?? []).find((value) => fits(schema, value))
  if (known !== undefined) return known
  if (schema.const !== undefined) return schema.const
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return exampleOf(choices[0] as Schema, name)
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([field, part]) => [field, exampleOf(part as Schema, field)]),
    )
  if (schema.items) return [exampleOf(schema.items as Schema, name)]
  const found = [...(schema.enum ?? []), ...others].find((value) => fits(schema, value))
  if (found !== undefined) return found
  throw new Error(`The field ${name} has no example in openapi-examples.ts.`)
}

const formats: Record<string, RegExp> = {
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /T.*Z$/,
  uri: /^https:/,
  uuid: /^[0-9a-f]{8}-/,
}

/** Whether a plain value fits; of objects and arrays none is known by name. */
function fits(schema: Schema, value: unknown): boolean {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.some((choice) => fits(choice, value))
  if (schema.const !== undefined) return value === schema.const
  if (schema.enum) return schema.enum.includes(value as string)
  const types = [schema.type].flat() as (string | undefined)[]
  // What a transform returns has no JSON Schema.
  if (schema.type === undefined) return schema.properties === undefined && schema.items === undefined
  if (value === null) return types.includes('null')
  if (typeof value === 'boolean') return types.includes('boolean')
  if (typeof value === 'number')
    return (
      (types.includes('integer') || types.includes('number')) &&
      value >= (schema.minimum ?? -Infinity) &&
      value <= (schema.maximum ?? Infinity)
    )
  if (typeof value === 'object') return types.includes('object')
  const { minLength = 0, maxLength = Infinity, format, pattern, allOf = [] } = schema
  const text = value as string
  return (
    types.includes('string') &&
    text.length >= minLength &&
    text.length <= maxLength &&
    (format === undefined || (formats[format]?.test(text) ?? true)) &&
    (pattern === undefined || new RegExp(pattern, 'u').test(text)) &&
    allOf.every((part) => fits({ type: 'string', ...part }, value))
  )
}
