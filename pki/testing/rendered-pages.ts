import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issuedFile } from '../pades/pades-issued.ts'
import { validatePdf } from '../pades/pades-validate.ts'
import { comparePages } from '../pdf/page-comparison.ts'
import { openPdf, listPages } from '../pdf/pdf-read.ts'
import type { ChangedDocument } from './changed-documents.ts'
import { policyOf } from './pades-authorities.ts'
import { run } from './peer-programs.ts'

/** The pages as another program renders them, as digests without the areas of signatures. */
export type Show = (bytes: Uint8Array, areas: ChangedDocument['areas']) => Promise<string[]>

/** Returns the verdict of the comparison of objects, and the final one after the reader's comparison. */
export async function judgeChanged(issued: Uint8Array, received: Uint8Array) {
  const { verdict: ofObjects } = await validatePdf(received, policyOf({ issued: [issuedFile(issued)] }))
  const isDoubted = ofObjects === 'accepted' && (await comparePages({ issued, received })) !== 'same'
  return { ofObjects, verdict: isDoubted ? ('pending' as const) : ofObjects }
}

/** Checks whether a program shows both files alike; a file that it cannot open shows nothing. */
export async function isRenderedAlike(show: Show, issued: Uint8Array, { bytes, areas }: ChangedDocument) {
  const before = areas.length ? await show(issued, areas) : await wholeOf(show, issued)
  return before.join() === (await show(bytes, areas)).join()
}

const known = new Map<Show, WeakMap<Uint8Array, Promise<string[]>>>()

/** Caches issued documents, which are rendered repeatedly. */
function wholeOf(show: Show, issued: Uint8Array) {
  const byFile = known.get(show) ?? new WeakMap<Uint8Array, Promise<string[]>>()
  known.set(show, byFile)
  const shown = byFile.get(issued) ?? show(issued, [])
  byFile.set(issued, shown)
  return shown
}

const resolution = 50
/** Margin for anti-aliasing, in pixels. */
const margin = 2

/** Renders the pages with Poppler's `pdftoppm`. */
export const renderByPoppler: Show = async (bytes, areas) => {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-shown-'))
  try {
    writeFileSync(join(folder, 'file.pdf'), bytes)
    await run('pdftoppm', ['-cropbox', '-r', String(resolution), join(folder, 'file.pdf'), join(folder, 'page')])
    const pictures = readdirSync(folder)
      .filter((name) => name.endsWith('.ppm'))
      .toSorted()
      .map((name) => readFileSync(join(folder, name)))
    const views = areas.length ? viewsOf(bytes) : []
    for (const { page, rect } of areas) if (pictures[page]) erase(pictures[page], pixelsOf(rect, views[page]!))
    return pictures.map((picture) => hash('sha256', picture))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

type View = { box: number[]; turns: number }

function viewsOf(bytes: Uint8Array): View[] {
  const pdf = openPdf(bytes)
  return listPages(pdf).map(({ inherited }) => {
    const box = pdf.resolve(inherited.get('CropBox') ?? inherited.get('MediaBox')) as number[]
    return { box, turns: Number(pdf.resolve(inherited.get('Rotate')) ?? 0) / 90 }
  })
}

/** Converts a rectangle on a page to pixels: left, top, right and bottom. */
function pixelsOf(rect: readonly number[], { box, turns }: View) {
  const [left, bottom, right, top] = box as [number, number, number, number]
  const corners = [rect.slice(0, 2), rect.slice(2, 4)].map((corner) => {
    let [x, y, width, height] = [corner[0]! - left, top - corner[1]!, right - left, top - bottom]
    for (let turn = 0; turn < ((turns % 4) + 4) % 4; turn++) [x, y, width, height] = [height - y, x, height, width]
    return [x, y].map((at) => (at * resolution) / 72)
  })
  const [xs, ys] = [0, 1].map((axis) => corners.map((corner) => corner[axis]!)) as [number[], number[]]
  return [Math.min(...xs) - margin, Math.min(...ys) - margin, Math.max(...xs) + margin, Math.max(...ys) + margin].map(
    Math.round,
  )
}

/** Clears an area of a portable pixmap: a header of three lines, and three bytes per pixel. */
function erase(picture: Buffer, [left, top, right, bottom]: number[]) {
  const [head, width, height] = /^P6\s(\d+)\s(\d+)\s255\s/.exec(picture.toString('latin1', 0, 40))!
  const [start, columns, rows] = [head.length, Number(width), Number(height)]
  for (let y = Math.max(0, top!); y < Math.min(rows, bottom!); y++)
    for (let x = Math.max(0, left!); x < Math.min(columns, right!); x++)
      picture.fill(0, start + (y * columns + x) * 3, start + (y * columns + x) * 3 + 3)
}
