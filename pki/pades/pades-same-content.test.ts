import { expect, test } from 'vitest'
import { bytesOf, latin1 } from '../bytes.ts'
import { pdfDictionary, pdfName, pdfReference, pdfText, type PdfValue } from '../pdf/pdf-value.ts'
import {
  changes,
  edited,
  packedStreams,
  randomOf,
  signedIfPossible,
  withData,
  type Edit,
} from '../testing/changed-documents.ts'
import { contract, fileOf, signPdf } from '../testing/pades-authorities.ts'
import { numbered, packedFile, rewrittenFile, stream, type PdfObject } from '../testing/pdf-objects.ts'
import { issuedDocuments, plainDocument, richDocument, type IssuedDocument } from '../testing/rich-document.ts'
import { changed, valueIn, withEntry, judge } from '../testing/signed-contract.ts'
import { signVisibly } from '../testing/visible-signature.ts'

/** Writes the objects of a document in other bytes, signs them, and returns the outcome. */
const rewritten = (
  objects: readonly PdfObject[],
  { bytes, trailer } = richDocument,
  form: Parameters<typeof rewrittenFile>[1] = {},
) => judge(signedIfPossible(rewrittenFile(numbered(objects), { trailer, ...form })), bytes)

/** Replaces texts in the objects of a document, all of them required to occur, and returns the outcome of `rewritten`. */
function replaced(edits: readonly Edit[], added: readonly PdfObject[] = [], document = richDocument) {
  const objects = edited(document.objects, edits, added)
  expect(objects).toBeDefined()
  return rewritten(objects!, document)
}

const accepted = { verdict: 'accepted', match: 'same-content' }
const refused = { verdict: 'refused' }
const different = { verdict: 'refused', match: 'other' }

/** Gives other numbers to all objects but the first. */
function renumbered({ objects, trailer }: IssuedDocument) {
  const moved = (text: string) =>
    text.replace(/\b\d+(?= 0 R)/g, (found) => (found === '1' ? '1' : String(objects.length + 2 - Number(found))))
  const [first, ...others] = objects.map((object): PdfObject =>
    typeof object === 'string' ? moved(object) : [moved(object[0]), object[1]],
  )
  return { objects: [first!, ...others.toReversed()], trailer: moved(trailer) }
}

test.each(issuedDocuments())('R98 R100 $name: a file that is only rewritten is accepted', async (document) => {
  const { objects, bytes } = document
  expect(await rewritten(objects, document)).toMatchObject(accepted)
  expect(await rewritten(packedStreams(objects), document)).toMatchObject(accepted)
  expect(await judge(signPdf(packedFile(numbered(objects), document)), bytes)).toMatchObject(accepted)
  const others = renumbered(document)
  expect(await rewritten(others.objects, document, others)).toMatchObject(accepted)
  for (const trailer of ['/ID[<01><02>]', '/Info<</Title(x)>>'])
    expect(await rewritten(objects, document, { trailer })).toMatchObject(accepted)
})

/** Changes whose visibility depends on the file are left out; they need whole documents: `npm run drills changed-documents`. */
test.each(changes.flatMap((change) => (change[1] === 'maybe' ? [] : [[change[0], change[1], change] as const])))(
  'R98 R100 what a rewritten file shows decides on it: %s, visible: %s',
  async (_, visible, [, , edits, added]) => {
    const verdicts = new Set<string>()
    for (const document of issuedDocuments())
      for (const seed of [1, 2]) {
        const objects = edited(document.objects, edits, added, randomOf(seed).pick)
        if (objects) verdicts.add((await rewritten(objects, document)).verdict)
      }
    expect([...verdicts]).toEqual([visible === 'yes' ? 'refused' : 'accepted'])
  },
)

test.each(['DCTDecode', 'LZWDecode', 'RunLengthDecode', 'JBIG2Decode', 'Crypt', 'Nothing'])(
  'R98 a part of a page in %s is not the part that it looks like undecoded',
  async (filter) => {
    const content = contract[3] as [string, string]
    const [half, rest] = [content[1].slice(0, 20), content[1].slice(20)]
    const cut = plainDocument.objects.with(3, withData(content, half))
    const parts = edited(cut, [['/Contents 4 0 R', '/Contents[4 0 R @0 0 R]']], [stream(`/Filter/${filter}`, rest)])
    expect(await rewritten(parts!, plainDocument)).toMatchObject(different)
    expect(await replaced([['<</Length', `<</Filter/${filter}/Length`]], [], plainDocument)).toMatchObject(different)
  },
)

test.each(['/F(other.txt)', '/F(x)/FFilter/FlateDecode', '/F/LZW', '/DP<</Predictor 12>>'])(
  'R98 data of another file, or with short names, are refused in any stream: %s',
  async (entries) => {
    for (const number of [8, 12, 17, 26]) {
      const [dictionary, data] = richDocument.objects[number - 1] as [string, string]
      const objects = richDocument.objects.with(number - 1, [dictionary.replace('<<', `<<${entries}`), data])
      expect(await rewritten(objects)).toMatchObject(refused)
    }
  },
)

test.each<Edit>([
  ['/BlackIs1 true', '/BlackIs1 false'],
  ['/K -1', '/K 0'],
  ['/Columns 32', '/Columns 16'],
  ['/Rows 8', '/Rows 4'],
  ['/BlackIs1', '/EncodedByteAlign true/BlackIs1'],
])('R98 a parameter of a filter that is left counts: %s', async (from, to) => {
  expect(await replaced([[from, to]])).toMatchObject({ ...different, codes: ['other-document'] })
})

test('R98 no two structures are taken for one: pages and parts that were merged or cut elsewhere', async () => {
  const [first, second] = ['BT /F1 12 Tf 72 700 Td (raz) Tj ET\n', 'BT /F1 12 Tf 72 600 Td (dwa) Tj ET\n']
  const objects = (one: string, two: string, kids = '/Count 2/Kids[3 0 R 4 0 R]') => [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages${kids}/MediaBox[0 0 595 842]/Resources<<>>>>`,
    '<</Type/Page/Parent 2 0 R/Contents 5 0 R>>',
    '<</Type/Page/Parent 2 0 R/Contents 6 0 R>>',
    stream('', one),
    stream('', two),
  ]
  const document = { ...plainDocument, bytes: fileOf(objects(first, second)), trailer: '' }
  for (const separator of ['', '\n', '\n\npage\n', '\npage\n'])
    expect(
      await rewritten(objects(`${first}${separator}${second}`, second, '/Count 1/Kids[3 0 R]'), document),
    ).toMatchObject({ ...different, codes: ['other-document'] })
  expect(await rewritten(objects(`${first}${second}`, ''), document)).toMatchObject(different)
})

const refusals: [string, Edit[], PdfObject[]?][] = [
  ['a placeholder as a value', [['/Contents 7 0 R', '/Contents 7 0 R/Thumb((page 0))']]],
  ['a circle as a value', [['/Parent 28 0 R', '/Parent((circle))']]],
  ['the other of two layers with one name', [['/Seen 15 0 R/Unseen 16 0 R', '/Seen 16 0 R/Unseen 15 0 R']]],
  ['one of two layers with one name twice', [['/Seen 15 0 R', '/Seen 16 0 R']]],
  ['the form /NeedAppearances', [['<</Fields', '<</NeedAppearances true/Fields']]],
  ['the form /DA', [['/DA(/F1 12 Tf 0 g)/DR', '/DA(/F1 30 Tf 1 0 0 rg)/DR']]],
  ['the form /DR', [['/DR<</Font<</F1 10 0 R', '/DR<</Font<</F1 11 0 R']]],
  ['the form /Q', [['<</Fields', '<</Q 2/Fields']]],
  ['the form /CO', [['<</Fields', '<</CO[21 0 R]/Fields']]],
  ['up by /Parent', [['/Page/Parent 3 0 R', '/Page/Parent 2 0 R']]],
  ['along by /Count', [['/Count 3', '/Count 1']]],
  ['of a root that has a parent', [['/Count 3', '/Count 3/Parent 3 0 R']]],
  ['of a wrong type', [['/Type/Pages/Parent', '/Type/Page/Parent']]],
  ['of another generation', [['/Contents 7 0 R', '/Contents 7 1 R']]],
  ['in a real that is whole', [['/BitsPerComponent 8', '/BitsPerComponent 8.0']]],
  ['in the data of an object', [], [stream('', 'endstream endobj 4 0 obj <<>>')]],
  ['in a trailer of its own', [], [stream('', '\ntrailer <</Root 4 0 R>>')]],
]
test.each(refusals)('R98 what readers would see differently is refused: %s', async (_, edits, added) => {
  expect(await replaced(edits, added)).toMatchObject(refused)
})

test('R98 a file with objects that only some readers find is refused', async () => {
  const turned = String(richDocument.objects[3]).replace('/Contents', '/Rotate 90/Contents')
  for (const form of [
    { hidden: [[4, turned]] as const },
    { stray: { before: 9, text: '4 0 obj\n<<>>\nendobj\n' } },
    { stray: { before: 4, text: '4  0\tobj\n<<>>\nendobj\n' } },
  ])
    expect(await rewritten(richDocument.objects, richDocument, form)).toMatchObject(refused)
})

test('R98 a file with objects beyond its size, which some readers take for missing, is refused', async () => {
  const file = latin1(rewrittenFile(numbered(richDocument.objects), richDocument))
  const short = file.replace(/\/Size \d+/, '/Size 9')
  expect((await judge(bytesOf(short), richDocument.bytes)).details).toContain('it has objects beyond its size')
})

test('R98 a first page that a linearized file names itself is refused', async () => {
  const file = (length: number) => {
    const dictionary = `<</Linearized 1/L ${length}/O 6/N 3/T 10/H[1 2]/E 5>>`
    const { objects, trailer } = richDocument
    return signPdf(
      rewrittenFile([[objects.length + 1, dictionary], ...numbered(objects)], { trailer, head: '%PDF-1.7\n' }),
    )
  }
  const { length } = file(30_000)
  expect(file(length)).toHaveLength(length)
  expect(await judge(file(length), richDocument.bytes)).toMatchObject(different)
})

test.each(['apart', 'below', 'inherited'] as const)(
  'R100 a rewritten file is accepted with a signature whose field and widget are %s',
  async (shape) => {
    for (const { objects, trailer, bytes } of issuedDocuments()) {
      const file = rewrittenFile(numbered(objects), { trailer })
      expect(await judge(signVisibly(file, { shape, widgets: [{ rect: [0, 0, 0, 0] }] }), bytes)).toMatchObject(
        accepted,
      )
    }
  },
)
test('R100 a field that waited for a signature may get it in a rewritten file, and nothing else', async () => {
  const file = rewrittenFile(numbered(richDocument.objects), richDocument)
  const filled = (entries: Record<string, PdfValue>) =>
    signVisibly(file, {
      widgets: [{ rect: [0, 0, 0, 0] }],
      extra: (pdf, first) => {
        const V = pdfReference(pdf.trailer.get('Size') as number)
        const field = {
          Type: pdfName('Annot'),
          Subtype: pdfName('Widget'),
          FT: pdfName('Sig'),
          T: pdfText('Klient'),
          F: 4,
        }
        const own = { ...field, Rect: [350, 60, 540, 110], P: pdfReference(4), V, ...entries }
        return [
          changed(24, pdfDictionary(own)),
          changed(4, valueIn(file, 4)),
          withEntry(file, 20, 'SigFlags', 3),
          changed(first, null),
        ]
      },
    })
  expect(await judge(filled({}), richDocument.bytes)).toMatchObject(accepted)
  expect(await judge(filled({ Rect: [60, 700, 540, 800] }), richDocument.bytes)).toMatchObject(different)
  expect(await judge(filled({ T: pdfText('Inny') }), richDocument.bytes)).toMatchObject(refused)
})
