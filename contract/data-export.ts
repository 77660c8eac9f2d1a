import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Locale } from './enums.ts'
import { Instant } from './fields.ts'

export const exportFormats = ['json', 'pdf'] as const
const ExportFormat = z.enum(exportFormats)
export type ExportFormat = z.infer<typeof ExportFormat>

/** The file of all own data (DAT-6): none, being made, or ready to be fetched until it is removed. */
export const DataExport = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('none') }),
  z.strictObject({ state: z.literal('making'), requestedAt: Instant }),
  z.strictObject({
    state: z.literal('ready'),
    madeAt: Instant,
    expiresAt: Instant,
    /** Bytes of each file. */
    sizes: z.strictObject({ json: z.int(), pdf: z.int() }),
  }),
])
export type DataExport = z.infer<typeof DataExport>

export const readDataExport = endpoint({
  method: 'GET',
  path: '/api/data-export',
  summary: 'Whether a file of all own data is being made or waits (DAT-6)',
  access: 'customer',
  reply: DataExport,
})

/** One at a time: `state-passed` while one is being made or waits. */
export const requestDataExport = endpoint({
  method: 'POST',
  path: '/api/data-export',
  summary: 'Has the file of all own data made in the background; a mail tells when it is ready',
  access: 'customer',
  body: z.strictObject({ locale: Locale }),
  reply: DataExport,
  stepUp: 'export-data',
  errors: ['state-passed', 'too-many-attempts'],
})

/** Without an id: a customer has one at most, and it is that of the session (R34). */
export const downloadDataExport = endpoint({
  method: 'GET',
  path: '/api/data-export/:format',
  summary: 'The file of all own data, for 24 hours after it was made',
  access: 'customer',
  params: z.strictObject({ format: ExportFormat }),
  download: ['application/json', 'application/pdf'],
  stepUp: 'export-data',
  errors: ['state-passed'],
})
