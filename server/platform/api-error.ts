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

/** A step that was refused, with the code that its caller is told. */
export type Refusal<Code extends ErrorCode = ErrorCode> = { refused: Code; data?: ProblemData }

/** Returns the result of a step, or throws its refusal. A handler has `orFail`, which checks that its endpoint declares the code. */
export function orThrow<Result extends object | undefined>(result: Result): Exclude<Result, Refusal> {
  if (result && 'refused' in result) throw new ApiError((result as Refusal).refused, (result as Refusal).data)
  return result as Exclude<Result, Refusal>
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
    ...(incident && { incident }),
  }
}
