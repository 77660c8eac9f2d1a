import { sql } from 'kysely'
import type { ServerFeature } from '../platform/portal.ts'
import { exportedAccount } from './account-export.ts'
import { servePasskeyEntry } from './passkey-entry.ts'
import { servePasskeySignIn } from './passkey-sign-in.ts'
import { servePasswords } from './passwords.ts'
import { servePhoneConfirmation } from './phone-confirmation.ts'
import { serveSession } from './session-calls.ts'
import { serveSignIn } from './sign-in.ts'
import { serveStepUpCode } from './step-up-code.ts'

export const accountFeature: ServerFeature = {
  serve: [
    serveSignIn,
    serveSession,
    serveStepUpCode,
    servePasswords,
    servePhoneConfirmation,
    servePasskeyEntry,
    servePasskeySignIn,
  ],
  exportData: [exportedAccount],
  erasure: {
    remove: (id) => [
      sql`delete from sessions where account_id = ${id}`,
      sql`delete from codes where account_id = ${id}`,
      sql`delete from links where account_id = ${id}`,
      sql`delete from devices where account_id = ${id}`,
      sql`delete from idempotency where caller = ${id}`,
    ],
  },
}
