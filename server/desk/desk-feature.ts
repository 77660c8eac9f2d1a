import type { ServerFeature } from '../platform/portal.ts'
import { proposalRemoval, removeExpiredProposals } from './desk-proposal-store.ts'
import { removeLostNodes } from './desk-operations.ts'
import { removeEndedStaffSessions } from './desk-sign-in.ts'

/** What of the desk is done on every node; its calls are on a listener of their own (desk-app.ts). */
export const deskFeature: ServerFeature = {
  calls: [],
  tidy: async ({ db }) => {
    await removeEndedStaffSessions(db)
    await removeExpiredProposals(db)
    await removeLostNodes(db)
  },
  erasure: { remove: (id) => [proposalRemoval(id)] },
}
