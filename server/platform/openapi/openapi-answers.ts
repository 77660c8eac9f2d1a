import type { Endpoint } from '../../../contract/endpoint.ts'
import { errorStatus, type ErrorCode, type ProblemData } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { pathParams } from '../../../contract/path-params.ts'
import { findScope } from '../../../contract/provider/client-keys.ts'
import { ApiError, problemOf } from '../api-error.ts'

/** Returns every code with which the server can refuse a call: its own, and those that follow from its properties in the contract. */
export function codesOf(endpoint: Endpoint): ErrorCode[] {
  const { errors = [], access, method, stepUp, idempotent, upload } = endpoint
  const writes = method !== 'GET'
  const rules: [boolean, ...ErrorCode[]][] = [
    // Unknown fields are refused everywhere, also where none is known (R37).
    [true, 'invalid-input', 'malformed-request'],
    [access === 'pending' || access === 'customer', 'signed-out'],
    [access === 'customer', 'other-customer'],
    [access === 'provider', 'client-key-refused'],
    [findScope(endpoint) !== undefined, 'scope-missing'],
    [writes && access !== 'provider', 'cross-site-request'],
    [stepUp !== undefined, 'step-up-required'],
    // A part of a path can be too long to be an id.
    [pathParams(endpoint) !== undefined, 'not-found'],
    [idempotent !== undefined, 'idempotency-key-missing'],
    [idempotent === true, 'idempotency-key-reused'],
    [writes || upload !== undefined, 'body-too-large', 'unsupported-media-type'],
    [true, 'too-many-requests', 'unavailable'],
    // What any request can meet, also one to a path without an endpoint.
    [true, 'method-not-allowed', 'url-too-long', 'misdirected-request', 'headers-too-large', 'unexpected'],
  ]
  return [...new Set([...errors, ...rules.flatMap(([applies, ...codes]) => (applies ? codes : []))])]
}

/** Meanings of the provider API's codes for the calling program. */
export const meanings: Partial<Record<ErrorCode, string>> = {
  'invalid-input': 'a field is wrong, missing or unknown; `fields` names each',
  'malformed-request': 'the request is not valid HTTP or JSON',
  'cursor-refused': 'the cursor or position is not of this list, or too old: start again without it',
  'position-unknown':
    'the audit trail does not have this entry: the database was restored to an earlier time, or the month was detached; begin without `after`, with `since`',
  'idempotency-key-missing': 'the header `Idempotency-Key` is missing, or is not 16 to 64 letters, digits, `-` and `_`',
  'idempotency-key-reused': 'another request was made with this `Idempotency-Key`',
  'client-key-refused': 'the client key is missing, unknown, expired or revoked',
  'scope-missing': 'the client key has not the scope that `reason` names',
  'not-found': 'there is no object with this id',
  'method-not-allowed': 'the path has no such method; the header `Allow` has those it has',
  'body-too-large': 'the body is larger than the call takes',
  'url-too-long': 'the address is longer than 2,048 bytes',
  'unsupported-media-type': 'the body has another media type than the call takes, or an encoding',
  'misdirected-request': 'the header `Host` is not a name of this portal',
  'headers-too-large': 'the headers are larger than 16 KiB together',
  'login-taken': 'another customer has this login or e-mail address',
  'already-active': 'the customer has set a password already',
  'customer-in-use': 'the customer has a service that has not ended',
  'object-in-use': 'the object is needed for what `reason` names',
  'certificate-unreadable': 'the certificate or its chain cannot be read',
  'certificate-refused': 'the certificate does not fit the object; `fields` says why',
  'certificate-filed': 'the certificate is filed under another id, which is `current`',
  'certificate-differs': 'the certificate does not match what was agreed; `reason` says how',
  'host-not-allowed': 'the operator has not allowed the host of the address (`WEBHOOK_HOSTS`)',
  'state-passed': 'the object is in another state, which is `current`',
  'pairing-not-possible': 'the product has no app, or its activation is configured otherwise',
  'seal-user-exists': 'the seal has a user with this e-mail address',
  'seal-users-full': 'the seal has as many users as it can have',
  'last-admin': 'a seal keeps at least one Administrator',
  'document-not-ready': 'the file does not exist yet',
  'document-content-missing': 'the file is missing from the store, or damaged',
  'document-not-continued': 'the file is not the signed one with a signature appended',
  'pdf-required': 'the body is not a PDF',
  'pdf-unusable': 'the PDF cannot be opened or signed; `reason` says why',
  'too-many-requests': 'too many requests; repeat after `retryAfter` seconds',
  unexpected: 'a fault of the portal; `incident` identifies it in the log',
  busy: 'too much work at once; repeat after `retryAfter` seconds',
  unavailable: 'a system that the call needs does not answer, or its feature is switched off; repeat later',
  'storage-full': 'the portal has no space for files; its operator is told',
}

/** Data of a problem in addition to its code, for the example. */
const sampleData: Partial<Record<ErrorCode, ProblemData>> = {
  'invalid-input': { fields: [{ name: 'email', problem: 'email-format' }] },
  'certificate-refused': {
    fields: [{ name: 'period', problem: 'format', detail: 'The certificate is valid for longer than the period.' }],
  },
  'certificate-filed': { current: 's-20870' },
  'scope-missing': { reason: 'customers:write' },
  'object-in-use': { reason: 'renewal' },
  'pdf-unusable': { reason: 'encrypted' },
  'too-many-requests': { retryAfter: 1 },
  busy: { retryAfter: limits.http.retryBusy },
  unavailable: { retryAfter: 10 },
}

/** Headers of every answer of the API about the limit of its network address. */
export const rateHeaders = {
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
}

/** The headers that answers of a document refer to. */
export const headerComponents = {
  RetryAfter: {
    description: 'Seconds after which a repetition makes sense, if that is known.',
    schema: { type: 'integer', minimum: 1 },
  },
  RateLimit: {
    description:
      'How many requests of your network address are left (`r`), and in how many seconds all are (`t`). Calls with a valid client key do not count.',
    schema: { type: 'string' },
    example: '"address";r=299;t=1',
  },
  RateLimitPolicy: {
    description: 'The limit of your network address: requests (`q`) in so many seconds (`w`).',
    schema: { type: 'string' },
    example: '"address";q=300;w=10',
  },
}

/** Header of content that clients revalidate. Not all documents have such a call, so it is not a component. */
export const etagHeader = {
  description: 'Names this content, for `If-None-Match`.',
  schema: { type: 'string' },
  example: '"uU0nuZNNPgilLlLX2n2r-sSE7-N6U4DukIj3rOLvzek"',
}

export function problemResponse(codes: readonly ErrorCode[]) {
  const waits = codes.some((code) => [429, 503].includes(errorStatus[code]))
  return {
    description: codes.map((code) => [`\`${code}\``, meanings[code]].filter(Boolean).join(': ')).join('\n\n'),
    headers: { ...rateHeaders, ...(waits ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {}) },
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            {
              type: 'object',
              properties: { code: { description: 'What has failed.', enum: codes } },
              required: ['code'],
            },
          ],
        },
        examples: Object.fromEntries(
          codes.map((code) => [
            code,
            {
              value: problemOf(
                new ApiError(code, sampleData[code]),
                errorStatus[code] >= 500 ? '0d3c6a0e-1f5b-4c1e-9a57-2f6f7f0f4c11' : undefined,
              ),
            },
          ]),
        ),
      },
    },
  }
}
