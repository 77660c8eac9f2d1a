import { deflateSync } from 'node:zlib'
import { bytesOf, latin1 } from '../bytes.ts'
import { pdfDictionary, pdfName, pdfReference, pdfText, type PdfValue } from '../pdf/pdf-value.ts'
import type { Random, Visibility } from './document-change.ts'
import { type DraftChange, on, pageAt, partsAt, textOf, putText, syntaxOf } from './draft-change.ts'
import { added, dictionaryIn } from './pdf-draft.ts'

/** Replaces the text of a content stream. */
const text = (name: string, visible: Visibility, change: (before: string, random: Random) => string): DraftChange =>
  on(name, visible, (draft, random) => {
    const part = random.pick(partsAt(draft, pageAt(draft, random)))
    const before = part && textOf(draft, part)
    if (!part || before === undefined) return false
    const after = change(before, random)
    putText(draft, part, after)
    return after !== before
  })

/** Splits a content stream; the second part gets further dictionary entries. */
const split = (name: string, visible: Visibility, entries: Record<string, PdfValue>, encode = (part: string) => part) =>
  on(name, visible, (draft, random) => {
    const page = pageAt(draft, random)
    const [part, ...rest] = partsAt(draft, page)
    const before = part && textOf(draft, part)
    if (!part || before === undefined) return false
    const lines = before.split('\n')
    const at = 1 + random.below(lines.length)
    putText(draft, part, `${lines.slice(0, at).join('\n')}\n`)
    const second = added(draft, pdfDictionary(entries), bytesOf(encode(lines.slice(at).join('\n'))))
    page.set('Contents', [part, second, ...rest])
    return at < lines.length
  })

export const contentChanges: DraftChange[] = [
  text('another digit', 'yes', (before) => before.replace('100 zl', '900 zl').replace('Umowa na 1', 'Umowa na 9')),
  text('a line less', 'maybe', (before, random) => {
    const lines = before.split('\n')
    return lines.toSpliced(random.below(lines.length), 1).join('\n')
  }),
  text('a white box', 'yes', (before) => `${before}\nq 1 1 1 rg 0 0 595 842 re f Q`),
  text('a byte', 'maybe', (before, random) => {
    const at = random.below(before.length)
    return `${before.slice(0, at)}${String.fromCharCode(33 + random.below(90))}${before.slice(at + 1)}`
  }),
  text('a blank more', 'maybe', (before, random) => {
    const at = random.below(before.length)
    return `${before.slice(0, at)} ${before.slice(at)}`
  }),
  text('text in no mode', 'yes', (before) => before.replace('BT ', 'BT 3 Tr ')),
  text('another layer', 'maybe', (before) => before.replace('/OC /Seen', '/OC /Unseen')),
  split('cut in two', 'maybe', {}),
  split('a compressed part', 'maybe', { Filter: pdfName('FlateDecode') }, (part) =>
    latin1(new Uint8Array(deflateSync(bytesOf(part)))),
  ),
  ...[
    'DCTDecode',
    'LZWDecode',
    'RunLengthDecode',
    'ASCII85Decode',
    'JPXDecode',
    'CCITTFaxDecode',
    'Crypt',
    'Fl',
    'X',
  ].map((filter) => split(`a part in ${filter}`, 'maybe', { Filter: pdfName(filter) })),
  split('a part of another file', 'maybe', { F: pdfText('other.txt') }),
  split('a part with a short filter', 'maybe', { F: pdfName('LZW') }),
  split('a part of another file that is compressed', 'maybe', { F: pdfText('x'), FFilter: pdfName('FlateDecode') }),
  split('a part with parameters of none', 'maybe', { DecodeParms: pdfDictionary({ Predictor: 12, Columns: 4 }) }),
  on('an empty part', 'maybe', (draft, random) => {
    const page = pageAt(draft, random)
    page.set('Contents', [...partsAt(draft, page), added(draft, pdfDictionary({}), bytesOf('\n'))])
  }),
  on('a part twice', 'maybe', (draft, random) => {
    const page = pageAt(draft, random)
    const parts = partsAt(draft, page)
    page.set('Contents', [...parts, ...parts])
  }),
  on('an invalid part', 'maybe', (draft, random) => {
    const page = pageAt(draft, random)
    page.set('Contents', [
      ...partsAt(draft, page),
      random.pick<PdfValue>([null, pdfReference(9000), [], 7, pdfReference(1)]),
    ])
  }),
  on('parts in another order', 'maybe', (draft, random) => {
    const page = pageAt(draft, random)
    const parts = partsAt(draft, page)
    page.set('Contents', parts.toReversed())
    return parts.length > 1
  }),
  on('parts as one', 'maybe', (draft, random) => {
    const page = pageAt(draft, random)
    const texts = partsAt(draft, page).map((part) => textOf(draft, part) ?? '')
    page.set('Contents', added(draft, pdfDictionary({}), bytesOf(texts.join(random.pick(['', '\n'])))))
    return texts.length > 1
  }),
  on('a part of another generation', 'maybe', (draft, random) => {
    const page = pageAt(draft, random)
    const [part] = partsAt(draft, page)
    if (!part) return false
    page.set('Contents', pdfReference(part.number, 1))
  }),
  on('the parameters of a predictor', 'maybe', (draft, random) => {
    const [part] = partsAt(draft, pageAt(draft, random))
    const before = part && textOf(draft, part)
    if (!part || before === undefined) return false
    const columns = random.pick([1, 4, 7])
    const padded = before.padEnd(Math.ceil(before.length / columns) * columns)
    const rows = Array.from(
      { length: padded.length / columns },
      (_, i) => `\0${padded.slice(i * columns, (i + 1) * columns)}`,
    )
    putText(draft, part, '')
    const object = draft.objects.get(part.number)!
    object.data = new Uint8Array(deflateSync(bytesOf(rows.join(''))))
    const given = pdfDictionary({ Predictor: random.pick([10, 15]), Columns: columns })
    dictionaryIn(draft, part)
      .set('Filter', random.pick<PdfValue>([pdfName('FlateDecode'), [pdfName('FlateDecode')]]))
      .set('DecodeParms', random.pick<PdfValue>([given, [given]]))
    if (random.chance(0.5)) return
    const key = random.pick(['Predictor', 'Columns'])
    object.raw = syntaxOf(object).replace(new RegExp(`/${key} \\d+`), '$&.0')
  }),
]
