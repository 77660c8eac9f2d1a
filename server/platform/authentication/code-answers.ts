import type { ErrorCode } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { ApiError } from '../api-error.ts'
import type { Portal } from '../portal.ts'
import { refundEntry, type CodeEntry, type RightEntry } from './codes.ts'

/** Handles the failure of a transaction that a correct code confirms: the entry is refunded. */
export const refundOnFailure =
  (portal: Portal, entry: RightEntry) =>
  async (error: unknown): Promise<never> => {
    await refundEntry(portal.db, portal, entry)
    throw error
  }

export const codeNotSent = ({ refused, retryAfter }: { refused: ErrorCode; retryAfter?: number }): ApiError =>
  new ApiError(refused, retryAfter === undefined ? {} : { retryAfter })

export function codeRefused(entry: CodeEntry & { ok: false }): ApiError {
  const code: ErrorCode = entry.refused
  if (entry.refused === 'too-many-attempts') return new ApiError(code, { retryAfter: entry.retryAfter })
  if (entry.refused !== 'code-wrong') return new ApiError(code)
  // Shown from the third wrong entry on (defaults.md).
  const shown = entry.entriesLeft <= limits.code.entries - limits.code.entriesLeftShownFrom
  return new ApiError(code, shown ? { entriesLeft: entry.entriesLeft } : {})
}
