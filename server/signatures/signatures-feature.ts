import { sql } from 'kysely'
import type { ServerFeature } from '../platform/portal.ts'
import { servePairing } from './signature-pairing.ts'
import { serveProviderSignatures } from './provider-signatures.ts'
import { serveReminders } from './reminder-switch.ts'
import { signatureEnd } from './signature-end.ts'
import { listSignatureEnds } from './signature-end-store.ts'
import { exportedSignatures } from './signature-export.ts'
import { remindOfSignatures } from './signature-reminders.ts'
import { serveSignatures } from './signatures.ts'

export const signaturesFeature: ServerFeature = {
  serve: [serveSignatures, servePairing, serveReminders, serveProviderSignatures],
  stepUpObjects: {
    'pair-app': (accountId, id) => sql`select from signatures where id = ${id} and account_id = ${accountId}`,
  },
  jobs: [{ name: 'remind-of-certificate-ends', everySeconds: 600, atStart: true, run: remindOfSignatures }],
  ends: {
    of: 'signatures',
    list: async ({ db, settings }, { accountId, locale }) =>
      (await listSignatureEnds(db, accountId)).map((row) => ({
        ...signatureEnd(settings, locale, row),
        validFrom: row.validFrom,
      })),
  },
  exportData: [exportedSignatures],
  erasure: {
    inUse: (id) => [
      sql`exists (select from signatures where account_id = ${id} and status <> 'revoked' and valid_to > portal_now())`,
    ],
    isEvidence: (id) => [sql`exists (select from signatures where account_id = ${id})`],
    files: (id) => ({ kept: sql`select agreement_key from signatures where account_id = ${id}` }),
    remove: (id) => [
      sql`delete from pairings where signature_id in (select id from signatures where account_id = ${id})`,
      sql`delete from signature_reminders where signature_id in (select id from signatures where account_id = ${id})`,
    ],
  },
}
