import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { exhaustive } from '../../server/testing/breadth.ts'
import { bytesOf, latin1 } from '../bytes.ts'
import { pdfDictionary, pdfName, pdfReference, pdfSyntax, pdfText, type PdfValue } from '../pdf/pdf-value.ts'
import { changedDocument } from '../testing/changed-documents.ts'
import { randomOf, type Visibility } from '../testing/document-change.ts'
import { draftChanges } from '../testing/draft-changes.ts'
import { contractPdf, fileOf, signPdf } from '../testing/pades-authorities.ts'
import {
  added,
  catalogIn,
  dictionaryIn,
  draftOf,
  resolved,
  pagesIn,
  writtenDraft,
  type PdfDraft,
} from '../testing/pdf-draft.ts'
import { issuedDocuments, richDocument } from '../testing/rich-document.ts'
import { signVisibly } from '../testing/visible-signature.ts'
import { outcomeOf } from '../testing/pades-outcome.ts'

const rich = richDocument()

/** Rewritten with a change and then signed; without the change it would be accepted. */
async function rewritten(change: (draft: PdfDraft) => void, issued = rich) {
  const draft = draftOf(issued)
  change(draft)
  const file = writtenDraft(draft)
  return outcomeOf(signPdf(file), issued)
}

const accepted = { verdict: 'accepted', match: 'same-content' }
const different = { verdict: 'refused', match: 'other' }

test('R98 R100 a file that is only rewritten is accepted', async () => {
  expect(await rewritten(() => {})).toMatchObject(accepted)
  expect(await rewritten((draft) => void (draft.form.compressed = true))).toMatchObject(accepted)
  const deflated = (draft: PdfDraft) => {
    for (const object of draft.objects.values())
      if (object.data && object.value instanceof Map && !object.value.has('Filter')) {
        object.data = new Uint8Array(deflateSync(object.data))
        object.value.set('Filter', pdfName('FlateDecode'))
      }
  }
  expect(await rewritten(deflated)).toMatchObject(accepted)
})

/** Each change alone; those whose visibility depends on the file are tested with documents instead. */
const changesOf = (visible: Visibility) => draftChanges.filter((change) => change.visible === visible)

async function verdictsOf(change: (typeof draftChanges)[number]) {
  const verdicts = new Set<string>()
  for (const { bytes } of issuedDocuments())
    for (const seed of [1, 2]) {
      const draft = draftOf(bytes)
      if (!change.make(draft, randomOf(seed))) continue
      const file = writtenDraft(draft)
      verdicts.add((await outcomeOf(signedIfPossible(file), bytes)).verdict)
    }
  return [...verdicts]
}

function signedIfPossible(file: Uint8Array) {
  try {
    return signPdf(file)
  } catch {
    return file
  }
}

test.each(changesOf('yes').map((change) => [change.name, change] as const))(
  'R98 a file rewritten with a visible change is refused: %s',
  async (_, change) => {
    expect(await verdictsOf(change)).toEqual(['refused'])
  },
)

test.each(changesOf('no').map((change) => [change.name, change] as const))(
  'R98 R100 a file rewritten with an invisible change is accepted: %s',
  async (_, change) => {
    expect(await verdictsOf(change)).toEqual(['accepted'])
  },
)

test.runIf(exhaustive)(
  'R98 of many changed documents none is accepted that shows something else, and none refused that shows the same',
  async () => {
    const wrong: string[] = []
    for (const { bytes, name } of issuedDocuments())
      for (let seed = 0; seed < 1000; seed++) {
        const { bytes: file, visible, what } = changedDocument(bytes, seed)
        const { verdict } = await outcomeOf(file, bytes)
        if ((visible === 'yes') === (verdict === 'accepted') && visible !== 'maybe')
          wrong.push(`${name} ${seed} ${what}`)
      }
    expect(wrong).toEqual([])
  },
)

const firstPage = (draft: PdfDraft) => dictionaryIn(draft, pagesIn(draft)[0])

const fakes: [string, Record<string, PdfValue>][] = [
  ['a text', { Subtype: pdfName('FreeText') }],
  ['a stamp', { Subtype: pdfName('Stamp') }],
  ['a widget', { Subtype: pdfName('Widget') }],
  ['a widget with a value', { Subtype: pdfName('Widget'), V: pdfText('x') }],
  [
    'a widget with an empty dictionary as its value',
    { Subtype: pdfName('Widget'), T: pdfText('x'), V: pdfDictionary({}) },
  ],
]
test.each(fakes)('R98 an annotation that claims to be a signature is one of the page: %s', async (_, entries) => {
  for (const isInForm of [false, true]) {
    const { verdict } = await rewritten((draft) => {
      const page = firstPage(draft)
      const value = pdfDictionary({ Type: pdfName('Annot'), FT: pdfName('Sig'), Rect: [60, 700, 500, 790], ...entries })
      const reference = added(draft, value)
      page.set('Annots', [...(resolved(draft, page.get('Annots')) as PdfValue[]), reference])
      const form = dictionaryIn(draft, catalogIn(draft).get('AcroForm'))
      if (isInForm) form.set('Fields', [...(resolved(draft, form.get('Fields')) as PdfValue[]), reference])
    })
    expect(verdict).toBe('refused')
  }
})

test.each(['DCTDecode', 'LZWDecode', 'RunLengthDecode', 'JBIG2Decode', 'Crypt', 'Nothing'])(
  'R98 a part of a page in %s is not the part that it looks like undecoded',
  async (filter) => {
    const cut = (draft: PdfDraft) => {
      const [line] = contractLines(draft)
      const rest = added(draft, pdfDictionary({ Filter: pdfName(filter) }), bytesOf(line))
      firstPage(draft).set('Contents', [pdfReference(4), rest])
    }
    expect(await rewritten(cut, contractPdf())).toMatchObject(different)
    const whole = (draft: PdfDraft) => dictionaryIn(draft, pdfReference(4)).set('Filter', pdfName(filter))
    expect(await rewritten(whole, contractPdf())).toMatchObject(different)
  },
)

/** Takes the second half of the only line away from the page's content, and gives it. */
function contractLines(draft: PdfDraft): [string] {
  const object = draft.objects.get(4)!
  const before = latin1(object.data!)
  object.data = bytesOf(before.slice(0, 20))
  return [before.slice(20)]
}

test.each<[string, Record<string, PdfValue>]>([
  ['another file', { F: pdfText('other.txt') }],
  ['another file, with its filter', { F: pdfText('x'), FFilter: pdfName('FlateDecode') }],
  ['a filter in short', { F: pdfName('LZW') }],
  ['parameters in short', { DP: pdfDictionary({ Predictor: 12 }) }],
])('R98 data of %s are refused in any stream', async (_, entries) => {
  const change = (number: number) => (draft: PdfDraft) => {
    const dictionary = dictionaryIn(draft, pdfReference(number))
    for (const [key, value] of Object.entries(entries)) dictionary.set(key, value)
  }
  for (const number of [8, 12, 17, 26]) expect(await rewritten(change(number))).toMatchObject({ verdict: 'refused' })
})

test.each<[string, PdfValue]>([
  ['BlackIs1', false],
  ['K', 0],
  ['Columns', 16],
  ['Rows', 4],
  ['EncodedByteAlign', true],
])('R98 a parameter of a filter that is left counts: %s', async (key, value) => {
  const change = (draft: PdfDraft) => {
    const given = dictionaryIn(draft, dictionaryIn(draft, pdfReference(13)).get('DecodeParms'))
    given.set(key, value)
  }
  expect(await rewritten(change)).toMatchObject({ ...different, codes: ['other-document'] })
})

test('R98 no two structures are taken for one: pages and parts that were merged or cut elsewhere', async () => {
  const [first, second] = ['BT /F1 12 Tf 72 700 Td (raz) Tj ET\n', 'BT /F1 12 Tf 72 600 Td (dwa) Tj ET\n']
  const issued = fileOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 595 842]/Resources<<>>>>',
    '<</Type/Page/Parent 2 0 R/Contents 5 0 R>>',
    '<</Type/Page/Parent 2 0 R/Contents 6 0 R>>',
    [`<</Length ${first.length}>>`, first],
    [`<</Length ${second.length}>>`, second],
  ])
  const merged = (separator: string) => (draft: PdfDraft) => {
    const tree = dictionaryIn(draft, pdfReference(2))
    tree.set('Kids', [pdfReference(3)]).set('Count', 1)
    draft.objects.get(5)!.data = bytesOf(`${first}${separator}${second}`)
  }
  for (const separator of ['', '\n', '\n\npage\n', '\npage\n'])
    expect(await rewritten(merged(separator), issued)).toMatchObject({ ...different, codes: ['other-document'] })
  const moved = (draft: PdfDraft) => {
    draft.objects.get(5)!.data = bytesOf(`${first}${second}`)
    draft.objects.get(6)!.data = new Uint8Array()
  }
  expect(await rewritten(moved, issued)).toMatchObject(different)
})

test('R98 a placeholder cannot be forged as a value', async () => {
  const forged = (draft: PdfDraft) => firstPage(draft).set('Thumb', pdfText('(page 0)'))
  expect(await rewritten(forged)).toMatchObject(different)
  const circle = (draft: PdfDraft) => dictionaryIn(draft, pdfReference(29)).set('Parent', pdfText('(circle)'))
  expect(await rewritten(circle)).toMatchObject(different)
})

test('R98 of two layers with one name the other one is meant', async () => {
  const change = (draft: PdfDraft) => {
    const layers = dictionaryIn(draft, dictionaryIn(draft, pdfReference(5)).get('Properties'))
    layers.set('Seen', pdfReference(16)).set('Unseen', pdfReference(15))
  }
  expect(await rewritten(change)).toMatchObject(different)
  const both = (draft: PdfDraft) => {
    const layers = dictionaryIn(draft, dictionaryIn(draft, pdfReference(5)).get('Properties'))
    layers.set('Seen', pdfReference(16))
  }
  expect(await rewritten(both)).toMatchObject(different)
})

test.each<[string, (draft: PdfDraft) => unknown]>([
  ['up by /Parent', (draft) => firstPage(draft).set('Parent', pdfReference(2))],
  ['along by /Count', (draft) => dictionaryIn(draft, pdfReference(2)).set('Count', 1)],
  ['of a root that has a parent', (draft) => dictionaryIn(draft, pdfReference(2)).set('Parent', pdfReference(3))],
  ['of a wrong type', (draft) => dictionaryIn(draft, pdfReference(3)).set('Type', pdfName('Page'))],
  ['of another generation', (draft) => firstPage(draft).set('Contents', pdfReference(7, 1))],
  ['in a real that is whole', (draft) => (draft.objects.get(12)!.raw = realOf(draft, 12))],
  ['in a hybrid file', (draft) => (draft.form.hidden = turned(draft))],
  ['in an object of no table', (draft) => (draft.form.stray = { before: 9, text: '4 0 obj\n<<>>\nendobj\n' })],
  ['in an object before', (draft) => (draft.form.stray = { before: 4, text: '4  0\tobj\n<<>>\nendobj\n' })],
  ['in the data of an object', (draft) => added(draft, pdfDictionary({}), bytesOf('endstream endobj 4 0 obj <<>>'))],
  ['in a trailer of its own', (draft) => added(draft, pdfDictionary({}), bytesOf('\ntrailer <</Root 4 0 R>>'))],
])('R98 a file in which readers would see different things is refused: %s', async (_, change) => {
  expect(await rewritten((draft) => void change(draft))).toMatchObject({ verdict: 'refused' })
})

const turned = (draft: PdfDraft) => new Map([[4, { value: new Map(firstPage(draft)).set('Rotate', 90) }]])

const realOf = (draft: PdfDraft, number: number) =>
  pdfSyntax(dictionaryIn(draft, pdfReference(number))).replace('/BitsPerComponent 8', '/BitsPerComponent 8.0')

test('R98 a first page that a linearized file names itself is refused', async () => {
  const draft = draftOf(rich)
  const number = added(draft, pdfDictionary({})).number
  const linearized = (length: number) => pdfDictionary({ Linearized: 1, L: length, O: 6, N: 3, T: 10, H: [1, 2], E: 5 })
  draft.objects = new Map([
    [number, { value: linearized(30_000) }],
    ...[...draft.objects].filter(([key]) => key !== number),
  ])
  const { length } = signPdf(writtenDraft(draft))
  draft.objects.set(number, { value: linearized(length) })
  const file = signPdf(writtenDraft(draft))
  expect(file).toHaveLength(length)
  expect(await outcomeOf(file, rich)).toMatchObject(different)
})

test.each<[string, PdfValue]>([
  ['NeedAppearances', true],
  ['DA', pdfText('/F1 30 Tf 1 0 0 rg')],
  ['DR', pdfDictionary({ Font: pdfDictionary({ F1: pdfReference(11) }) })],
  ['Q', 2],
  ['CO', [pdfReference(21)]],
])('R98 the form counts: /%s', async (key, value) => {
  const change = (draft: PdfDraft) => void dictionaryIn(draft, catalogIn(draft).get('AcroForm')).set(key, value)
  expect(await rewritten(change)).toMatchObject({ verdict: 'refused' })
})

test.each(['apart', 'below', 'inherited'] as const)(
  'R100 a rewritten file is accepted with a signature whose field and widget are put together %s',
  async (shape) => {
    for (const issued of [contractPdf(), rich]) {
      const draft = draftOf(issued)
      const signed = signVisibly(writtenDraft({ ...draft, form: { compressed: false, head: '%PDF-1.7\n%\n' } }), {
        shape,
        widgets: [{ rect: [0, 0, 0, 0] }],
      })
      expect(await outcomeOf(signed, issued)).toMatchObject(accepted)
    }
  },
)

test('R100 a field that waited for a signature may get it in a rewritten file, and nothing else', async () => {
  const filled = (entries: Record<string, PdfValue>) => {
    const file = writtenDraft({ ...draftOf(rich), form: { head: '%PDF-1.7\n%\n' } })
    const field = { Type: pdfName('Annot'), Subtype: pdfName('Widget'), FT: pdfName('Sig'), T: pdfText('Klient'), F: 4 }
    return signVisibly(file, {
      widgets: [{ rect: [0, 0, 0, 0] }],
      extra: (pdf, first) => {
        const value = pdfReference(pdf.trailer.get('Size') as number)
        const own = { ...field, Rect: [350, 60, 540, 110], P: pdfReference(4), V: value, ...entries }
        return [
          { reference: pdfReference(24), value: pdfDictionary(own) },
          { reference: pdfReference(4), value: dictionaryIn(draftOf(pdf), pdfReference(4)) },
          {
            reference: pdfReference(20),
            value: new Map(dictionaryIn(draftOf(pdf), pdfReference(20))).set('SigFlags', 3),
          },
          { reference: pdfReference(first), value: null },
        ]
      },
    })
  }
  expect(await outcomeOf(filled({}), rich)).toMatchObject(accepted)
  expect(await outcomeOf(filled({ Rect: [60, 700, 540, 800] }), rich)).toMatchObject(different)
  expect(await outcomeOf(filled({ T: pdfText('Inny') }), rich)).toMatchObject({ verdict: 'refused' })
})
