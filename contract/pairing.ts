import * as z from 'zod/mini'
import { CodeEntry, Instant } from './fields.ts'

/** What a signing app is paired with, for a signature and for a seal alike (SIG-3, SEA-1). */
export const PairingSecret = z.strictObject({
  /** `otpauth://totp/…`, drawn as a QR code in the browser and opened by the app on the same phone. */
  uri: z.string(),
  /** The secret in base32, to be typed by hand. */
  key: z.string(),
  visibleUntil: Instant,
  now: Instant,
})
export type PairingSecret = z.infer<typeof PairingSecret>

export const PairingForm = z.strictObject({ code: CodeEntry })
