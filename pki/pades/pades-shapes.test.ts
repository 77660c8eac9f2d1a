import { expect, test } from 'vitest'
import { bytesOf, joined } from '../bytes.ts'
import { openPdf } from '../pdf/pdf-read.ts'
import { fieldsOf, newFieldName, signaturesOf } from '../pdf/pdf-signature-fields.ts'
import { contract, onePage, policyOf, seal, signPdf } from '../testing/pades-authorities.ts'
import { numbered, packedFile, rewrittenFile } from '../testing/pdf-objects.ts'
import { has, run, testFile } from '../testing/peer-programs.ts'
import { prepareSignature } from './pades-sign.ts'
import { validatePdf } from './pades-validate.ts'
import { problemsOf } from '../testing/signed-contract.ts'

/** Files of every shape are signed as they are, and what is signed is judged as any other file. */

/** A contract whose catalog, page and form have been replaced, with their generations in a cross-reference stream. */
function withGenerations() {
  const generations = [65535, 3, 0, 300, 0, 1]
  const values = [
    '<</Type/Catalog/Pages 2 0 R/AcroForm 5 1 R>>',
    '<</Type/Pages/Count 1/Kids[3 300 R]/MediaBox[0 0 595 842]>>',
    '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>',
    '<</Length 0>>\nstream\n\nendstream',
    '<</Fields[]>>',
  ]
  let file = '%PDF-1.7\n'
  const rows = [[0, 0, 0, 0, 0, 0xff, 0xff]]
  const row = (at: number, generation: number) =>
    rows.push([1, 0, 0, at >> 8, at & 255, generation >> 8, generation & 255])
  for (const [index, value] of values.entries()) {
    row(file.length, generations[index + 1]!)
    file += `${index + 1} ${generations[index + 1]} obj\n${value}\nendobj\n`
  }
  const startxref = file.length
  row(startxref, 0)
  const dictionary = `<</Type/XRef/Size 7/W[1 4 2]/Root 1 3 R/Length ${rows.length * 7}>>`
  const head = `${file}6 0 obj\n${dictionary}\nstream\n`
  const tail = `\nendstream\nendobj\nstartxref\n${startxref}\n%%EOF\n`
  return joined([bytesOf(head), Uint8Array.from(rows.flat()), bytesOf(tail)])
}

/** Some readers find its font only by the hidden stream. */
const hybrid = rewrittenFile(
  numbered(contract).filter(([number]) => number !== 5),
  { hidden: [[5, contract[4]!]] },
)

const shapes: [string, Uint8Array][] = [
  ['cross-reference streams', packedFile(numbered(contract))],
  ['cross-reference streams and replaced objects', withGenerations()],
  ['a hybrid table', hybrid],
  ['a form that is null', onePage('', { catalog: '/AcroForm null' })],
  ['a form that is missing', onePage('', { catalog: '/AcroForm 9 0 R' })],
]

test.each(shapes)('SIG-2 SGN-26 a file with %s is signed twice, and both signatures are valid', async (_, file) => {
  const once = signPdf(file, { timestamp: true })
  const twice = signPdf(once, { by: seal, field: 'Drugi', timestamp: true })
  for (const signed of [once, twice]) {
    const { signatures } = await validatePdf(signed, policyOf({ qualified: false }))
    expect(signatures.map(({ intact, trusted }) => [intact, trusted])).toEqual(signatures.map(() => [true, true]))
    expect(problemsOf({ problems: [], signatures })).toEqual([])
    expect(signaturesOf(openPdf(signed))).toHaveLength(signatures.length)
  }
  if (!has('pdfsig') || !has('qpdf')) return
  const { output } = await run('pdfsig', ['-nocert', testFile(twice)])
  expect(output.match(/Signature is Valid/g)).toHaveLength(2)
  expect((await run('qpdf', ['--check', testFile(twice)])).output).toMatch(/No syntax or stream encoding errors/)
})

test('SIG-2 an object keeps its generation in the cross-reference stream of an update', () => {
  const signed = openPdf(signPdf(withGenerations()))
  expect([1, 3, 5].map((number) => signed.entry(number))).toMatchObject([
    { generation: 3 },
    { generation: 300 },
    { generation: 1 },
  ])
})

test('SGN-26 the name of a new field is that of no other field, in any encoding', () => {
  const name = (text: string) => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`
  const file = onePage('', {
    catalog: '/AcroForm<</Fields[4 0 R 5 0 R 6 0 R]>>',
    objects: [
      '<</FT/Sig/T(Sygnet 1)>>',
      `<</FT/Sig/T${name('Sygnet 2')}>>`,
      '<</T(Sygnet 3)/Kids[7 0 R]>>',
      '<</FT/Tx/T(Kwota)/Parent 6 0 R>>',
    ],
  })
  expect(newFieldName(openPdf(file), 'Sygnet')).toBe('Sygnet 4')
  const field = { signer: '-', reason: '-', at: new Date(0) }
  for (const taken of ['Sygnet 1', 'Sygnet 2', 'Sygnet 3'])
    expect(() => prepareSignature(file, { ...field, field: taken })).toThrow('already exists')
  const names = fieldsOf(openPdf(signPdf(file, { field: 'Sygnet 4' }))).map((each) => each.name)
  expect(names).toEqual(['Sygnet 1', 'Sygnet 2', 'Sygnet 3.Kwota', 'Sygnet 4'])
})
