import * as z from 'zod/mini'

/**
 * Every failure of the API: a stable code and its HTTP status. The browser has the texts.
 * Refusals by rule are 422, not 409, because clients repeat idempotent calls on 409 (defaults.md, Errors).
 */
export const errorStatus = {
  'invalid-input': 400,
  'malformed-request': 400,
  'cursor-refused': 400,
  'position-unknown': 400,
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
  'certificate-refused': 422,
  'certificate-filed': 422,
  'object-in-use': 422,
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
  'signing-over': 422,
  'signing-cancelled': 422,
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

/** What can be wrong with a field. Schemas use these codes as their messages; the browser has the texts. */
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
  'document-code-format',
  'access-code-wrong',
  'format',
  'date-format',
  'date-range',
  'date-order',
  'date-beyond-document',
  'document-number',
  'document-expired',
  'data-unconfirmed',
  'otp-wrong',
  'pin-wrong',
  'unknown-field',
] as const
export const FieldProblem = z.enum(fieldProblems)
export type FieldProblem = z.infer<typeof FieldProblem>

/** RFC 9457 problem details: the body of every failure (`application/problem+json`). */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: z.string(),
  /**
   * One entry per field, in the order of the schema. `name` is the path joined by dots; `detail` a sentence for whoever writes the
   * calling program, in answers of the provider API that `problem` alone does not explain.
   */
  fields: z.optional(z.array(z.object({ name: z.string(), problem: FieldProblem, detail: z.optional(z.string()) }))),
  /** Seconds after which a repetition makes sense; also sent as the Retry-After header. */
  retryAfter: z.optional(z.number()),
  /** Entries left for a one-time code, from the third wrong entry on. */
  entriesLeft: z.optional(z.number()),
  /** The state of the object, if another one was expected (R51); the provider's id under which a certificate is filed already. */
  current: z.optional(z.string()),
  /** Why a renewal was refused: `DOC_EXPIRED` … (renewal-rules.ts); which scope a client key lacks; why a PDF cannot be used; what an object is needed for. */
  reason: z.optional(z.string()),
  /** Identifies the incident in the server's log, for support. */
  incident: z.optional(z.string()),
})
export type Problem = z.infer<typeof Problem>

/** The fields of a problem that depend on the failure. */
export type ProblemData = Pick<Problem, 'fields' | 'retryAfter' | 'entriesLeft' | 'current' | 'reason'>
