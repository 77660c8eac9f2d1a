import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import * as z from 'zod/mini'
import type { RefusedLine } from '../contract/customer-import.ts'
import { reasonOf } from './surroundings.ts'
import { Told } from './told.ts'

/** How far an import has come. */
const Progress = z.strictObject({
  /** Bytes and lines of the file that the portal has answered for. */
  offset: z.int(),
  lines: z.int(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  refused: z.int(),
})
export type Progress = z.infer<typeof Progress>

const Kept = z.strictObject({
  portal: z.string(),
  size: z.number(),
  modified: z.number(),
  /** Bytes of the list of refused lines that belong to it. */
  refusedBytes: z.int(),
  progress: Progress,
})

const start: Progress = { offset: 0, lines: 0, created: 0, updated: 0, unchanged: 0, refused: 0 }

export type Journal = ReturnType<typeof openJournal>

/** What an import has written down beside its file, so that one that was broken off can go on. */
export function openJournal(
  { file, ...source }: { file: string; portal: string; size: number; modified: number },
  restart: boolean,
) {
  const path = `${file}.import.json`
  const refusedPath = `${file}.refused.ndjson`
  const kept = restart ? undefined : readKept(path)
  if (kept && kept.portal !== source.portal)
    throw new Told(`The import of ${file} was begun at ${kept.portal}. Finish it there, or begin here with --restart.`)
  if (kept && (kept.size !== source.size || kept.modified !== source.modified))
    throw new Told(
      `${file} has changed since line ${kept.progress.lines} of it was imported. Begin again with --restart: what is there already is left as it is.`,
    )
  const progress = { ...(kept?.progress ?? start) }
  let refusedBytes = kept?.refusedBytes ?? 0
  writing(refusedPath, () => {
    // What was written after the last note would stand there twice.
    if (refusedBytes && existsSync(refusedPath)) truncateSync(refusedPath, refusedBytes)
    else rmSync(refusedPath, { force: true })
  })
  return {
    /** Where the reading of this run begins. */
    from: progress.offset,
    progress,
    /** First what was refused, then how far it came: a crash between the two is made good at the next start. */
    note(refused: readonly RefusedLine[], reached: Progress) {
      const text = refused.map((line) => `${JSON.stringify(line)}\n`).join('')
      writing(refusedPath, () => text && appendFileSync(refusedPath, text))
      refusedBytes += Buffer.byteLength(text)
      Object.assign(progress, reached)
      writing(path, () => {
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

function readKept(path: string) {
  if (!existsSync(path)) return undefined
  try {
    return z.parse(Kept, JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    throw new Told(`${path} cannot be understood. Begin again with --restart.`)
  }
}

function writing(path: string, act: () => unknown) {
  try {
    act()
  } catch (error) {
    throw new Told(`${path} cannot be written: ${reasonOf(error)}.`)
  }
}
