import { errorStatus, type ErrorCode, type Problem, type ProblemData } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'

/** The error of a failure that the contract knows. Everything else that is thrown is a fault of ours: `unexpected`. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly data: ProblemData
  constructor(code: ErrorCode, data: ProblemData = code === 'busy' ? { retryAfter: limits.http.retryBusy } : {}) {
    super(code)
    this.code = code
    this.data = data
  }
}

/**
 * Converts an error to RFC 9457: `type` names the kind of problem and is stable; `title` is for developers, as people read texts in the
 * browser.
 */
export function problemOf({ code, data }: ApiError, incident?: string): Problem {
  const title = code.replaceAll('-', ' ')
  return {
    type: `urn:sygnet:problem:${code}`,
    title: title.charAt(0).toUpperCase() + title.slice(1),
    status: errorStatus[code],
    code,
    ...data,
    ...(incident ? { incident } : {}),
  }
}
