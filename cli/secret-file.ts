import { writeFileSync } from 'node:fs'
import { reasonOf } from './environment.ts'
import { CliError } from './cli-error.ts'

/** The option of a command that creates a secret. */
export const secretFileOption = (secret: string) => ({
  to: { valueName: 'FILE', summary: `write the ${secret} to a new file that only you can read, instead of the screen` },
})

/** Writes a secret, which is shown only once, to a file that only its owner can read. `advice`: what to do if that fails. */
export function writeSecret(file: string, secret: string, advice: string): void {
  try {
    writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw new CliError(`${file} cannot be written: ${reasonOf(error)}. ${advice}`)
  }
}
