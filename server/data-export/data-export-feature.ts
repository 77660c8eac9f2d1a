import { sql } from 'kysely'
import type { ServerFeature } from '../platform/portal.ts'
import { readDataExport, requestDataExport, downloadDataExport } from './data-export.ts'
import { endDataExports, makeDataExport } from './data-export-files.ts'

export const dataExportFeature: ServerFeature = {
  calls: [readDataExport, requestDataExport, downloadDataExport],
  deliver: { 'data-export': makeDataExport },
  stepUpObjects: { 'export-data': (accountId, id) => sql`select where ${id}::uuid = ${accountId}` },
  tidy: endDataExports,
  erasure: {
    files: (id) => ({ removed: sql`select unnest(files) from data_exports where account_id = ${id}` }),
    remove: (id) => [sql`delete from data_exports where account_id = ${id}`],
  },
}
