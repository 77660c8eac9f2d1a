import type { ServerFeature } from '../platform/portal.ts'
import { removeLostNodes } from './desk-operations.ts'
import { proposalRemoval, removeExpiredProposals } from './desk-proposal-store.ts'
import { removeEndedStaffSessions } from './desk-sign-in.ts'

/** Part of the desk that runs on every node; its calls are on their own listener (desk-app.ts). */
export const deskFeature: ServerFeature = {
  calls: [],
  tidy: async ({ db }) => {
    await removeEndedStaffSessions(db)
    await removeExpiredProposals(db)
    await removeLostNodes(db)
  },
  erasure: { remove: (id) => [proposalRemoval(id)] },
}
