import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { FieldProblem } from '../errors.ts'
import { limits } from '../limits.ts'
import { ProviderId } from '../fields.ts'
import { ProviderCustomer } from './provider-api.ts'

/** A line of an import: the body of `PUT /provider/v1/customers/:customer`, with the provider's own id. */
export const ImportedCustomer = z.extend(ProviderCustomer, { customer: ProviderId })
export type ImportedCustomer = z.infer<typeof ImportedCustomer>

const RefusedLine = z.strictObject({
  /** Counted from 1, with blank lines. */
  line: z.int(),
  /** Null if the line has no readable id. */
  customer: z.nullable(z.string()),
  /** Not JSON · line too long · wrong fields · a login or e-mail of another customer. */
  code: z.enum(['malformed-request', 'body-too-large', 'invalid-input', 'login-taken']),
  fields: z.optional(z.array(z.strictObject({ name: z.string(), problem: FieldProblem }))),
})
export type RefusedLine = z.infer<typeof RefusedLine>

export const ImportReport = z.strictObject({
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  /** In the order of the lines; all other lines were accepted. */
  refused: z.array(RefusedLine),
})
export type ImportReport = z.infer<typeof ImportReport>

export const importCustomers = endpoint('provider', 'PUT /provider/v1/customers', {
  summary: 'Creates or updates many customers, one JSON object per line; new ones are invited gradually',
  description:
    'Each line is the body of `PUT /provider/v1/customers/{customer}`, with your id as `customer`; a call takes at most 2,000 lines and 1 MiB. The answer counts created, updated and unchanged customers and lists every refused line. All other lines are applied, so repeat a call until it is answered.',
  upload: 'application/x-ndjson',
  largest: limits.customerImport.bytes,
  reply: ImportReport,
  errors: ['body-too-large', 'unsupported-media-type'],
  impersonal: true,
})
