import type { Pdf } from './pdf-read.ts'
import { nameOf, type PdfValue } from './pdf-value.ts'
import { numbersIn } from './pdf-xref.ts'

/** Actions that run code, leave the document or change it (ISO 32000-1 §12.6.4), unlike going to a page. */
const actions = new Set([
  'JavaScript',
  'Launch',
  'SubmitForm',
  'ImportData',
  'GoToR',
  'GoToE',
  'Rendition',
  'Movie',
  'Sound',
  'RichMediaExecute',
  'ResetForm',
  'Hide',
  'SetOCGState',
  'Named',
  'Trans',
  'GoTo3DView',
])
const keys = new Set([
  'JS',
  'JavaScript',
  'XFA',
  'EmbeddedFiles',
  'EmbeddedFile',
  'AA',
  'RichMediaContent',
  'RichMediaSettings',
])
const types = new Set(['EmbeddedFile', 'Filespec', 'F'])

/**
 * Finds anything that a file would run, open, send or carry, described for experts; undefined if nothing (R47). Every object is checked,
 * also unreferenced ones.
 */
export function activeContent(pdf: Pdf): string | undefined {
  const sections = pdf.revisions.slice(0, pdf.revision + 1).flatMap((revision) => revision.sections)
  for (const number of new Set(sections.flatMap((section) => [...numbersIn(section)]))) {
    const found = activeIn(pdf.object(number)?.value)
    if (found) return `${found} in object ${number}`
  }
  return undefined
}

function activeIn(value: PdfValue | undefined): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    for (const item of value) {
      const found = activeIn(item)
      if (found) return found
    }
    return undefined
  }
  if (!(value instanceof Map)) return undefined
  const action = nameOf(value.get('S'))
  if (action !== undefined && actions.has(action) && !value.has('P') && !value.has('K')) return `/${action}`
  const type = nameOf(value.get('Type'))
  if (type !== undefined && types.has(type)) return `/${type}`
  for (const [key, item] of value) {
    if (keys.has(key)) return `/${key}`
    const found = activeIn(item)
    if (found) return found
  }
  return undefined
}
