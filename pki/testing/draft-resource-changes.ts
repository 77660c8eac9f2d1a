import { bytesOf } from '../bytes.ts'
import {
  isDictionary,
  isName,
  pdfDictionary,
  pdfName,
  pdfSyntax,
  type PdfDictionary,
  type PdfValue,
} from '../pdf/pdf-value.ts'
import { type DraftChange, inKind, isKind, objectWith, hasKey } from './draft-change.ts'
import { added } from './pdf-draft.ts'

const isImage = isKind('Subtype', 'Image')

const isFont = isKind('Type', 'Font')

const imageEntries: [string, PdfValue][] = [
  ['Decode', [1, 0]],
  ['ImageMask', true],
  ['BitsPerComponent', 4],
  ['ColorSpace', pdfName('DeviceRGB')],
  ['Width', 4],
  ['Height', 4],
  ['Mask', [0, 40]],
  ['Interpolate', true],
  ['D', [1, 0]],
  ['BPC', 1],
  ['W', 4],
  ['Intent', pdfName('Perceptual')],
]

const parameters: [string, PdfValue][] = [
  ['BlackIs1', false],
  ['K', 0],
  ['Columns', 16],
  ['Rows', 4],
  ['EncodedByteAlign', true],
  ['EndOfBlock', false],
  ['Predictor', 12],
  ['Colors', 3],
]

function sizeOf(value: PdfDictionary, key: string) {
  const inner = value.get(key)
  return isDictionary(inner) ? inner.size : 0
}

/** Exchanges the first two entries of a dictionary that another one contains. */
const swapped = (name: string, key: string) =>
  inKind(
    name,
    'maybe',
    (value) => sizeOf(value, key) > 1,
    (value) => {
      const entries = value.get(key)
      if (!isDictionary(entries)) return false
      const [[first, a], [second, b]] = [...entries] as [[string, PdfValue], [string, PdfValue]]
      return entries.set(first, b).set(second, a)
    },
  )
export const resourceChanges: DraftChange[] = [
  inKind('a font', 'yes', isFont, (value) => {
    if (isName(value.get('BaseFont'), 'Symbol')) return false
    return value.set('BaseFont', pdfName('Symbol'))
  }),
  inKind('widths', 'maybe', isFont, (value) =>
    value
      .set('FirstChar', 32)
      .set('LastChar', 126)
      .set(
        'Widths',
        Array.from({ length: 95 }, () => 900),
      ),
  ),
  inKind('an encoding', 'maybe', isFont, (value, random) =>
    value.set('Encoding', pdfDictionary({ Differences: [48 + random.below(10), pdfName('nine'), pdfName('one')] })),
  ),
  inKind('a text mapping', 'maybe', isFont, (value, _, draft) =>
    value.set('ToUnicode', added(draft, pdfDictionary({}), bytesOf('begincmap endcmap'))),
  ),
  inKind(
    'a wide real',
    'maybe',
    (value) => [...value.values()].some((item) => Number.isInteger(item)),
    (value, random, draft) => {
      const key = random.pick([...value].filter(([, item]) => Number.isInteger(item)))[0]
      const object = objectWith(draft, value)
      const number = `${pdfSyntax(value.get(key)!)}.0`
      const rest = [...value]
        .filter(([name]) => name !== key && name !== 'Length')
        .map(([name, item]) => `/${name} ${pdfSyntax(item)}`)
      object.raw = `<<${rest.join(' ')} /${key} ${number}${object.data && key !== 'Length' ? ` /Length ${object.data.length}` : ''}>>`
    },
  ),
  swapped('fonts that changed places', 'Font'),
  swapped('layers that changed places', 'Properties'),
  inKind('a soft mask', 'maybe', isKind('Type', 'ExtGState'), (value, random) =>
    random.chance(0.5) ? value.set('ca', 0) : value.set('BM', pdfName('Difference')),
  ),
  ...imageEntries.map(([key, entry]) => inKind(`an image: ${key}`, 'maybe', isImage, (value) => value.set(key, entry))),
  ...parameters.map(([key, entry]) =>
    inKind(
      `a filter: ${key}`,
      'maybe',
      (value) => value.has('Filter') && isImage(value),
      (value) => {
        const given = value.get('DecodeParms')
        return value.set('DecodeParms', new Map(isDictionary(given) ? given : []).set(key, entry))
      },
    ),
  ),
  inKind('parameters in short', 'maybe', hasKey('Filter'), (value) =>
    value.set('DP', pdfDictionary({ Predictor: 12, Columns: 3 })),
  ),
  inKind('data of an image', 'maybe', isImage, (value, random, draft) => {
    const object = objectWith(draft, value)
    const data = object.data?.slice()
    if (!data || data.length < 3) return false
    data[random.below(data.length)]! ^= 0xff
    object.data = data
  }),
  inKind('the box of a form', 'maybe', isKind('Subtype', 'Form'), (value) => value.set('BBox', [0, 0, 5, 5])),
  inKind('the matrix of a form', 'maybe', isKind('Subtype', 'Form'), (value) =>
    value.set('Matrix', [1, 0, 0, 1, 50, 0]),
  ),
  inKind('a form in a layer', 'maybe', isKind('Subtype', 'Form'), (value, _, draft) =>
    value.set('OC', added(draft, pdfDictionary({ Type: pdfName('OCMD'), P: pdfName('AllOff') }))),
  ),
]
