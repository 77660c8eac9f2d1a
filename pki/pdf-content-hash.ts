import { createHash, hash } from 'node:crypto'
import { arrayAt, dictionaryAt, pagesOf, type Pdf } from './pdf-read.ts'
import {
  isDictionary,
  isName,
  isReference,
  pdfName,
  pdfSyntax,
  type PdfDictionary,
  type PdfValue,
} from './pdf-value.ts'

/**
 * A digest (SHA-256, hexadecimal) of all that the pages of a file show: boxes, rotation, content, resources with their
 * data, and annotations that are no signatures. How it is put into bytes does not count, so that a file which another
 * program has decrypted or repacked keeps its hash. Throws PdfError for a file that is damaged.
 */
export function contentHash(pdf: Pdf): string {
  const digest = createHash('sha256')
  const memo = new Map<number, string>()
  const pages = pagesOf(pdf)
  const pageNumbers = new Map(pages.map(({ reference }, index) => [reference.number, index]))
  const write = (value: PdfValue | undefined, path: ReadonlySet<number>): string => {
    if (!isReference(value)) return plain(value ?? null, path)
    const known = memo.get(value.number)
    if (known !== undefined) return known
    // Round in a circle: what is there was begun already.
    if (path.has(value.number)) return '(circle)'
    // Ways back to a page, from links and annotations: which page it is counts, and not all of it again.
    const page = pageNumbers.get(value.number)
    if (page !== undefined) return `(page ${page})`
    const object = pdf.object(value.number)
    if (!object || object.generation !== value.generation) return 'null'
    const inner = new Set(path).add(value.number)
    const text =
      object.data && isDictionary(object.value) ? stream(object.value, value.number, inner) : plain(object.value, inner)
    const short = text.length > 64 ? hash('sha256', text, 'hex') : text
    memo.set(value.number, short)
    return short
  }
  const stream = (dictionary: PdfDictionary, number: number, path: ReadonlySet<number>) => {
    const { data, rest } = pdf.decode(pdf.object(number)!)
    const own = new Map([...dictionary].filter(([key]) => !ofTheFile.has(key)))
    own.set(
      'Filter',
      rest.map((name) => pdfName(name ?? '')),
    )
    return `${plain(own, path)}${hash('sha256', data, 'hex')}`
  }
  const plain = (value: PdfValue, path: ReadonlySet<number>): string => {
    if (Array.isArray(value)) return `[${value.map((item) => write(item, path)).join(' ')}]`
    if (!isDictionary(value)) return pdfSyntax(value)
    const entries = [...value].filter(([key]) => !leadsAway.has(key)).toSorted(([a], [b]) => (a < b ? -1 : 1))
    return `<<${entries.map(([key, item]) => `${key} ${write(item, path)}`).join(' ')}>>`
  }
  const none: ReadonlySet<number> = new Set()
  for (const { page, inherited } of pages) {
    for (const key of ['MediaBox', 'CropBox', 'Rotate', 'Resources']) digest.update(write(inherited.get(key), none))
    for (const key of ['UserUnit', 'TrimBox', 'ArtBox', 'BleedBox', 'Group']) digest.update(write(page.get(key), none))
    const contents = pdf.resolve(page.get('Contents'))
    for (const part of Array.isArray(contents) ? contents : [page.get('Contents') ?? null]) {
      const object = isReference(part) ? pdf.object(part.number) : undefined
      digest.update(object?.data ? pdf.decode(object).data : 'none').update('\n')
    }
    for (const item of arrayAt(pdf, page, 'Annots')) {
      const annotation = pdf.resolve(item)
      if (!isDictionary(annotation) || !isSignature(pdf, annotation)) digest.update(write(item, none))
    }
    digest.update('\npage\n')
  }
  // What opens with the document belongs to what is shown.
  const catalog = dictionaryAt(pdf, pdf.trailer, 'Root')
  for (const key of ['OpenAction', 'OCProperties', 'AA'])
    if (catalog.has(key)) digest.update(write(catalog.get(key), none))
  return digest.digest('hex')
}

/** How data are packed, and what other programs leave out or put in. */
const ofTheFile = new Set(['Length', 'Filter', 'DecodeParms', 'DL'])
/** What leads into the structure tree, and what is not shown. */
const leadsAway = new Set(['StructParent', 'StructParents', 'Metadata'])

function isSignature(pdf: Pdf, annotation: PdfDictionary) {
  return isName(pdf.resolve(annotation.get('FT')), 'Sig')
}
