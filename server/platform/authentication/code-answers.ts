import type { Portal } from '../portal.ts'
import { refundEntry, type RightEntry } from './codes.ts'

/** Handles the failure of a transaction that a correct code confirms: the entry is refunded. */
export const refundOnFailure =
  (portal: Portal, entry: RightEntry) =>
  async (error: unknown): Promise<never> => {
    await refundEntry(portal.db, portal, entry)
    throw error
  }
