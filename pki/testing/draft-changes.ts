import { deflateSync, inflateSync } from 'node:zlib'
import { bytesOf, fromHex, latin1 } from '../pdf-bytes.ts'
import {
  isDictionary,
  isName,
  isReference,
  nameOf,
  pdfDictionary,
  pdfName,
  pdfReference,
  pdfSyntax,
  pdfText,
  type PdfDictionary,
  type PdfReference,
  type PdfValue,
} from '../pdf-value.ts'
import type { Random, Visibility } from './changed-documents.ts'
import { added, catalogIn, dictionaryIn, held, pagesIn, type DraftObject, type PdfDraft } from './pdf-draft.ts'

/** One change of a file that is written anew; says whether the file has what it changes. */
type DraftChange = { name: string; visible: Visibility; make: (draft: PdfDraft, random: Random) => boolean }

const on = (name: string, visible: Visibility, make: (draft: PdfDraft, random: Random) => unknown): DraftChange => ({
  name,
  visible,
  make: (draft, random) => make(draft, random) !== false,
})

const pageAt = (draft: PdfDraft, random: Random) => dictionaryIn(draft, random.pick(pagesIn(draft)))

/** The streams of a page's content. */
function partsAt(draft: PdfDraft, page: PdfDictionary): PdfReference[] {
  const contents = page.get('Contents')
  const list = held(draft, contents)
  return (Array.isArray(list) ? list : [contents ?? null]).filter(isReference)
}

function textOf(draft: PdfDraft, reference: PdfReference) {
  const { value, data } = draft.objects.get(reference.number)!
  if (!data || !isDictionary(value)) return undefined
  if (isName(value.get('Filter'), 'FlateDecode')) return latin1(new Uint8Array(inflateSync(data)))
  return value.has('Filter') ? undefined : latin1(data)
}

function putText(draft: PdfDraft, reference: PdfReference, text: string) {
  const object = draft.objects.get(reference.number)!
  object.data = bytesOf(text)
  object.value = new Map(
    [...dictionaryIn(draft, reference)].filter(([key]) => key !== 'Filter' && key !== 'DecodeParms'),
  )
}

/** A stream of a page's content becomes another text. */
const text = (name: string, visible: Visibility, change: (before: string, random: Random) => string): DraftChange =>
  on(name, visible, (draft, random) => {
    const part = random.pick(partsAt(draft, pageAt(draft, random)))
    const before = part && textOf(draft, part)
    if (!part || before === undefined) return false
    const after = change(before, random)
    putText(draft, part, after)
    return after !== before
  })

/** The content of a page is cut in two, with a dictionary for the second part. */
const split = (name: string, visible: Visibility, entries: Record<string, PdfValue>, pack = (part: string) => part) =>
  on(name, visible, (draft, random) => {
    const page = pageAt(draft, random)
    const [part, ...rest] = partsAt(draft, page)
    const before = part && textOf(draft, part)
    if (!part || before === undefined) return false
    const lines = before.split('\n')
    const at = 1 + random.below(lines.length)
    putText(draft, part, `${lines.slice(0, at).join('\n')}\n`)
    const second = added(draft, pdfDictionary(entries), bytesOf(pack(lines.slice(at).join('\n'))))
    page.set('Contents', [part, second, ...rest])
    return at < lines.length
  })

const objectsOf = (draft: PdfDraft, is: (value: PdfDictionary, data: Uint8Array | undefined) => boolean) =>
  [...draft.objects].filter(([, { value, data }]) => isDictionary(value) && is(value, data))

/** An entry of any object of a kind. */
const inKind = (
  name: string,
  visible: Visibility,
  is: (value: PdfDictionary) => boolean,
  change: (value: PdfDictionary, random: Random, draft: PdfDraft) => unknown,
) =>
  on(name, visible, (draft, random) => {
    const found = objectsOf(draft, is)
    if (found.length === 0) return false
    const [, { value }] = random.pick(found)
    return isDictionary(value) ? change(value, random, draft) : false
  })

/** Other syntax of any object that has what is looked for. */
const inSyntax = (name: string, from: RegExp, to: (found: string, random: Random) => string) =>
  on(name, 'maybe', (draft, random) => {
    const found = [...draft.objects.values()].filter((one) => from.test(syntaxOf(one)))
    if (found.length === 0) return false
    const object = random.pick(found)
    object.raw = syntaxOf(object).replace(from, (match) => to(match, random))
  })

function syntaxOf({ value, data, raw }: DraftObject) {
  return raw ?? pdfSyntax(data && isDictionary(value) ? new Map(value).set('Length', data.length) : value)
}

/** A hexadecimal string as a literal one, with some of its bytes written in another way. */
const literal =
  (from: string, ...ways: string[]) =>
  (hex: string, random: Random) =>
    `(${latin1(fromHex(bytesOf(hex.slice(1, -1)))!)
      .replace(/[()\\]/g, '\\$&')
      .replaceAll(from, () => random.pick(ways))})`

const isKind =
  (key: string, ...names: string[]) =>
  (value: PdfDictionary) =>
    names.includes(nameOf(value.get(key)) ?? '')
const isImage = isKind('Subtype', 'Image')
const isFont = isKind('Type', 'Font')
const isAnnotation = (value: PdfDictionary) => value.has('Rect')

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

const font = pdfDictionary({ Type: pdfName('Font'), Subtype: pdfName('Type1'), BaseFont: pdfName('Courier-Bold') })
const lie = 'q 1 1 1 rg 0 0 440 90 re f Q BT /F1 24 Tf 12 30 Td (Umowa na 1 zl) Tj ET'

function picture(draft: PdfDraft) {
  const resources = pdfDictionary({ Font: pdfDictionary({ F1: font }) })
  return added(
    draft,
    pdfDictionary({ Type: pdfName('XObject'), Subtype: pdfName('Form'), BBox: [0, 0, 440, 90], Resources: resources }),
    bytesOf(lie),
  )
}

/** An annotation over the price, which says of itself what the entries say. */
const annotation = (name: string, entries: Record<string, PdfValue>, { look = true, inForm = false } = {}) =>
  on(`an annotation: ${name}`, look ? 'yes' : 'maybe', (draft, random) => {
    const page = pageAt(draft, random)
    const value = pdfDictionary({ Type: pdfName('Annot'), Rect: [60, 700, 500, 790], F: 4, ...entries })
    if (look) value.set('AP', pdfDictionary({ N: picture(draft) }))
    const reference = added(draft, value)
    const list = held(draft, page.get('Annots'))
    page.set('Annots', [...(Array.isArray(list) ? list : []), reference])
    if (!inForm) return
    const form = formOf(draft)
    const fields = held(draft, form.get('Fields'))
    form.set('Fields', [...(Array.isArray(fields) ? fields : []), reference])
  })

function formOf(draft: PdfDraft) {
  const catalog = catalogIn(draft)
  if (!catalog.has('AcroForm')) catalog.set('AcroForm', pdfDictionary({ Fields: [] }))
  return dictionaryIn(draft, catalog.get('AcroForm'))
}

const inForm = (name: string, key: string, value: PdfValue) =>
  on(`the form: ${name}`, 'maybe', (draft) => void formOf(draft).set(key, value))

const inCatalog = (key: string, value: PdfValue, visible: Visibility = 'maybe') =>
  on(`the catalog: ${key}`, visible, (draft) => void catalogIn(draft).set(key, value))

const inPage = (key: string, value: PdfValue, visible: Visibility = 'maybe') =>
  on(`a page: ${key}`, visible, (draft, random) => void pageAt(draft, random).set(key, value))

const sig = { FT: pdfName('Sig') }
const widget = { Subtype: pdfName('Widget') }

const ofContent: DraftChange[] = [
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
  split('a part that is packed', 'maybe', { Filter: pdfName('FlateDecode') }, (part) =>
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
  split('a part of another file that is packed', 'maybe', { F: pdfText('x'), FFilter: pdfName('FlateDecode') }),
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
  on('a part that is none', 'maybe', (draft, random) => {
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

const ofPages: DraftChange[] = [
  on('pages in another order', 'yes', (draft) => {
    const root = dictionaryIn(draft, catalogIn(draft).get('Pages'))
    const kids = held(draft, root.get('Kids'))
    if (!Array.isArray(kids) || kids.length < 2) return false
    root.set('Kids', kids.toReversed())
  }),
  on('a page twice', 'yes', (draft) => {
    const root = dictionaryIn(draft, catalogIn(draft).get('Pages'))
    const kids = held(draft, root.get('Kids'))
    if (Array.isArray(kids)) root.set('Kids', [...kids, kids[0]!])
  }),
  on('a page less', 'yes', (draft) => {
    const root = dictionaryIn(draft, catalogIn(draft).get('Pages'))
    const kids = held(draft, root.get('Kids'))
    if (!Array.isArray(kids) || kids.length < 2) return false
    root.set('Kids', kids.slice(0, -1))
  }),
  on('another count', 'maybe', (draft, random) => {
    dictionaryIn(draft, catalogIn(draft).get('Pages')).set('Count', random.pick([0, 1, 7, 1.5]))
  }),
  on('another parent', 'maybe', (draft, random) => {
    const parent = pdfDictionary({
      Type: pdfName('Pages'),
      Kids: [],
      Count: 0,
      Rotate: 180,
      MediaBox: [0, 0, 200, 200],
    })
    pageAt(draft, random).set('Parent', added(draft, parent))
  }),
  on('a parent of all', 'maybe', (draft) => {
    const parent = pdfDictionary({ Type: pdfName('Pages'), Kids: [], Count: 0, Rotate: 180, CropBox: [0, 0, 200, 200] })
    dictionaryIn(draft, catalogIn(draft).get('Pages')).set('Parent', added(draft, parent))
  }),
  on('annotations of all pages', 'yes', (draft, random) => {
    const stamp = pdfDictionary({ Type: pdfName('Annot'), Subtype: pdfName('Stamp'), Rect: [60, 700, 500, 790], F: 4 })
    stamp.set('AP', pdfDictionary({ N: picture(draft) }))
    const root = dictionaryIn(draft, catalogIn(draft).get('Pages'))
    root.set('Annots', [added(draft, stamp)])
    for (const page of pagesIn(draft)) if (random.chance(0.5)) dictionaryIn(draft, page).delete('Annots')
  }),
  on('what a page inherits from no reader', 'maybe', (draft, random) => {
    const root = dictionaryIn(draft, catalogIn(draft).get('Pages'))
    root.set(random.pick(['UserUnit', 'TrimBox', 'Group']), random.pick<PdfValue>([3, [0, 0, 9, 9]]))
  }),
  inSyntax('a turn by a real', /\/Rotate -?\d+(?![\d.])/, (turn) => `${turn}.0`),
  on('a reference to a reference', 'maybe', (draft, random) => {
    const value = random.pick([pageAt(draft, random), catalogIn(draft), formOf(draft)])
    const key = random.pick([...value].filter(([, one]) => isReference(one)))?.[0]
    if (key === undefined) return false
    value.set(key, added(draft, value.get(key)!))
  }),
  on('no parent', 'maybe', (draft, random) => pageAt(draft, random).delete('Parent')),
  on('a page that is a node too', 'maybe', (draft, random) => void pageAt(draft, random).set('Kids', [])),
  on('no type', 'maybe', (draft, random) => pageAt(draft, random).delete('Type')),
  on('what is inherited stands in the page', 'no', (draft, random) => {
    const root = dictionaryIn(draft, catalogIn(draft).get('Pages'))
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

const ofResources: DraftChange[] = [
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
      const [, object] = [...draft.objects].find(([, one]) => one.value === value)!
      const number = `${pdfSyntax(value.get(key)!)}.0`
      const rest = [...value]
        .filter(([one]) => one !== key && one !== 'Length')
        .map(([one, item]) => `/${one} ${pdfSyntax(item)}`)
      object.raw = `<<${rest.join(' ')} /${key} ${number}${object.data && key !== 'Length' ? ` /Length ${object.data.length}` : ''}>>`
    },
  ),
  inKind(
    'fonts that changed places',
    'maybe',
    (value) => held2(value, 'Font') > 1,
    (value) => {
      const fonts = value.get('Font')
      if (!isDictionary(fonts)) return false
      const [first, second] = [...fonts.keys()]
      const [a, b] = [fonts.get(first!)!, fonts.get(second!)!]
      return fonts.set(first!, b).set(second!, a)
    },
  ),
  inKind(
    'layers that changed places',
    'maybe',
    (value) => held2(value, 'Properties') > 1,
    (value) => {
      const layers = value.get('Properties')
      if (!isDictionary(layers)) return false
      const [first, second] = [...layers.keys()]
      const [a, b] = [layers.get(first!)!, layers.get(second!)!]
      return layers.set(first!, b).set(second!, a)
    },
  ),
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
  inKind(
    'parameters in short',
    'maybe',
    (value) => value.has('Filter'),
    (value) => value.set('DP', pdfDictionary({ Predictor: 12, Columns: 3 })),
  ),
  inKind('data of an image', 'maybe', isImage, (value, random, draft) => {
    const [, object] = [...draft.objects].find(([, one]) => one.value === value)!
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

function held2(value: PdfDictionary, key: string) {
  const inner = value.get(key)
  return isDictionary(inner) ? inner.size : 0
}

const ofAnnotations: DraftChange[] = [
  annotation('a text that says it is a signature', { Subtype: pdfName('FreeText'), ...sig, Contents: pdfText('1 zl') }),
  annotation('a stamp that says it is a signature', { Subtype: pdfName('Stamp'), ...sig }),
  annotation('an unsigned signature', { ...widget, ...sig }),
  annotation('an unsigned signature of the form', { ...widget, ...sig, T: pdfText('x') }, { inForm: true }),
  annotation(
    'a signature of the form that is none',
    { ...widget, ...sig, T: pdfText('x'), V: pdfDictionary({ Type: pdfName('Sig') }) },
    { inForm: true },
  ),
  annotation(
    'a signature that is a text',
    { Subtype: pdfName('FreeText'), ...sig, T: pdfText('x'), V: pdfText('x') },
    { inForm: true },
  ),
  annotation('a text', { Subtype: pdfName('FreeText'), DA: pdfText('/Helv 20 Tf'), Contents: pdfText('1 zl') }),
  annotation(
    'a text without a look',
    { Subtype: pdfName('FreeText'), DA: pdfText('/Helv 20 Tf'), Contents: pdfText('1 zl') },
    { look: false },
  ),
  annotation('a square', { Subtype: pdfName('Square'), C: [1, 0, 0], IC: [1, 1, 1] }, { look: false }),
  annotation(
    'a highlight',
    { Subtype: pdfName('Highlight'), C: [1, 1, 0], QuadPoints: [60, 790, 500, 790, 60, 700, 500, 700] },
    { look: false },
  ),
  annotation('a text field', { ...widget, FT: pdfName('Tx'), T: pdfText('x'), V: pdfText('1 zl') }, { inForm: true }),
  annotation('of no kind', {}),
  annotation(
    'a link',
    { Subtype: pdfName('Link'), A: pdfDictionary({ S: pdfName('URI'), URI: pdfText('http://x') }) },
    { look: false },
  ),
  annotation('a watermark', { Subtype: pdfName('Watermark') }),
  inKind('an annotation hidden', 'maybe', isAnnotation, (value) => value.set('F', 2)),
  inKind('an annotation elsewhere', 'maybe', isAnnotation, (value) => value.set('Rect', [60, 600, 300, 700])),
  inKind(
    'an annotation in another state',
    'maybe',
    (value) => value.has('AS'),
    (value) => value.set('AS', pdfName('Yes')),
  ),
  inKind(
    'an annotation without a look',
    'maybe',
    (value) => value.has('AP'),
    (value) => value.delete('AP'),
  ),
  inKind('an annotation of another kind', 'maybe', isAnnotation, (value) => value.set('FT', pdfName('Sig'))),
  inKind(
    'a value',
    'maybe',
    (value) => value.has('V'),
    (value) => value.set('V', pdfText('Jan')),
  ),
  inKind(
    'annotations in another order',
    'maybe',
    (value) => Array.isArray(value.get('Annots')),
    (value) => {
      const list = value.get('Annots')
      return Array.isArray(list) && list.length > 1 && value.set('Annots', list.toReversed())
    },
  ),
  inKind(
    'an annotation less',
    'maybe',
    (value) => Array.isArray(value.get('Annots')),
    (value) => {
      const list = value.get('Annots')
      return Array.isArray(list) && value.set('Annots', list.slice(1))
    },
  ),
  inKind('an annotation in a layer', 'maybe', isAnnotation, (value, _, draft) =>
    value.set('OC', added(draft, pdfDictionary({ Type: pdfName('OCMD'), P: pdfName('AllOff') }))),
  ),
]

const ofDocument: DraftChange[] = [
  inForm('new looks', 'NeedAppearances', true),
  inForm('a default', 'DA', pdfText('/F1 30 Tf 1 0 0 rg')),
  inForm('alignment', 'Q', 2),
  inForm('fonts', 'DR', pdfDictionary({ Font: pdfDictionary({ F1: font, Helv: font }) })),
  inForm('a program', 'XFA', pdfText('<xdp/>')),
  inForm('an order', 'CO', []),
  inForm('no fields', 'Fields', []),
  inCatalog('OpenAction', [pdfReference(3), pdfName('XYZ'), 0, 0, 8]),
  inCatalog('PageMode', pdfName('FullScreen')),
  inCatalog('PageLayout', pdfName('TwoColumnLeft')),
  inCatalog('PageLabels', pdfDictionary({ Nums: [0, pdfDictionary({ S: pdfName('r') })] })),
  inCatalog('ViewerPreferences', pdfDictionary({ Direction: pdfName('R2L') })),
  inCatalog('Lang', pdfText('de')),
  inCatalog('Version', pdfName('1.7'), 'no'),
  inCatalog('Metadata', pdfReference(9000), 'no'),
  inCatalog('OutputIntents', [pdfDictionary({ S: pdfName('GTS_PDFA1'), OutputConditionIdentifier: pdfText('x') })]),
  inCatalog('Collection', pdfDictionary({ View: pdfName('D') })),
  inCatalog('Names', pdfDictionary({ Dests: pdfDictionary({ Names: [] }) })),
  inCatalog('Threads', []),
  inCatalog('StructTreeRoot', pdfDictionary({ Type: pdfName('StructTreeRoot') })),
  inCatalog('OCProperties', pdfDictionary({ OCGs: [], D: pdfDictionary({ BaseState: pdfName('OFF') }) })),
  on('layers on and off', 'maybe', (draft) => {
    const layers = held(draft, catalogIn(draft).get('OCProperties'))
    const usual = isDictionary(layers) ? layers.get('D') : undefined
    if (!isDictionary(usual)) return false
    const [seen, unseen] = [usual.get('ON') ?? [], usual.get('OFF') ?? []]
    usual.set('ON', unseen).set('OFF', seen)
  }),
  on('layers seen by an event', 'maybe', (draft) => {
    const layers = held(draft, catalogIn(draft).get('OCProperties'))
    const usual = isDictionary(layers) ? layers.get('D') : undefined
    if (!isDictionary(usual)) return false
    usual.set('AS', [pdfDictionary({ Event: pdfName('View'), Category: [pdfName('View')], OCGs: [pdfReference(16)] })])
  }),
]

const bytesOfText = (draft: PdfDraft, from: string, to: string) =>
  `4 0 obj\n<<${from}>>\nendobj\n${to}`.replace('4 0', `${Math.max(...draft.objects.keys())} 0`)

const ofSyntax: DraftChange[] = [
  inSyntax('line ends in a string', /<(?:[\da-f]{2})*?0a(?:[\da-f]{2})*>/, literal('\n', '\r', '\r\n')),
  inSyntax('a number in a string that is no byte', /<(?:[\da-f]{2})*?ff(?:[\da-f]{2})*>/, literal('\xff', '\\777')),
  on('a cross-reference stream of reals', 'maybe', (draft) => {
    draft.form.packed = true
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

/** Each object gets the number that is as far from the end as its own from the beginning. */
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

export const draftChanges: DraftChange[] = [
  ...ofContent,
  ...ofPages,
  ...ofResources,
  ...ofAnnotations,
  ...ofDocument,
  ...ofSyntax,
]
