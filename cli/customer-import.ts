import { createReadStream, statSync } from 'node:fs'
import { importCustomers, type ImportReport, type RefusedLine } from '../contract/customer-import.ts'
import { limits } from '../contract/limits.ts'
import { linesOf, type Line } from '../server/ndjson.ts'
import type { Asked } from './command.ts'
import { openJournal, type Journal, type Progress } from './import-journal.ts'
import { progressLine } from './progress-line.ts'
import { reasonOf } from './surroundings.ts'
import { exitCodes, Told } from './told.ts'

/** One call: less than the portal takes, so that the bar moves and little is repeated. */
const chunk = { lines: 1000, bytes: 524_288 }

/** Imports a file by calls of a thousand lines; what is in memory is one call's, however large the file is. */
export async function importFile(asked: Asked): Promise<number> {
  const file = asked.operands[0]!
  const portal = asked.portal()
  const { size, mtimeMs } = statOf(file)
  const journal = openJournal({ file, portal: portal.url, size, modified: mtimeMs }, asked.has('restart'))
  const { progress } = journal
  if (progress.lines) asked.note(`Going on after line ${count(progress.lines)}.\n`)
  const bar = progressLine({ size, began: progress, isTerminal: asked.isTerminal, note: asked.note })
  try {
    const bytes = createReadStream(file, { start: progress.offset })
    for await (const part of chunksOf(linesOf(bytes, limits.customerImport.lineBytes))) {
      note(journal, part, await portal.upload(importCustomers, part.body))
      bar.show(progress)
      if (asked.stopped.aborted && progress.offset < size) {
        bar.end()
        asked.note(`Stopped after line ${count(progress.lines)}. The same command goes on from there.\n`)
        return exitCodes.interrupted
      }
    }
  } catch (error) {
    bar.end()
    if (progress.lines)
      asked.note(`Stopped after line ${count(progress.lines)}. The same command goes on from there.\n`)
    throw error
  }
  bar.end()
  return finish(asked, journal)
}

function statOf(file: string) {
  try {
    const stat = statSync(file)
    if (stat.isFile()) return stat
  } catch (error) {
    throw new Told(`${file} cannot be read: ${reasonOf(error)}.`, exitCodes.misused)
  }
  throw new Told(`${file} is no file.`, exitCodes.misused)
}

type Chunk = { body: Buffer<ArrayBuffer>; lines: number; end: number; refused: RefusedLine[] }

/** Lines put together for one call. One that no call would take is refused here; a blank one keeps its place. */
async function* chunksOf(lines: AsyncIterable<Line>): AsyncGenerator<Chunk> {
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

/** Writes down what became of a call's lines, under their numbers in the file. */
function note(journal: Journal, part: Chunk, report: ImportReport) {
  const { progress } = journal
  const before = progress.lines
  const refused = [...part.refused, ...report.refused]
    .toSorted((one, other) => one.line - other.line)
    .map((one) => ({ ...one, line: before + one.line }))
  journal.note(refused, {
    offset: journal.from + part.end,
    lines: before + part.lines,
    created: progress.created + report.created,
    updated: progress.updated + report.updated,
    unchanged: progress.unchanged + report.unchanged,
    refused: progress.refused + refused.length,
  })
}

const count = (number: number) => number.toLocaleString('en-GB')

function finish(asked: Asked, journal: Journal): number {
  const { lines, created, updated, unchanged, refused }: Progress = journal.progress
  const refusedFile = journal.finish()
  const summary = `${count(lines)} lines: ${count(created)} created, ${count(updated)} updated, ${count(unchanged)} unchanged, ${count(refused)} refused.\n`
  const where = refusedFile ? `Which were refused and why: ${refusedFile}\n` : ''
  asked.say(summary + where, { lines, created, updated, unchanged, refused, refusedFile })
  return refused ? exitCodes.refused : exitCodes.done
}
