import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { Locale } from './enums.ts'
import { Instant } from './fields.ts'

export const exportFormats = ['json', 'pdf'] as const
const ExportFormat = component('ExportFormat', '`json` for programs, `pdf` for people.', z.enum(exportFormats))
export type ExportFormat = z.infer<typeof ExportFormat>

export const DataExport = component(
  'DataExport',
  'The file of all own data: none, being made, or ready to be downloaded until it is removed.',
  z.discriminatedUnion('state', [
    z.strictObject({ state: z.literal('none') }),
    z.strictObject({ state: z.literal('making'), requestedAt: described('When the customer asked for it.', Instant) }),
    z.strictObject({
      state: z.literal('ready'),
      madeAt: described('When it was made.', Instant),
      expiresAt: described('When it is removed.', Instant),
      sizes: described(
        'The size of each file.',
        z.strictObject({ json: described('Bytes.', z.int()), pdf: described('Bytes.', z.int()) }),
      ),
    }),
  ]),
)
export type DataExport = z.infer<typeof DataExport>

export const readDataExport = endpoint('customer', 'GET /api/data-export', {
  summary: 'Returns the state of the file of all own data', // DAT-6
  description: 'Whether a file is being made or ready, and until when it can be downloaded.',
  reply: DataExport,
})

/** One at a time: `state-passed` while one is being made or ready. */
export const requestDataExport = endpoint('customer', 'POST /api/data-export', {
  summary: 'Orders the file of all own data; it is made in the background, and a mail says when it is ready',
  description: 'A copy of all personal data, by the right of access (GDPR article 15).',
  body: z.strictObject({ locale: Locale }),
  reply: DataExport,
  stepUp: 'export-data',
  errors: ['state-passed', 'too-many-attempts'],
})

/** Download without an id: a customer has one export at most, and the session identifies the customer (R34). */
export const downloadDataExport = endpoint('customer', 'GET /api/data-export/:format', {
  summary: 'Returns the file of all own data, for 24 hours after it was made',
  description: 'One file for programs (`json`) and one for people (`pdf`).',
  params: { format: described('`json` for programs, `pdf` for people.', ExportFormat) },
  download: ['application/json', 'application/pdf'],
  stepUp: 'export-data',
  errors: ['state-passed'],
})
