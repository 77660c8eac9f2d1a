import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bytesOf, latin1 } from '../bytes.ts'
import { pdfDictionary, pdfName, pdfReference, pdfSyntax, pdfText } from '../pdf/pdf-value.ts'
import { appendUpdate, type NewObject } from '../pdf/pdf-write.ts'
import { contract, contractPdf, fileOf, signPdf } from '../testing/pades-authorities.ts'
import { exhaustive } from '../../server/testing/breadth.ts'
import { processorTime } from '../testing/processor-time.ts'
import { added, dictionaryIn, draftOf, opened, writtenDraft, type PdfDraft } from '../testing/pdf-draft.ts'
import { signVisibly } from '../testing/visible-signature.ts'
import { outcomeOf } from '../testing/pades-outcome.ts'

/** Rewritten with a change and then signed. */
function rewritten(issued: Uint8Array, change: (draft: PdfDraft) => unknown) {
  const draft = draftOf(issued)
  change(draft)
  return outcomeOf(signPdf(writtenDraft(draft)), issued)
}

/** An object in syntax that values cannot have. */
function edited(draft: PdfDraft, number: number, from: string, to: string) {
  const object = draft.objects.get(number)!
  const value = object.data
    ? new Map(dictionaryIn(draft, pdfReference(number))).set('Length', object.data.length)
    : null
  object.raw = pdfSyntax(value ?? object.value).replace(from, to)
  expect(object.raw).toContain(to)
}

const plain = contractPdf()
const changed = (number: number, from: string, to: string) =>
  fileOf(
    contract.map((object, index) => (index === number - 1 ? String(object).replace(from, to) : object)),
    '/Info 7 0 R',
  )
const accepted = { verdict: 'accepted' }
const refused = { verdict: 'refused' }

/** The page's content in rows of a predictor, with its parameters in the given syntax. */
const predicted = (edit: (parameters: string) => string) => (draft: PdfDraft) => {
  const object = draft.objects.get(4)!
  const columns = object.data!.length
  object.data = new Uint8Array(deflateSync(Uint8Array.from([0, ...object.data!])))
  const parameters = { Predictor: 15, Colors: 1, BitsPerComponent: 8, Columns: columns, EarlyChange: 1 }
  dictionaryIn(draft, pdfReference(4))
    .set('Filter', pdfName('FlateDecode'))
    .set('DecodeParms', pdfDictionary(parameters))
  const before = pdfSyntax(pdfDictionary(parameters))
  edited(draft, 4, before, edit(before))
}

test.each(['Predictor', 'Colors', 'BitsPerComponent', 'Columns', 'EarlyChange'])(
  'R98 a parameter of a decoded filter must not be a real number: %s',
  async (key) => {
    expect(
      await rewritten(
        plain,
        predicted((text) => text),
      ),
    ).toMatchObject(accepted)
    const real = predicted((text) => text.replace(new RegExp(`/${key} \\d+`), '$&.0'))
    expect(await rewritten(plain, real)).toMatchObject(refused)
  },
)

test('R98 a page is not turned by a real, wherever it is turned', async () => {
  const own = changed(3, '/Contents', '/Rotate 90/Contents')
  const ofTree = changed(2, '/Count', '/Rotate 90/Count')
  for (const [issued, number] of [
    [own, 3],
    [ofTree, 2],
  ] as const) {
    expect(await rewritten(issued, () => {})).toMatchObject(accepted)
    // The signer rewrites the page itself.
    if (number === 2)
      expect(await rewritten(issued, (draft) => edited(draft, number, '/Rotate 90', '/Rotate 90.0'))).toMatchObject(
        refused,
      )
    const apart = (raw: string) => (draft: PdfDraft) => {
      const reference = added(draft, 90)
      draft.objects.get(reference.number)!.raw = raw
      dictionaryIn(draft, pdfReference(number)).set('Rotate', reference)
    }
    expect(await rewritten(issued, apart('90'))).toMatchObject(accepted)
    expect(await rewritten(issued, apart('90.'))).toMatchObject(refused)
  }
})

test('R98 an object that is nothing but a reference is read by some and not by others', async () => {
  const twice = (draft: PdfDraft) =>
    dictionaryIn(draft, pdfReference(3)).set('Contents', added(draft, added(draft, [pdfReference(4)])))
  expect(await rewritten(plain, twice)).toMatchObject(refused)
})

test('R48 R98 a page that is turned by a real in an increment is refused', async () => {
  const issued = changed(3, '/Contents', '/Rotate 90/Contents')
  const again = (syntax: string) =>
    signVisibly(issued, {
      widgets: [{ rect: [0, 0, 0, 0] }],
      extra: (pdf) => [
        {
          reference: pdfReference(3),
          // With its original syntax, which values do not have.
          value: new Map(dictionaryIn(draftOf(pdf), pdfReference(3))).set('Rotate', {
            kind: 'reference',
            number: `${syntax} /Xx 9` as unknown as number,
            generation: 0,
          }),
        },
      ],
    })
  expect((await outcomeOf(again('90'), issued)).details.join()).toContain('/Xx')
  expect((await outcomeOf(again('90.0'), issued)).details.join()).toContain('/Rotate')
})

test.each([
  ['W', '/Type /XRef /W [1 4 2]', '/Type/XRef/W[1. 4. 2.]'],
  ['Size', /\/Size (\d+) \/Type \/XRef/, '/Size $1./Type/XRef '],
] as const)('R98 a cross-reference stream is built of integers: %s', async (_, from, to) => {
  const draft = draftOf(plain)
  draft.form.compressed = true
  const file = latin1(writtenDraft(draft))
  const real = file.replace(from, to)
  expect(real).not.toBe(file)
  expect(real).toHaveLength(file.length)
  expect((await outcomeOf(bytesOf(file), plain)).details.join()).not.toContain('bad number')
  expect((await outcomeOf(bytesOf(real), plain)).details.join()).toContain('number')
})

const picture = (draft: PdfDraft) =>
  added(
    draft,
    pdfDictionary({ Type: pdfName('XObject'), Subtype: pdfName('Form'), BBox: [0, 0, 440, 90] }),
    bytesOf('0 0 440 90 re f'),
  )

test('R98 the nodes of the page tree have nothing that a page would inherit from them in one reader alone', async () => {
  const onTree = (draft: PdfDraft) => {
    const stamp = { Type: pdfName('Annot'), Subtype: pdfName('Stamp'), Rect: [60, 700, 500, 790], F: 4 }
    const reference = added(draft, pdfDictionary({ ...stamp, AP: pdfDictionary({ N: picture(draft) }) }))
    dictionaryIn(draft, pdfReference(2)).set('Annots', [reference])
  }
  expect(await rewritten(plain, onTree)).toMatchObject(refused)
  for (const key of ['UserUnit', 'Contents', 'Group'])
    expect(
      await rewritten(plain, (draft) => dictionaryIn(draft, pdfReference(2)).set(key, pdfReference(4))),
    ).toMatchObject(refused)
})

const look = 'BT /F1 12 Tf 0 g 2 5 Td (100 zl) Tj ET'
const withField = (entries: string) =>
  fileOf(
    [
      ...contract.map((object, index) =>
        index === 5
          ? '<</Fields[8 0 R]>>'
          : index === 2
            ? String(object).replace('/Contents', '/Annots[8 0 R]/Contents')
            : object,
      ),
      `<</Type/Annot/Subtype/Widget${entries}/T(cena)/Rect[72 500 272 520]/F 4/AP<</N 9 0 R>>>>`,
      [`<</Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F1 5 0 R>>>>/Length ${look.length}>>`, look],
    ],
    '/Info 7 0 R',
  )

test.each(['/FT/Tx/V(100 zl)', '/FT/Ch/V(100 zl)', '/FT/Btn'])(
  'R98 R100 a form with fields to fill in gets no defaults, by which readers show their input: %s',
  async (entries) => {
    const issued = withField(entries)
    const DA = pdfText('/F1 300 Tf 1 1 1 rg')
    expect(await rewritten(issued, () => {})).toMatchObject(accepted)
    expect(await rewritten(issued, (draft) => dictionaryIn(draft, pdfReference(6)).set('DA', DA))).toMatchObject(
      refused,
    )
    const appended = (form: object) =>
      outcomeOf(signVisibly(issued, { widgets: [{ rect: [0, 0, 0, 0] }], form: { ...form } }), issued)
    expect(await appended({})).toMatchObject(accepted)
    expect(await appended({ DA })).toMatchObject(refused)
  },
)

test('R98 R100 a form with nothing but signatures gets defaults', async () => {
  const DA = pdfText('/F1 30 Tf 1 1 1 rg')
  expect(await rewritten(plain, (draft) => dictionaryIn(draft, pdfReference(6)).set('DA', DA))).toMatchObject(accepted)
})

const indexed = (lookup: string) => {
  const text = 'q 300 0 0 100 72 500 cm /Im Do Q'
  return fileOf([
    '<</Type/Catalog/Pages 2 0 R/AcroForm 5 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 595 842]>>',
    '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<</Im 6 0 R>>>>>>',
    [`<</Length ${text.length}>>`, text],
    '<</Fields[]>>',
    [
      `<</Type/XObject/Subtype/Image/Width 4/Height 1/BitsPerComponent 8/ColorSpace[/Indexed/DeviceRGB 1 ${lookup}]/Length 4>>`,
      '\0\x01\0\x01',
    ],
  ])
}

test.each([
  ['a line end of one byte', '(\nabcde)', '(\rabcde)'],
  ['a line end of two bytes', '(\nabcde)', '(\r\nabcde)'],
  ['an octal number beyond a byte', '(\\377abcde)', '(\\777abcde)'],
])('R98 strings that readers read differently are not equal: %s', async (_, was, is) => {
  expect(await outcomeOf(signPdf(indexed(was)), indexed(was))).toMatchObject(accepted)
  expect(await outcomeOf(signPdf(indexed(`${is} `)), indexed(was))).toMatchObject(refused)
  expect(await outcomeOf(signPdf(indexed(`${is} `)), indexed(is))).toMatchObject(accepted)
  expect(await outcomeOf(signPdf(indexed(is)), indexed(is))).toMatchObject(accepted)
})

/** As ReportLab writes it. */
function base85(data: Uint8Array) {
  let text = ''
  for (let at = 0; at < data.length; at += 4) {
    const part = data.subarray(at, at + 4)
    let value = 0
    for (let i = 0; i < 4; i++) value = value * 256 + (part[i] ?? 0)
    let digits = ''
    for (let i = 0; i < 5; i++, value = Math.floor(value / 85)) digits = String.fromCharCode(33 + (value % 85)) + digits
    text += digits === '!!!!!' && part.length === 4 ? 'z' : digits.slice(0, part.length + 1)
  }
  return `${text.replace(/.{60}/g, '$&\n')}~>`
}

const content = 'BT /F1 24 Tf 72 720 Td (Umowa na 100 zl) Tj ET'
const inBase85 = (text: string, filter = '[/ASCII85Decode/FlateDecode]') =>
  fileOf(
    contract.map((object, index): string | [string, string] =>
      index === 3 ? [`<</Filter${filter}/Length ${text.length}>>`, text] : object,
    ),
    '/Info 7 0 R',
  )

test('R98 R100 content in base 85 is decoded, and nothing else is accepted', async () => {
  const whole = base85(new Uint8Array(deflateSync(bytesOf(content))))
  const issued = inBase85(whole)
  const put = (text: string) => (draft: PdfDraft) => {
    draft.objects.get(4)!.data = bytesOf(text)
    dictionaryIn(draft, pdfReference(4)).delete('Filter')
  }
  expect(await rewritten(issued, put(content))).toMatchObject(accepted)
  expect(await rewritten(issued, put(content.replace('100', '900')))).toMatchObject(refused)
  const zeros = `${content}\n%${'\0'.repeat(8)}.`
  for (const text of [content, `${content} `, `${content}  `, `${content}   `, zeros])
    expect(await rewritten(inBase85(base85(bytesOf(text)), '/ASCII85Decode'), put(text))).toMatchObject(accepted)
})

test.each(['', '~>x', '!', '!~>', 'uuuuu~>', '!!z!!~>', '\x7f!!!!~>', '!!\f!!!~>', '!!\0!!!~>', 'vvvvv~>'])(
  'R98 data that are not in base 85 are refused: %j',
  async (text) => {
    const issued = inBase85(text, '/ASCII85Decode')
    const empty = (draft: PdfDraft) => {
      draft.objects.get(4)!.data = new Uint8Array()
      dictionaryIn(draft, pdfReference(4)).delete('Filter')
    }
    expect(await rewritten(issued, empty)).toMatchObject(refused)
  },
)

test('R98 R100 an entry that is null may go, and none may come', async () => {
  const issued = changed(3, '/Contents', '/Group null/Contents')
  const page = (draft: PdfDraft) => dictionaryIn(draft, pdfReference(3))
  expect(await rewritten(issued, (draft) => page(draft).delete('Group'))).toMatchObject(accepted)
  expect(await rewritten(plain, (draft) => page(draft).set('Group', null))).toMatchObject(refused)
})

const many = 20_000
const elements = [
  `<</Type/Catalog/Pages 2 0 R/AcroForm 6 0 R/StructTreeRoot 8 0 R>>`,
  '<</Type/StructTreeRoot/ParentTree 9 0 R>>',
  `<</Nums[${Array.from({ length: many }, (_, i) => `${i} 10 0 R`).join(' ')}]>>`,
  `[${'0 '.repeat(many)}]`,
] as const

test.each<[string, Uint8Array, (next: number) => NewObject[]]>([
  [
    'elements with one list',
    fileOf([elements[0], ...contract.slice(1, 7), ...elements.slice(1)], '/Info 7 0 R'),
    (next) => {
      const reference = pdfReference(next)
      const nums = Array.from({ length: many }, (_, i) => [i, reference]).flat()
      return [
        { reference: pdfReference(9), value: pdfDictionary({ Nums: nums }) },
        { reference, value: Array.from({ length: many }, () => 0) },
      ]
    },
  ],
  [
    'entries of the trailer',
    fileOf(contract.slice(0, 7), `/Info 7 0 R/Foo[${'0 '.repeat(many)}]`),
    (next) => Array.from({ length: many }, (_, i) => ({ reference: pdfReference(next + i), value: pdfDictionary({}) })),
  ],
])('R44 an increment costs what it is long: %s', async (_, issued, objects) => {
  const pdf = opened(issued)
  const file = appendUpdate(pdf, objects(Number(pdf.trailer.get('Size')))).bytes
  const spent = processorTime()
  expect(await outcomeOf(file, issued)).toMatchObject(refused)
  expect(spent()).toBeLessThan(exhaustive ? 4 : 60)
})
