import { sql } from 'kysely'
import type { ServerFeature } from '../platform/portal.ts'
import { signAgreement } from './agreement-signing.ts'
import { renewalSigning } from './present-signing.ts'
import { renewArchives } from './archives.ts'
import { serveProviderRenewals } from './provider-renewals.ts'
import { exportedRenewals } from './renewal-export.ts'
import { endOverdue } from './renewal-state-store.ts'
import { serveRenewalSigning } from './renewal-signing.ts'
import { serveRenewal } from './renewal.ts'
import { retryFailedSignatures } from './failed-signatures.ts'

export const renewalFeature: ServerFeature = {
  serve: [serveRenewal, serveRenewalSigning, serveProviderRenewals],
  deliver: { 'agreement-signature': signAgreement },
  jobs: [
    { name: 'retry-failed-signatures', everySeconds: 600, run: retryFailedSignatures },
    { name: 'renew-archives', everySeconds: 600, run: renewArchives },
  ],
  tidy: ({ db, ports }) => endOverdue(db, ports.documents),
  signing: renewalSigning,
  exportData: [exportedRenewals],
  erasure: {
    // An unsigned draft does not keep an account.
    inUse: (id) => [
      sql`exists (select from renewals where account_id = ${id} and state in ('authorised', 'signed', 'issued'))`,
    ],
    isEvidence: (id) => [sql`exists (select from renewals where account_id = ${id})`],
    files: (id) => ({
      removed: sql`select agreement_key from renewals where account_id = ${id} and signed_key is null`,
      kept: sql`select unnest(array[agreement_key, signed_key, archive_draft]) from renewals where account_id = ${id}`,
    }),
    remove: (id) => [
      sql`delete from renewals where account_id = ${id} and signed_key is null`,
      sql`update renewals set identity = null, identity_state = null where account_id = ${id}`,
    ],
  },
}
