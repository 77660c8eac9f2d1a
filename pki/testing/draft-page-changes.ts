import { isReference, pdfDictionary, pdfName, pdfReference, pdfText, type PdfValue } from '../pdf/pdf-value.ts'
import type { Visibility } from './document-change.ts'
import { type DraftChange, on, pageAt, inSyntax, picture, formOf } from './draft-change.ts'
import { added, catalogIn, dictionaryIn, resolved, pagesIn, pageTreeIn } from './pdf-draft.ts'

const inPage = (key: string, value: PdfValue, visible: Visibility = 'maybe') =>
  on(`a page: ${key}`, visible, (draft, random) => void pageAt(draft, random).set(key, value))

const turnedNode = { Type: pdfName('Pages'), Kids: [], Count: 0, Rotate: 180 }

/** A change of the page tree's kids, of which there must be at least some. */
const kids = (name: string, least: number, change: (list: PdfValue[]) => PdfValue[]) =>
  on(name, 'yes', (draft) => {
    const root = pageTreeIn(draft)
    const list = resolved(draft, root.get('Kids'))
    return Array.isArray(list) && list.length >= least && root.set('Kids', change(list))
  })

export const pageChanges: DraftChange[] = [
  kids('pages in another order', 2, (list) => list.toReversed()),
  kids('a page twice', 0, (list) => [...list, ...list.slice(0, 1)]),
  kids('a page less', 2, (list) => list.slice(0, -1)),
  on('another count', 'maybe', (draft, random) => {
    pageTreeIn(draft).set('Count', random.pick([0, 1, 7, 1.5]))
  }),
  on('another parent', 'maybe', (draft, random) => {
    pageAt(draft, random).set('Parent', added(draft, pdfDictionary({ ...turnedNode, MediaBox: [0, 0, 200, 200] })))
  }),
  on('a parent of all', 'maybe', (draft) => {
    pageTreeIn(draft).set('Parent', added(draft, pdfDictionary({ ...turnedNode, CropBox: [0, 0, 200, 200] })))
  }),
  on('annotations of all pages', 'yes', (draft, random) => {
    const stamp = pdfDictionary({ Type: pdfName('Annot'), Subtype: pdfName('Stamp'), Rect: [60, 700, 500, 790], F: 4 })
    stamp.set('AP', pdfDictionary({ N: picture(draft) }))
    const root = pageTreeIn(draft)
    root.set('Annots', [added(draft, stamp)])
    for (const page of pagesIn(draft)) if (random.chance(0.5)) dictionaryIn(draft, page).delete('Annots')
  }),
  on('what a page inherits from no reader', 'maybe', (draft, random) => {
    const root = pageTreeIn(draft)
    root.set(random.pick(['UserUnit', 'TrimBox', 'Group']), random.pick<PdfValue>([3, [0, 0, 9, 9]]))
  }),
  inSyntax('a turn by a real', /\/Rotate -?\d+(?![\d.])/, (turn) => `${turn}.0`),
  on('a reference to a reference', 'maybe', (draft, random) => {
    const value = random.pick([pageAt(draft, random), catalogIn(draft), formOf(draft)])
    const key = random.pick([...value].filter(([, item]) => isReference(item)))?.[0]
    if (key === undefined) return false
    value.set(key, added(draft, value.get(key)!))
  }),
  on('no parent', 'maybe', (draft, random) => pageAt(draft, random).delete('Parent')),
  on('a page that is a node too', 'maybe', (draft, random) => void pageAt(draft, random).set('Kids', [])),
  on('no type', 'maybe', (draft, random) => pageAt(draft, random).delete('Type')),
  on('inherited entries in the page', 'no', (draft, random) => {
    const root = pageTreeIn(draft)
    const page = pageAt(draft, random)
    const key = random.pick(['MediaBox', 'Resources'])
    if (!root.has(key) || page.has(key)) return false
    page.set(key, root.get(key)!)
  }),
  on('content of another page', 'yes', (draft) => {
    const [first, second] = pagesIn(draft)
    if (!first || !second) return false
    dictionaryIn(draft, first).set('Contents', dictionaryIn(draft, second).get('Contents') ?? null)
  }),
  inPage('Rotate', 270, 'yes'),
  inPage('Rotate', 90.5),
  inPage('Rotate', 360),
  inPage('MediaBox', [0, 0, 300, 400], 'yes'),
  inPage('MediaBox', null),
  inPage('CropBox', [100, 100, 300, 400], 'yes'),
  inPage('TrimBox', [0, 0, 300, 400]),
  inPage('UserUnit', 2, 'yes'),
  inPage('Group', pdfDictionary({ S: pdfName('Transparency'), CS: pdfName('DeviceCMYK'), K: true })),
  inPage('Resources', pdfDictionary({})),
  inPage('Resources', pdfReference(9000)),
  inPage('Tabs', pdfName('S'), 'no'),
  inPage('Trans', pdfDictionary({ S: pdfName('Wipe') })),
  inPage('AA', pdfDictionary({ O: pdfDictionary({ S: pdfName('JavaScript'), JS: pdfText('1') }) })),
  inPage('Metadata', pdfReference(9000), 'no'),
]
