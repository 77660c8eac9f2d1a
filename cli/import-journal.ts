import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import * as z from 'zod/mini'
import type { RefusedLine } from '../contract/provider/customer-import.ts'
import { reasonOf } from './environment.ts'
import { CliError } from './cli-error.ts'

/** How much of a file is imported. */
const Progress = z.strictObject({
  /** Bytes and lines of the file for which the portal has answered. */
  offset: z.int(),
  lines: z.int(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  refused: z.int(),
})
export type Progress = z.infer<typeof Progress>

const SavedJournal = z.strictObject({
  portal: z.string(),
  size: z.number(),
  modified: z.number(),
  /** The length of the list of refused lines at this progress. */
  refusedBytes: z.int(),
  progress: Progress,
})

const start: Progress = { offset: 0, lines: 0, created: 0, updated: 0, unchanged: 0, refused: 0 }

export type ImportJournal = ReturnType<typeof openJournal>

/** The state of an import, saved next to its file, so that an interrupted import can continue. */
export function openJournal(
  { file, ...source }: { file: string; portal: string; size: number; modified: number },
  restart: boolean,
) {
  const path = `${file}.import.json`
  const refusedPath = `${file}.refused.ndjson`
  const saved = restart ? undefined : readJournal(path)
  if (saved && saved.portal !== source.portal)
    throw new CliError(
      `The import of ${file} was started at ${saved.portal}. Finish it there, or start again here with --restart.`,
    )
  if (saved && (saved.size !== source.size || saved.modified !== source.modified))
    throw new CliError(
      `${file} has changed since line ${saved.progress.lines} of it was imported. Start again with --restart: unchanged customers are left as they are.`,
    )
  const progress = { ...(saved?.progress ?? start) }
  let refusedBytes = saved?.refusedBytes ?? 0
  withWriteErrors(refusedPath, () => {
    // Lines written after the last saved progress would appear twice.
    if (refusedBytes && existsSync(refusedPath)) truncateSync(refusedPath, refusedBytes)
    else rmSync(refusedPath, { force: true })
  })
  return {
    /** The offset at which this run starts to read. */
    from: progress.offset,
    progress,
    /** Writes the refused lines, then the progress. After a crash between the two, the next start truncates the list. */
    save(refused: readonly RefusedLine[], reached: Progress) {
      const text = refused.map((line) => `${JSON.stringify(line)}\n`).join('')
      withWriteErrors(refusedPath, () => text && appendFileSync(refusedPath, text))
      refusedBytes += Buffer.byteLength(text)
      Object.assign(progress, reached)
      withWriteErrors(path, () => {
        writeFileSync(`${path}.new`, JSON.stringify({ ...source, refusedBytes, progress }))
        renameSync(`${path}.new`, path)
      })
    },
    /** The list of refused lines, if there are any. */
    finish(): string | null {
      rmSync(path, { force: true })
      return refusedBytes ? refusedPath : null
    },
  }
}

function readJournal(path: string) {
  if (!existsSync(path)) return undefined
  try {
    return z.parse(SavedJournal, JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    throw new CliError(`${path} is damaged. Start again with --restart.`)
  }
}

function withWriteErrors(path: string, write: () => unknown) {
  try {
    write()
  } catch (error) {
    throw new CliError(`${path} cannot be written: ${reasonOf(error)}.`)
  }
}
