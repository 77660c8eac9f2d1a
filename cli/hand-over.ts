import { writeFileSync } from 'node:fs'
import { reasonOf } from './surroundings.ts'
import { Told } from './told.ts'

/** The option of a command that makes a secret. */
export const toFile = (what: string) => ({
  to: { takes: 'FILE', says: `write the ${what} to a new file that you alone can read, not to the screen` },
})

/** A secret is told once: to the screen, or to a file that its owner alone can read. `otherwise`: what is to be done when it could not be. */
export function writeSecret(file: string, secret: string, otherwise: string): void {
  try {
    writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw new Told(`${file} cannot be written: ${reasonOf(error)}. ${otherwise}`)
  }
}
