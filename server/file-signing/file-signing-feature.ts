import { sql } from 'kysely'
import type { ServerFeature } from '../platform/portal.ts'
import {
  listFileSigners,
  startFileSigning,
  readFileSigning,
  resendFileSigningCode,
  confirmFileSigning,
  signFiles,
} from './file-signing.ts'
import { removeOldSignings } from './file-signing-store.ts'
import { fileSigningObject } from './prepared-files.ts'

export const fileSigningFeature: ServerFeature = {
  calls: [listFileSigners, startFileSigning, readFileSigning, resendFileSigningCode, confirmFileSigning, signFiles],
  tidy: ({ db }) => removeOldSignings(db),
  signing: fileSigningObject,
  erasure: { remove: (id) => [sql`delete from file_signings where account_id = ${id}`] },
}
