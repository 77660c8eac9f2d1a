import * as calls from '../../contract/desk/desk-client-keys.ts'
import { isMadeAtDesk } from '../../contract/desk/desk-client-keys.ts'
import {
  issueClientKey,
  KeyNameTakenError,
  listClientKeys,
  revokeClientKey,
  rotateClientKey,
} from '../client-keys/client-keys.ts'
import { raiseAlarm } from '../platform/audit/alarms.ts'
import { staffDetails } from '../platform/authentication/authenticate.ts'
import { requireRecentSignIn, type StaffSession } from '../platform/authentication/staff-session.ts'
import { handler } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import type { DeskPortal } from './staff-limits.ts'

// The keys of the provider's systems. `ownerDb`: requests cannot change keys, so these calls alone use the login of the operator's command
// (DSK-33, R123).

const by = (staff: StaffSession, address: string) =>
  ({ actor: 'staff', address, details: staffDetails(staff) }) as const

export const listKeysAtDesk = handler(calls.listKeysAtDesk, async (_, { db }) => ({
  items: (await listClientKeys(db)).toReversed(),
}))

export const createKeyAtDesk = handler(
  calls.createKeyAtDesk,
  async ({ body, staff, address, fail }, portal: DeskPortal) => {
    requireRecentSignIn(staff)
    try {
      return issued(portal, await issueClientKey(portal.ownerDb, body, by(staff, address)))
    } catch (error) {
      if (error instanceof KeyNameTakenError) throw fail('object-in-use')
      throw error
    }
  },
)

export const rotateKeyAtDesk = handler(
  calls.rotateKeyAtDesk,
  async ({ params, staff, address, fail, orNotFound }, portal: DeskPortal) => {
    requireRecentSignIn(staff)
    // The scopes of a key never change.
    const key = orNotFound((await listClientKeys(portal.db)).find(({ id }) => id === params.id))
    if (!isMadeAtDesk(key.scopes)) throw fail('scope-missing')
    return issued(portal, orNotFound(await rotateClientKey(portal.ownerDb, params.id, {}, by(staff, address))))
  },
)

export const revokeKeyAtDesk = handler(
  calls.revokeKeyAtDesk,
  async ({ params, staff, address, orNotFound }, { ownerDb }: DeskPortal) => {
    orNotFound(await revokeClientKey(ownerDb, params.id, by(staff, address)))
  },
)

/**
 * Raises an alarm about a new key and returns it: a key stays valid after its maker has left, so others are notified of each one (R257).
 */
function issued(portal: Portal, key: { id: string; key: string; expiresAt: Date }) {
  raiseAlarm(portal, { name: 'client-key-at-desk', about: key.id })
  return key
}
