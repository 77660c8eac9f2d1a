import { closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import type { CommandContext } from './command.ts'
import { unusableReasonOf, CliError } from './environment.ts'

/** The flags and the help of the option of a command that creates a secret. */
export const secretFileOption = [
  '--to <file>',
  'write the secret to a new file that only you can read, instead of the screen',
] as const

/** A function that saves a secret, which is shown only once. `advice`: what to do if that fails. */
export type SaveSecret = (secret: string, advice: string) => void

/**
 * Runs `work` with a function that saves its secret in the file of --to; undefined without that option. The file is made first: if that
 * fails, no secret is created. Without a secret it is removed again, also by Ctrl+C, which ends the command at once.
 */
export async function withSecretFile<T>(
  { note, stopSignal }: CommandContext,
  file: string | undefined,
  work: (save: SaveSecret | undefined) => Promise<T>,
): Promise<T> {
  if (file === undefined) return work(undefined)
  const opened = attempt(file, 'Nothing was changed.', () => openSync(file, 'wx', 0o600))
  let isSaved = false
  stopSignal().addEventListener('abort', () => {
    if (!isSaved) {
      unlinkSync(file)
      note(`Stopped before a secret was saved in ${file}. If one was created, it is lost: create another one.\n`)
    }
    process.kill(process.pid, 'SIGINT')
  })
  try {
    return await work((secret, advice) => {
      attempt(file, advice, () => writeFileSync(opened, `${secret}\n`))
      isSaved = true
    })
  } finally {
    closeSync(opened)
    if (!isSaved) unlinkSync(file)
  }
}

function attempt<T>(file: string, advice: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new CliError(`${file} cannot be written: ${unusableReasonOf(error)}. ${advice}`)
  }
}
