/** Exit codes of the command. */
export const exitCodes = { done: 0, refused: 1, misused: 2, unreachable: 3, interrupted: 130 } as const

/** Ends a command with a message for the user. */
export class CliError extends Error {
  readonly exitCode: number
  constructor(message: string, exitCode: number = exitCodes.refused) {
    super(message)
    this.exitCode = exitCode
  }
}

/** For wrong arguments or settings. */
export const misused = (message: string) => new CliError(message, exitCodes.misused)
