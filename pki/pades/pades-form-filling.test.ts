import { expect, test } from 'vitest'
import { bytesOf } from '../bytes.ts'
import { openPdf } from '../pdf/pdf-read.ts'
import { pdfDictionary, pdfName, pdfReference, pdfText, type PdfValue } from '../pdf/pdf-value.ts'
import type { NewObject } from '../pdf/pdf-write.ts'
import {
  fileOf,
  onePage,
  policyOf,
  signPdf,
  stampDocument,
  withTransform,
  type SigningOptions,
  contractPdf,
  seal,
} from '../testing/pades-authorities.ts'
import { stream } from '../testing/pdf-objects.ts'
import { append, changed, valueIn, judge } from '../testing/signed-contract.ts'
import { issuedFile } from './pades-issued.ts'
import { permitsSignature } from './pades-permissions.ts'
import { validatePdf } from './pades-validate.ts'

const text = 'BT /F1 24 Tf 72 720 Td (Umowa na 100 zl) Tj ET'
const painting = stream('/Type/XObject/Subtype/Form/BBox[0 0 90 20]', 'q')
const widget = '/Type/Annot/Subtype/Widget/Rect[10 10 100 30]'
/** A form of every kind of field; the appearance of the amount is also a part of page 2. */
const form = fileOf([
  '<</Type/Catalog/Pages 2 0 R/AcroForm 3 0 R>>',
  '<</Type/Pages/Count 2/Kids[4 0 R 5 0 R]/MediaBox[0 0 595 842]>>',
  '<</Fields[8 0 R 10 0 R 11 0 R 14 0 R 15 0 R 16 0 R 18 0 R 21 0 R 24 0 R 25 0 R 26 0 R 27 0 R 28 0 R 34 0 R]>>',
  '<</Type/Page/Parent 2 0 R/Contents 6 0 R/Annots[8 0 R 10 0 R 12 0 R 13 0 R 14 0 R 15 0 R 16 0 R 18 0 R 23 0 R 24 0 R 25 0 R 26 0 R 28 0 R 35 0 R]>>',
  '<</Type/Page/Parent 2 0 R/Resources<</XObject<</X 17 0 R>>>>>>',
  stream('', text),
  '(Jan)',
  `<<${widget}/FT/Tx/T(Imie)/V 7 0 R/AP<</N 20 0 R>>>>`,
  painting,
  `<<${widget}/FT/Btn/T(Zgoda)/V/Off/AS/Off/AP<</N<</Tak 9 0 R/Off 9 0 R>>>>>>`,
  '<</FT/Btn/Ff 32768/T(Wybor)/V/Off/Kids[12 0 R 13 0 R]>>',
  `<<${widget}/Parent 11 0 R/AS/Off/AP<</N<</A 9 0 R>>>>>>`,
  `<<${widget}/Parent 11 0 R/AS/Off/AP<</N<</B 9 0 R>>>>>>`,
  `<<${widget}/FT/Ch/T(Miasto)/Opt[(Krakow)(Gdansk)]/I[0]/V(Krakow)>>`,
  `<<${widget}/FT/Tx/T(Stale)/Ff 1/V(1)>>`,
  `<<${widget}/FT/Tx/T(Kwota)/V(1)/AP<</N 17 0 R>>>>`,
  painting,
  `<<${widget}/FT/Sig/T(Czeka)/AP<</N 19 0 R>>>>`,
  painting,
  painting,
  '<</FT/Tx/Ff 1/T(Grupa)/Kids[22 0 R]>>',
  '<</T(Rzad)/Parent 21 0 R/Kids[23 0 R]>>',
  `<<${widget}/T(Pole)/Parent 22 0 R>>`,
  `<<${widget}/FT/Btn/Ff 65536/T(Przycisk)/AP<</N 29 0 R>>>>`,
  `<</Type/Annot/Subtype/FreeText/Rect[10 10 100 30]/FT/Tx/T(Notatka)>>`,
  `<<${widget}/T(Bez)>>`,
  '<</S/Transparency/I true>>',
  `<</Type/Annot/Subtype/Widget/FT/Tx/T(Role)/Rect 30 0 R/A 31 0 R/AP 32 0 R/V 33 0 R/Contents 33 0 R>>`,
  painting,
  '[10 10 100 30]',
  '<</S/Named/N/FirstPage>>',
  '<</N 9 0 R/D 30 0 R/R 31 0 R>>',
  '(x)',
  '<</FT/Btn/T(Stare)/Kids[35 0 R]>>',
  `<<${widget}/Parent 34 0 R/Ff 1>>`,
])
const signed = signPdf(form)

const set = (file: Uint8Array, number: number, entries: Record<string, PdfValue>): NewObject =>
  changed(number, new Map([...valueIn(file, number), ...Object.entries(entries)]))
const shown = (number: number) =>
  changed(
    number,
    pdfDictionary({ Type: pdfName('XObject'), Subtype: pdfName('Form'), BBox: [0, 0, 90, 20] }),
    bytesOf('Q'),
  )
const seen = (number: number) => ({ AP: pdfDictionary({ N: pdfReference(number) }) })

/**
 * Returns the result of the public check (`filled`, `as signed`, or the reason why the first signature is refused) and the verdict for an
 * issued document.
 */
async function outcomes(file: Uint8Array) {
  const { signatures } = await validatePdf(file, policyOf())
  const [{ end, problems, changes }] = signatures as [(typeof signatures)[number]]
  const refusal = problems.find(({ severity }) => severity === 'refuse')?.code
  const { verdict } = await validatePdf(file, policyOf({ issued: [issuedFile(file.subarray(0, end))] }))
  return [refusal ?? (changes.some(({ kind }) => kind === 'filling') ? 'filled' : 'as signed'), verdict]
}

const fillings: [string, (file: Uint8Array) => NewObject[]][] = [
  ['a text and its look', (file) => [set(file, 8, { V: pdfText('Ewa'), ...seen(50) }), shown(50)]],
  ['a text and its look in their objects', () => [changed(7, pdfText('Ewa')), shown(20)]],
  ['a box that is ticked', (file) => [set(file, 10, { V: pdfName('Tak'), AS: pdfName('Tak') })]],
  ['a choice of several boxes', (file) => [set(file, 11, { V: pdfName('A') }), set(file, 12, { AS: pdfName('A') })]],
  ['a choice from a list', (file) => [set(file, 14, { V: pdfText('Gdansk'), I: [1] })]],
]

test.each(fillings)(
  'CHK-4 R48 R266 %s is filled in for the public check, and refused in an issued document',
  async (_, change) => {
    expect(await outcomes(append(signed, ...change(signed)))).toEqual(['filled', 'refused'])
  },
)

test('CHK-4 R48 R266 a signature that comes with what was filled in does not make it unchanged', async () => {
  const file = append(signed, set(signed, 8, { V: pdfText('Ewa') }))
  for (const later of [signPdf(file, { field: 'Drugi' }), stampDocument(file)])
    expect(await outcomes(later)).toEqual(['filled', 'refused'])
})

const attacks: [string, (file: Uint8Array) => NewObject[]][] = [
  ['a field that is read-only', (file) => [set(file, 15, { V: pdfText('2') })]],
  ['a look that a page shows as well', (file) => [set(file, 16, { V: pdfText('2') }), shown(17)]],
  ['a look that several fields have', () => [shown(9)]],
  ['a field that is moved', (file) => [set(file, 8, { V: pdfText('Ewa'), Rect: [0, 0, 595, 842] })]],
  ['a field that acts', (file) => [set(file, 8, { V: pdfText('Ewa'), A: pdfDictionary({ S: pdfName('Named') }) })]],
  ['a field that becomes visible', (file) => [set(file, 8, { F: 4 })]],
  ['a field with another default', (file) => [set(file, 8, { DV: pdfText('x') })]],
  ['a field that may be filled in from now on', (file) => [set(file, 15, { Ff: 0 })]],
  ['a field with another name', (file) => [set(file, 8, { T: pdfText('Kwota2') })]],
  ['the look of a field that waits for a signature', () => [shown(19)]],
  ['a signature field that is something else', (file) => [set(file, 18, { FT: pdfName('Tx'), V: pdfText('x') })]],
  ['a rectangle that is named as a look', () => [changed(30, [0, 0, 595, 842])]],
  [
    'an action that is named as a look',
    () => [changed(31, pdfDictionary({ S: pdfName('Named'), N: pdfName('Print') }))],
  ],
  ['a value that is the text of the field too', () => [changed(33, pdfText('y'))]],
  ['a box whose widget is read-only', (file) => [set(file, 34, { V: pdfName('A') })]],
  ['a field below one that is read-only', (file) => [set(file, 23, { V: pdfText('x') })]],
  ['the look of a button that acts', () => [shown(29)]],
  ['a note that is listed as a field', (file) => [set(file, 25, { V: pdfText('x'), ...seen(9) })]],
  ['a field of no type', (file) => [set(file, 26, { V: pdfText('x') })]],
  ['something that no page has', (file) => [changed(27, new Map(valueIn(file, 27)).set('I', false))]],
  ['a form that is shown anew', (file) => [set(file, 8, { V: pdfText('x') }), set(file, 3, { NeedAppearances: true })]],
  ['another page', (file) => [set(file, 8, { V: pdfText('x') }), changed(6, pdfDictionary({}), bytesOf('q Q'))]],
  [
    'one field more',
    (file) => [
      set(file, 3, { Fields: [...(valueIn(file, 3).get('Fields') as PdfValue[]), pdfReference(40)] }),
      changed(40, new Map<string, PdfValue>([...valueIn(file, 8), ['T', pdfText('Nowe')]])),
    ],
  ],
]

test.each(attacks)('R48 R266 %s is no filling in', async (_, change) => {
  expect(await outcomes(append(signed, ...change(signed)))).toEqual(['changed-after-signing', 'refused'])
})

const grouped = '/Kids[9 0 R]'
/**
 * Creates a form in which two fields may share the widget 9, whose appearance is 10 and whose parent is one of them, and in which a group
 * 11 may contain a field.
 */
const formWith = (first: string, second: string, parent: string, fields = '[7 0 R 8 0 R]', group = 'null') =>
  onePage('/Contents 4 0 R/Annots[9 0 R]', {
    catalog: '/AcroForm 6 0 R',
    objects: [
      stream('', text),
      'null',
      `<</Fields${fields}>>`,
      `<<${first}>>`,
      `<<${second}>>`,
      `<<${widget}${parent}/AP<</N 10 0 R>>>>`,
      painting,
      group,
    ],
  })
const open = '/FT/Tx/T(Uwagi)'
const closed = '/FT/Tx/Ff 1/T(Kwota)/V(100 zl)'
const locked = withTransform('FieldMDP', '/Action/Include/Fields[(Kwota)]')

test.each<[string, Uint8Array<ArrayBuffer>, SigningOptions?]>([
  ['is read-only by its /Parent', formWith(`${open}${grouped}`, `${closed}${grouped}`, '/Parent 8 0 R')],
  ['is locked by its /Parent', formWith(`${open}${grouped}`, '/FT/Tx/T(Kwota)', '/Parent 8 0 R'), locked],
  ['is read-only by a list', formWith(`${open}${grouped}`, `${closed}${grouped}`, '/Parent 7 0 R')],
  ['is certified', formWith(`${open}${grouped}`, closed, '/Parent 8 0 R'), withTransform('DocMDP', '/P 2')],
  ['waits for a signature', formWith(`${open}${grouped}`, `/FT/Sig/T(Dyrektor)${grouped}`, '/Parent 8 0 R')],
  ['has no /Parent', formWith(`${open}${grouped}`, closed, '')],
  ['is a field of its own too', formWith(`${open}${grouped}`, closed, '/Parent 7 0 R', '[7 0 R 8 0 R 9 0 R]')],
  [
    'is of a closed group',
    formWith(`${open}${grouped}/Parent 11 0 R`, closed, '/Parent 7 0 R', '[7 0 R]', '<</T(G)/Ff 1>>'),
  ],
  [
    'is of two groups',
    formWith(
      `${open}${grouped}/Parent 11 0 R`,
      '/T(H)/Ff 1/Kids[7 0 R]',
      '/Parent 7 0 R',
      '[11 0 R 8 0 R]',
      '<</T(G)/Kids[7 0 R]>>',
    ),
  ],
])('R48 R271 the look of a widget that %s is not filled in by another field', async (_, file, options) => {
  const signedForm = signPdf(file, options)
  expect(await outcomes(append(signedForm, set(signedForm, 9, seen(50)), shown(50)))).toEqual([
    'changed-after-signing',
    'refused',
  ])
  expect(await outcomes(append(signedForm, shown(10)))).toEqual(['changed-after-signing', 'refused'])
})

test.each<[string, Uint8Array<ArrayBuffer>]>([
  ['its own', formWith(`${open}${grouped}`, closed, '/Parent 7 0 R')],
  [
    'that of a field in a group',
    formWith(`${open}${grouped}/Parent 11 0 R`, closed, '/Parent 7 0 R', '[11 0 R]', '<</T(G)/Kids[7 0 R]>>'),
  ],
  ['listed twice by its field', formWith(`${open}/Kids[9 0 R 9 0 R]`, closed, '/Parent 7 0 R')],
])('R271 the look of a widget is filled in by its one field: %s', async (_, file) => {
  const signedForm = signPdf(file)
  expect(await outcomes(append(signedForm, set(signedForm, 9, seen(50)), shown(50)))).toEqual(['filled', 'refused'])
})

test.each([
  ['its own', '/Parent 7 0 R', `[7 0 R]`, 'as signed'],
  ['that of an amount by its /Parent', '/Parent 8 0 R', '[7 0 R]', 'changed-after-signing'],
  ['that of an amount by a list', '/Parent 7 0 R', '[7 0 R 8 0 R]', 'changed-after-signing'],
])('R48 R271 a waiting signature gives its look to a widget: %s', async (_, parent, fields, expected) => {
  const file = signPdf(formWith(`/FT/Sig/T(Dyrektor)${grouped}`, `${closed}${grouped}`, parent, fields))
  const signature = pdfDictionary({ Type: pdfName('Sig'), SubFilter: pdfName('ETSI.CAdES.detached') })
  const objects = [changed(60, signature), set(file, 7, { V: pdfReference(60) }), set(file, 9, seen(50)), shown(50)]
  expect((await outcomes(append(file, ...objects)))[0]).toBe(expected)
})

test.each<[string, string, PdfValue | undefined, string]>([
  ['false, which goes', '/NeedAppearances false', undefined, 'filled'],
  ['false, which comes', '', false, 'filled'],
  ['false, which is null', '/NeedAppearances false', null, 'filled'],
  ['true, which goes', '/NeedAppearances true', undefined, 'changed-after-signing'],
  ['false, which becomes true', '/NeedAppearances false', true, 'changed-after-signing'],
  ['no boolean', '', pdfName('false'), 'changed-after-signing'],
])('R48 R100 a form that is filled in and requests new looks: %s', async (_, entry, value, expected) => {
  const file = signPdf(formWith(`${open}${grouped}`, closed, '/Parent 7 0 R', `[7 0 R]${entry}`))
  const { NeedAppearances: _old, ...rest } = Object.fromEntries(valueIn(file, 6))
  const now = pdfDictionary({ ...rest, ...(value !== undefined && { NeedAppearances: value }) })
  const update = append(file, set(file, 7, { V: pdfText('Ewa') }), changed(6, now))
  expect(await outcomes(update)).toEqual([expected, 'refused'])
  expect((await outcomes(signPdf(update, { field: 'Drugi' })))[0]).toBe(expected)
})

const kinds: [string, SigningOptions, string][] = [
  ['a certification without permission', withTransform('DocMDP', '/P 1'), 'changed-after-signing'],
  ['a certification for forms', withTransform('DocMDP', '/P 2'), 'filled'],
  ['a certification for comments', withTransform('DocMDP', '/P 3'), 'filled'],
  ['a lock of all fields', withTransform('FieldMDP', '/Action/All'), 'changed-after-signing'],
  ['a lock of this field', withTransform('FieldMDP', '/Action/Include/Fields[(x)(Imie)]'), 'changed-after-signing'],
  [
    'a lock in another encoding',
    withTransform('FieldMDP', '/Action/Include/Fields[<feff0049006d00690065>]'),
    'changed-after-signing',
  ],
  ['a lock that lists no names', withTransform('FieldMDP', '/Action/Include/Fields(Kwota)'), 'changed-after-signing'],
  ['a lock of another field', withTransform('FieldMDP', '/Action/Include/Fields[(Imie2)(Kwota)]'), 'filled'],
  ['a lock of all but this field', withTransform('FieldMDP', '/Action/Exclude/Fields[(Imie)]'), 'filled'],
  [
    'a lock of all but another field',
    withTransform('FieldMDP', '/Action/Exclude/Fields[(Kwota)]'),
    'changed-after-signing',
  ],
  ['a lock that says nothing', withTransform('FieldMDP', ''), 'changed-after-signing'],
]

test.each(kinds)('R102 R266 a form that is filled in after %s', async (_, options, expected) => {
  const file = signPdf(form, options)
  expect(await outcomes(append(file, set(file, 8, { V: pdfText('Ewa') })))).toEqual([expected, 'refused'])
})

/** Returns whether a file with a seal of these options permits another signature, and the outcome if it is signed. */
async function signedAfter(options: SigningOptions) {
  const issued = signPdf(contractPdf(), { by: seal, field: 'Pieczęć', ...options })
  return { isPermitted: permitsSignature(openPdf(issued)), ...(await judge(signPdf(issued), issued)) }
}
const refused = { isPermitted: false, verdict: 'refused', codes: ['changed-after-signing'] }
const accepted = { isPermitted: true, verdict: 'accepted', codes: [] }

test.each(['/P 1', '/P 0', '/P 4', '/P/None', '/P(2)'])(
  'R102 a signature after a certification with %s is refused',
  async (parameters) => {
    expect(await signedAfter(withTransform('DocMDP', parameters))).toMatchObject(refused)
  },
)

test.each([
  ['a certification with /P 2', withTransform('DocMDP', '/P 2')],
  ['a certification with /P 3', withTransform('DocMDP', '/P 3')],
  ['a certification without /P', withTransform('DocMDP', '')],
  ['all fields locked', withTransform('FieldMDP', '/Action/All')],
  ['one field locked', withTransform('FieldMDP', '/Action/Include/Fields[(Kwota)]')],
  ['all but one field locked', withTransform('FieldMDP', '/Action/Exclude/Fields[(Kwota)]')],
])('SGN-26 R102 a new field is signed in a file with %s', async (_, options) => {
  expect(await signedAfter(options)).toMatchObject(accepted)
})

test('R102 a certification with P=1 permits a document timestamp, and its own signature', async () => {
  const file = stampDocument(signPdf(contractPdf(), withTransform('DocMDP', '/P 1')))
  expect(await judge(file, contractPdf())).toMatchObject({ verdict: 'accepted', codes: [] })
})

test('R102 a signed field whose lock says P=1 permits no later signature', async () => {
  expect(await signedAfter({ replaced: ['/Type /Annot ', '/Lock<</P 1>>'] })).toMatchObject(refused)
})
