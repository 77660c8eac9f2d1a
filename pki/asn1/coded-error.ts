/** An error with the reason by which callers decide. */
export class CodedError<Code extends string> extends Error {
  readonly code: Code
  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
