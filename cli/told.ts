/** What the command ends with: 0 done, and the ways in which it is not. */
export const exitCodes = { done: 0, refused: 1, misused: 2, unreachable: 3, interrupted: 130 } as const

/** What keeps a command from being done, as a sentence for who typed it. */
export class Told extends Error {
  readonly exitCode: number
  constructor(sentence: string, exitCode: number = exitCodes.refused) {
    super(sentence)
    this.exitCode = exitCode
  }
}
