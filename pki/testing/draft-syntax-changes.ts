import { bytesOf, fromHex, latin1 } from '../bytes.ts'
import {
  isDictionary,
  isReference,
  pdfDictionary,
  pdfReference,
  pdfSyntax,
  pdfText,
  type PdfValue,
} from '../pdf/pdf-value.ts'
import type { Random } from './document-change.ts'
import { type DraftChange, on, objectsOf, inSyntax } from './draft-change.ts'
import { added, dictionaryIn, pagesIn, type PdfDraft } from './pdf-draft.ts'

/** Rewrites a hexadecimal string as a literal one, with another syntax for some bytes. */
const literal =
  (from: string, ...alternatives: string[]) =>
  (hex: string, random: Random) =>
    `(${latin1(fromHex(bytesOf(hex.slice(1, -1)))!)
      .replace(/[()\\]/g, '\\$&')
      .replaceAll(from, () => random.pick(alternatives))})`

const bytesOfText = (draft: PdfDraft, from: string, to: string) =>
  `4 0 obj\n<<${from}>>\nendobj\n${to}`.replace('4 0', `${Math.max(...draft.objects.keys())} 0`)

export const syntaxChanges: DraftChange[] = [
  inSyntax('line ends in a string', /<(?:[\da-f]{2})*?0a(?:[\da-f]{2})*>/, literal('\n', '\r', '\r\n')),
  inSyntax(
    'an octal number in a string that exceeds a byte',
    /<(?:[\da-f]{2})*?ff(?:[\da-f]{2})*>/,
    literal('\xff', '\\777'),
  ),
  on('a cross-reference stream of reals', 'maybe', (draft) => {
    draft.form.compressed = true
    draft.form.realWidths = true
  }),
  on('nothing', 'no', () => undefined),
  on('names with escapes', 'no', (draft, random) => {
    const [, object] = random.pick(objectsOf(draft, (_, data) => !data))
    object.raw = pdfSyntax(object.value).replaceAll('/Type', '/T#79pe').replaceAll('/Contents', '/C#6Fntents')
  }),
  on('comments and blanks', 'no', (draft, random) => {
    const [, object] = random.pick(objectsOf(draft, (_, data) => !data))
    object.raw = pdfSyntax(object.value).replaceAll('<<', '<< %>>\n').replaceAll('>>', '\t>>')
  }),
  on('a name that ends early', 'maybe', (draft, random) => {
    const [, object] = random.pick(objectsOf(draft, (_, data) => !data))
    object.raw = pdfSyntax(object.value).replace('<<', '<</Rotate#00x 90 ')
  }),
  on('a key twice', 'maybe', (draft, random) => {
    const page = random.pick(pagesIn(draft))
    const object = draft.objects.get(page.number)!
    object.raw = pdfSyntax(object.value).replace('<<', '<</Rotate 90 /Rotate 0 ')
  }),
  on('an object in no table', 'maybe', (draft, random) => {
    const [, number] = [0, random.pick([...draft.objects.keys()])]
    draft.form.stray = { before: random.chance(0.5) ? number : 0, text: bytesOfText(draft, '/Type/Page/Rotate 90', '') }
  }),
  on('an object in the data of another', 'maybe', (draft) => {
    const [page] = pagesIn(draft)
    if (!page) return false
    const inner = `endstream\nendobj\n${page.number} 0 obj\n<</Type/Page/Parent 2 0 R/Rotate 90>>\nendobj\n`
    added(draft, pdfDictionary({}), bytesOf(inner))
  }),
  on('a trailer in the data of an object', 'maybe', (draft) => {
    added(draft, pdfDictionary({}), bytesOf('\ntrailer\n<</Root 3 0 R>>\n'))
  }),
  on('a comment that is an object', 'maybe', (draft) => {
    draft.form.head = '%PDF-1.7\n% 1 0 obj <</Type/Catalog>> endobj\n'
  }),
  on('a later revision', 'maybe', (draft, random) => {
    const page = random.pick(pagesIn(draft))
    draft.form.later = new Map([[page.number, { value: new Map(dictionaryIn(draft, page)).set('Rotate', 90) }]])
  }),
  on('an earlier revision that was another', 'maybe', (draft, random) => {
    const page = random.pick(pagesIn(draft))
    const now = dictionaryIn(draft, page)
    draft.form.later = new Map([[page.number, { value: now }]])
    draft.objects.get(page.number)!.value = new Map(now).set('Rotate', 90)
  }),
  on('a hybrid file', 'maybe', (draft, random) => {
    const page = random.pick(pagesIn(draft))
    draft.form.hidden = new Map([[page.number, { value: new Map(dictionaryIn(draft, page)).set('Rotate', 90) }]])
  }),
  on('objects of other numbers', 'no', (draft) => renumbered(draft)),
  on('a first page of its own', 'maybe', (draft) => {
    const pages = pagesIn(draft)
    const objects = [...draft.objects]
    const number = Math.max(...draft.objects.keys()) + 1
    const value = pdfDictionary({ Linearized: 1, L: 30_000, O: pages.at(-1)!.number, N: 2, T: 10, H: [1, 2], E: 5 })
    draft.objects = new Map([[number, { value }], ...objects])
    draft.form.linearized = number
  }),
  on('an unused object', 'no', (draft) => void added(draft, pdfText('nothing'))),
  on('other identifiers', 'no', (draft) => void draft.trailer.set('ID', [pdfText('a'), pdfText('b')])),
  on(
    'other information',
    'no',
    (draft) => void draft.trailer.set('Info', added(draft, pdfDictionary({ Title: pdfText('x') }))),
  ),
]

/** Reverses the order of the object numbers. */
function renumbered(draft: PdfDraft) {
  const last = Math.max(...draft.objects.keys()) + 1
  const moved = (value: PdfValue): PdfValue => {
    if (isReference(value)) return draft.objects.has(value.number) ? pdfReference(last - value.number) : value
    if (Array.isArray(value)) return value.map(moved)
    return isDictionary(value) ? new Map([...value].map(([key, item]) => [key, moved(item)])) : value
  }
  if ([...draft.objects.values()].some(({ raw }) => raw !== undefined) || draft.form.later || draft.form.hidden)
    return false
  const objects = [...draft.objects].map(
    ([number, object]) => [last - number, { ...object, value: moved(object.value) }] as const,
  )
  draft.trailer = new Map([...draft.trailer].map(([key, value]) => [key, moved(value)]))
  draft.objects = new Map(objects.toSorted(([a], [b]) => a - b))
  return true
}
