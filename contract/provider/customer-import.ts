import * as z from 'zod/mini'
import { component, described } from '../documented.ts'
import { endpoint } from '../endpoint.ts'
import { FieldProblem } from '../errors.ts'
import { ProviderId } from '../fields.ts'
import { limits } from '../limits.ts'
import { ProviderCustomer } from './provider-customers.ts'

export const ImportedCustomer = component(
  'ImportedCustomer',
  'A line of an import: a customer with your id.',
  z.extend(ProviderCustomer, { customer: described('Your id of the customer.', ProviderId) }),
)
export type ImportedCustomer = z.infer<typeof ImportedCustomer>

const RefusedLine = component(
  'RefusedLine',
  'A line of an import that was not applied.',
  z.strictObject({
    line: described('The number of the line, counted from 1; blank lines count.', z.int()),
    customer: described(
      'Your id of the customer in that line; null if the line has no readable id.',
      z.nullable(z.string()),
    ),
    code: described(
      '`malformed-request`: the line is not JSON; `body-too-large`: it is too long; `invalid-input`: `fields` are wrong; `login-taken`: another customer has the login or the e-mail address; `object-in-use`: the line has no `identification`, and the stored one is not removed while the customer is under a legal hold.',
      z.enum(['malformed-request', 'body-too-large', 'invalid-input', 'login-taken', 'object-in-use']),
    ),
    fields: described(
      'The wrong fields, for `invalid-input`.',
      z.optional(
        z.array(
          z.strictObject({
            name: described('The path of the field, joined by dots.', z.string()),
            problem: FieldProblem,
          }),
        ),
      ),
    ),
  }),
)
export type RefusedLine = z.infer<typeof RefusedLine>

export const ImportReport = component(
  'ImportReport',
  'What an import has done.',
  z.strictObject({
    created: described('Customers that were created.', z.int()),
    updated: described('Customers whose data were changed.', z.int()),
    unchanged: described('Customers who had these data already.', z.int()),
    refused: described('The lines that were not applied, in their order.', z.array(RefusedLine)),
  }),
)
export type ImportReport = z.infer<typeof ImportReport>

export const importCustomers = endpoint('provider', 'PUT /provider/v1/customers', {
  summary: 'Creates or updates many customers, one JSON object per line; new ones are invited gradually',
  description:
    'Each line is the body of `PUT /provider/v1/customers/{customer}`, with your id as `customer`; a call takes at most 2,000 lines and 1 MiB. The answer counts created, updated and unchanged customers and lists every refused line. All other lines are applied, so repeat a call until it is answered.',
  upload: 'application/x-ndjson',
  ndjsonLine: ImportedCustomer,
  maxBytes: limits.customerImport.bytes,
  reply: ImportReport,
  errors: ['body-too-large', 'unsupported-media-type'],
  impersonal: true,
})
