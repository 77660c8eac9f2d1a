import * as z from 'zod/mini'

/**
 * Every failure of the API: a stable code and its HTTP status. Words for it live in the browser.
 * Refusals by rule are 422, not 409, because clients repeat idempotent calls on 409 (defaults.md, Errors).
 */
export const errorStatus = {
  'invalid-input': 400,
  'malformed-request': 400,
  'cursor-refused': 400,
  'idempotency-key-missing': 400,
  'signed-out': 401,
  'client-key-refused': 401,
  'cross-site-request': 403,
  'step-up-required': 403,
  'scope-missing': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'body-too-large': 413,
  'url-too-long': 414,
  'unsupported-media-type': 415,
  'misdirected-request': 421,
  'login-refused': 422,
  'account-blocked': 422,
  'bot-check-required': 422,
  'bot-check-refused': 422,
  'code-wrong': 422,
  'code-expired': 422,
  'code-void': 422,
  'sms-country-refused': 422,
  'phone-unconfirmed': 422,
  'phone-sends-spent': 422,
  'link-unknown': 422,
  'link-expired': 422,
  'link-used': 422,
  'passkey-refused': 422,
  'passkey-known': 422,
  'passkeys-full': 422,
  'current-password-wrong': 422,
  'password-used-before': 422,
  'idempotency-key-reused': 422,
  'agreement-not-ready': 422,
  'certificate-unreadable': 422,
  'login-taken': 422,
  'already-active': 422,
  'customer-in-use': 422,
  'pairing-not-possible': 422,
  'pairing-code-wrong': 422,
  'timestamp-password-fixed': 422,
  'wording-changed': 422,
  'seal-ended': 422,
  'seal-user-exists': 422,
  'seal-users-full': 422,
  'state-passed': 422,
  'last-admin': 422,
  'own-access': 422,
  'invitation-expired': 422,
  'document-not-ready': 422,
  'document-content-missing': 422,
  'document-not-continued': 422,
  'pdf-required': 422,
  'pdf-encrypted': 422,
  'pdf-damaged': 422,
  'pdf-too-costly': 422,
  'pdf-unusable': 422,
  'malware-found': 422,
  'upload-unknown': 422,
  'upload-refused': 422,
  'document-unknown': 422,
  'document-number-wrong': 422,
  'email-code-wrong': 422,
  'phone-unchanged': 422,
  'phone-change-blocked': 429,
  'voucher-refused': 422,
  'renewal-refused': 422,
  'certificate-differs': 422,
  'signer-unknown': 422,
  'signing-changed': 422,
  'signing-refused': 422,
  'too-many-attempts': 429,
  'resend-too-early': 429,
  'sends-spent': 429,
  'too-many-requests': 429,
  'headers-too-large': 431,
  unexpected: 500,
  busy: 503,
  'sms-stopped': 503,
  'bot-check-unavailable': 503,
  unavailable: 503,
  'storage-full': 507,
} as const

export type ErrorCode = keyof typeof errorStatus

/** What can be wrong with one field. Schemas use these codes as their messages; the browser has the words. */
export const fieldProblems = [
  'required',
  'login-required',
  'password-required',
  'current-password-required',
  'too-short',
  'too-long',
  'email-format',
  'phone-format',
  'phone-incomplete',
  'password-rules',
  'password-guessable',
  'passwords-differ',
  'terms-required',
  'privacy-required',
  'code-format',
  'access-code-format',
  'access-code-wrong',
  'format',
  'date-range',
  'date-order',
  'date-beyond-document',
  'document-number',
  'document-expired',
  'data-unconfirmed',
  'unknown-field',
] as const
export const FieldProblem = z.enum(fieldProblems)
export type FieldProblem = z.infer<typeof FieldProblem>

/** RFC 9457 problem details, as every failure leaves the server (`application/problem+json`). */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: z.string(),
  /** One entry a field, in the order of the schema. `name` is the path joined by dots. */
  fields: z.optional(z.array(z.object({ name: z.string(), problem: FieldProblem }))),
  /** Seconds after which a repetition makes sense; also sent as the Retry-After header. */
  retryAfter: z.optional(z.number()),
  /** Entries left for a one-time code, told from the third wrong one on. */
  entriesLeft: z.optional(z.number()),
  /** The state that the object is in, where another had been expected (R51). */
  current: z.optional(z.string()),
  /** The rule that a renewal was refused by: `DOC_EXPIRED` … (renewal-rules.ts); the scope that a client key does not have; why a PDF cannot be used. */
  reason: z.optional(z.string()),
  /** Names the incident in the log of the server, for the support. */
  incident: z.optional(z.string()),
})
export type Problem = z.infer<typeof Problem>

/** The part of a problem that the place of the failure adds. */
export type ProblemData = Pick<Problem, 'fields' | 'retryAfter' | 'entriesLeft' | 'current' | 'reason'>
