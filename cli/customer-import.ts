import {
  createReadStream,
  statSync,
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import * as z from 'zod/mini'
import { limits } from '../contract/limits.ts'
import { importCustomers, type ImportReport, type RefusedLine } from '../contract/provider/customer-import.ts'
import { readLines, type Line } from '../server/platform/http/ndjson.ts'
import type { CommandContext } from './command.ts'
import { unusableReasonOf, exitCodes, usageError, CliError } from './environment.ts'

/** The size of one call: less than the portal accepts, so that the progress bar moves and little is repeated. */
const chunk = { lines: 1000, bytes: 524_288 }

const Progress = z.strictObject({
  /** The bytes of the file for which the portal has answered. */
  offset: z.int(),
  /** The lines of the file for which the portal has answered. */
  lines: z.int(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  refused: z.int(),
})
type Progress = z.infer<typeof Progress>

const SavedJournal = z.strictObject({
  portal: z.string(),
  size: z.number(),
  modified: z.number(),
  /** The length of the list of refused lines at this progress. */
  refusedBytes: z.int(),
  progress: Progress,
})

const start: Progress = { offset: 0, lines: 0, created: 0, updated: 0, unchanged: 0, refused: 0 }

type ImportJournal = ReturnType<typeof openJournal>

/** Opens the state of an import, which is saved next to its file, so that an interrupted import can continue. */
function openJournal(
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
    /** Removes the saved state, and returns the path of the list of refused lines, if there are any. */
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
    throw new CliError(`${path} cannot be written: ${unusableReasonOf(error)}.`)
  }
}

type ProgressOptions = { size: number; began: Progress; isTerminal: boolean; note: (text: string) => void }

const width = 24

/** Returns a progress bar for a terminal; elsewhere, such as in a log, it prints nothing. */
function progressLine({ size, began, isTerminal, note }: ProgressOptions) {
  const { offset, lines } = began
  const startedAt = performance.now()
  return {
    show(progress: Progress) {
      if (!isTerminal) return
      const seconds = (performance.now() - startedAt) / 1000
      const share = size ? progress.offset / size : 1
      const left = ((size - progress.offset) / Math.max(1, progress.offset - offset)) * seconds
      const bar = '█'.repeat(Math.round(share * width)).padEnd(width, '░')
      const parts = [
        `${bar} ${String(Math.floor(share * 100)).padStart(3)} %`,
        `${progress.lines.toLocaleString('en-GB')} lines`,
        `${Math.round((progress.lines - lines) / seconds).toLocaleString('en-GB')} a second`,
        ...(progress.refused ? [`${progress.refused.toLocaleString('en-GB')} refused`] : []),
        ...(share < 1 ? [`${durationText(left)} left`] : []),
      ]
      // Returns to the first column and clears the rest of the line.
      note(`\r${parts.join(' · ')}\u001b[K`)
    },
    end() {
      if (isTerminal) note('\n')
    },
  }
}

const durationText = (seconds: number) =>
  seconds < 60 ? `${Math.ceil(seconds)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`

/** Imports a file by calls of a thousand lines. Only the lines of one call are in memory, however large the file is. */
export async function importFile(context: CommandContext, file: string, restart: boolean): Promise<void> {
  const portal = context.portal()
  const { size, mtimeMs } = readStat(file)
  const journal = openJournal({ file, portal: portal.url, size, modified: mtimeMs }, restart)
  const { progress } = journal
  if (progress.lines) context.note(`Continuing after line ${count(progress.lines)}.\n`)
  const stopped = context.stopSignal()
  const bar = progressLine({ size, began: progress, isTerminal: context.isTerminal, note: context.note })
  const noteStop = () => {
    context.note(`Stopped after line ${count(progress.lines)}. The same command continues from there.\n`)
  }
  try {
    const bytes = createReadStream(file, { start: progress.offset })
    for await (const part of readChunks(readLines(bytes, limits.customerImport.lineBytes))) {
      saveResult(journal, part, await portal.upload(importCustomers, part.body))
      bar.show(progress)
      if (stopped.aborted && progress.offset < size) {
        bar.end()
        noteStop()
        context.exitCode = exitCodes.interrupted
        return
      }
    }
  } catch (error) {
    bar.end()
    if (progress.lines) noteStop()
    throw error
  }
  bar.end()
  finish(context, journal)
}

function readStat(file: string) {
  try {
    const stat = statSync(file)
    if (stat.isFile()) return stat
  } catch (error) {
    throw usageError(`${file} cannot be read: ${unusableReasonOf(error)}.`)
  }
  throw usageError(`${file} is not a file.`)
}

type Chunk = { body: Buffer<ArrayBuffer>; lines: number; end: number; refused: RefusedLine[] }

/** Groups lines into calls. A line too long for any call is refused here; a blank line keeps its number. */
async function* readChunks(lines: AsyncIterable<Line>): AsyncGenerator<Chunk> {
  let parts: Buffer[] = []
  let bytes = 0
  let end = 0
  let refused: RefusedLine[] = []
  const take = (): Chunk => {
    const taken = {
      body: Buffer.from(parts.map((part) => part.toString('latin1')).join('\n'), 'latin1'),
      lines: parts.length,
      end,
      refused,
    }
    parts = []
    bytes = 0
    refused = []
    return taken
  }
  for await (const line of lines) {
    const content = line.bytes ?? Buffer.alloc(0)
    if (parts.length === chunk.lines || bytes + content.length > chunk.bytes) yield take()
    if (!line.bytes) refused.push({ line: parts.length + 1, customer: null, code: 'body-too-large' })
    parts.push(content)
    bytes += content.length + 1
    end = line.end
  }
  if (parts.length) yield take()
}

/** Writes the result of a call to the journal, with the lines' numbers in the file. */
function saveResult(journal: ImportJournal, part: Chunk, report: ImportReport) {
  const { progress } = journal
  const before = progress.lines
  const refused = [...part.refused, ...report.refused]
    .toSorted((a, b) => a.line - b.line)
    .map((refusal) => ({ ...refusal, line: before + refusal.line }))
  journal.save(refused, {
    offset: journal.from + part.end,
    lines: before + part.lines,
    created: progress.created + report.created,
    updated: progress.updated + report.updated,
    unchanged: progress.unchanged + report.unchanged,
    refused: progress.refused + refused.length,
  })
}

const count = (number: number) => number.toLocaleString('en-GB')

function finish(context: CommandContext, journal: ImportJournal) {
  const { lines, created, updated, unchanged, refused }: Progress = journal.progress
  const refusedFile = journal.finish()
  const summary = `${count(lines)} lines: ${count(created)} created, ${count(updated)} updated, ${count(unchanged)} unchanged, ${count(refused)} refused.\n`
  const hint = refusedFile ? `Refused lines and reasons: ${refusedFile}\n` : ''
  context.printResult({ lines, created, updated, unchanged, refused, refusedFile }, summary + hint)
  if (refused) context.exitCode = exitCodes.refused
}
