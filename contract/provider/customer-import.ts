import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { FieldProblem } from './errors.ts'
import { limits } from './limits.ts'
import { ProviderCustomer, ProviderId } from './provider-api.ts'

/** A line of an import: a customer as `PUT /provider/v1/customers/:customer` takes one, with the provider's own id in it. */
export const ImportedCustomer = z.extend(ProviderCustomer, { customer: ProviderId })
export type ImportedCustomer = z.infer<typeof ImportedCustomer>

const RefusedLine = z.strictObject({
  /** From 1 on, blank ones counted. */
  line: z.int(),
  /** Null when the line could not be read so far. */
  customer: z.nullable(z.string()),
  /** No JSON · too long a line · wrong fields · a login or e-mail that is somebody else's. */
  code: z.enum(['malformed-request', 'body-too-large', 'invalid-input', 'login-taken']),
  fields: z.optional(z.array(z.strictObject({ name: z.string(), problem: FieldProblem }))),
})
export type RefusedLine = z.infer<typeof RefusedLine>

export const ImportReport = z.strictObject({
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  /** In the order of the lines. All others count. */
  refused: z.array(RefusedLine),
})
export type ImportReport = z.infer<typeof ImportReport>

export const importCustomers = endpoint({
  method: 'PUT',
  path: '/provider/v1/customers',
  summary: 'Creates or updates many customers, a JSON object a line; new ones are invited by and by',
  access: 'provider',
  upload: 'application/x-ndjson',
  largest: limits.customerImport.bytes,
  reply: ImportReport,
  errors: ['body-too-large', 'unsupported-media-type'],
})
