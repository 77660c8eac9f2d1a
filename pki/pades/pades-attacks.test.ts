import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { exhaustive } from '../../server/testing/breadth.ts'
import { pemToDer } from '../asn1/certificate.ts'
import { bytesOf, joined, latin1 } from '../bytes.ts'
import { decryptPdf } from '../pdf/pdf-rewrite.ts'
import { pdfText } from '../pdf/pdf-value.ts'
import { contract, fileOf, signatureOver, signedAt, signPdf, stampDocument } from '../testing/pades-authorities.ts'
import { processorTime } from '../testing/processor-time.ts'
import {
  append,
  changed,
  listCodes,
  plain,
  replaced,
  signed,
  withEntry,
  problemsOf,
} from '../testing/signed-contract.ts'
import { issuedFile } from './pades-issued.ts'
import { embedSignature, prepareSignature } from './pades-sign.ts'
import { validatePdf } from './pades-validate.ts'

test.each<[string, (found: string) => string]>([
  ['no numbers', () => '/ByteRange []'],
  ['two numbers', () => '/ByteRange [0 100]'],
  ['six numbers', () => '/ByteRange [0 1 2 3 4 5]'],
  ['no array', () => '/ByteRange null'],
  ['a negative number', (found) => found.replace('[0 ', '[-1 ').trimEnd()],
  ['a first byte that is not the first', (found) => found.replace('[0 ', '[1 ').trimEnd()],
  ['an end beyond the file', (found) => found.replace(/ (\d+)\]/, ' 99999]').trimEnd()],
])('R48 universal forgery: a byte range of %s is a broken signature, and never none', async (_, change) => {
  expect(await listCodes(replaced(signed, /\/ByteRange \[[^\]]*\] */, change))).toEqual(['byte-range-malformed'])
})

test.each<[string, (found: string) => string]>([
  ['empty', () => '/Contents <>'],
  ['null', () => '/Contents null'],
  ['missing', () => '/Contentz <>'],
  [
    'zeros',
    (found) =>
      found
        .replace(/[0-9a-f]/g, '0')
        .replace('/00', '/Co')
        .replace('0ont0nts', 'Contents'),
  ],
])('R48 universal forgery: contents that are %s are a broken signature, and never none', async (_, change) => {
  const codes = await listCodes(replaced(signed, /\/Contents <[0-9a-f]+>/, change))
  expect(codes).toHaveLength(1)
  expect(['byte-range-gap', 'cms-unreadable', 'damaged']).toContain(codes[0])
})

/** Signs with a wrong gap; everything else is correct. */
function signedAround(
  change: (gap: { start: number; end: number }) => { start: number; end: number },
  edit: (file: Uint8Array) => Uint8Array<ArrayBuffer> = (file) => new Uint8Array(file),
) {
  const prepared = prepareSignature(plain, { field: 'Podpis', signer: 'Anna', reason: '-', at: signedAt })
  const gap = change(prepared.gap)
  const range = `/ByteRange [0 ${gap.start} ${gap.end} ${prepared.bytes.length - gap.end}]`
  const bytes = edit(replaced(prepared.bytes, /\/ByteRange \[[^\]]*\] */, () => range))
  return embedSignature({ bytes, gap: prepared.gap }, signatureOver({ bytes, gap }))
}

test('R48 signature wrapping: what is left out is exactly the contents of the signature', async () => {
  expect(await listCodes(signedAround((gap) => gap))).toEqual([])
  expect(await listCodes(signedAround(({ start, end }) => ({ start, end: end + 40 })))).toEqual(['byte-range-gap'])
  expect(await listCodes(signedAround(({ start, end }) => ({ start: start - 12, end })))).toEqual(['byte-range-gap'])
  // The gap looks like /Contents, and the real /Contents is elsewhere.
  const twoTexts = (file: Uint8Array) =>
    replaced(
      replaced(file, '/Contents <', () => '/Cantents <'),
      /\/Name <[0-9a-f]+>/,
      () => '/Contents <00>',
    )
  expect(await listCodes(signedAround((gap) => gap, twoTexts))).toEqual(['byte-range-gap'])
})

test('R48 a signature that does not reach the end of its revision is refused', async () => {
  const prepared = signedAround((gap) => gap)
  const longer = append(prepared, changed(20, 7))
  const text = latin1(longer)
  const [, start, end, rest] = /\/ByteRange \[0 (\d+) (\d+) (\d+)\]/.exec(text)!
  const partial = replaced(
    longer,
    /\/ByteRange \[[^\]]*\]/,
    () => `/ByteRange [0 ${start} ${end} ${Number(rest) + 20}]`,
  )
  expect(await listCodes(partial)).toContain('byte-range-partial')
})

test('R48 a signature whose dictionary another object has replaced is refused', async () => {
  const number = Number(/(\d+) 0 obj\n<<\/Type \/Sig /.exec(latin1(signed))![1])
  const codes = await listCodes(append(signed, withEntry(signed, number, 'Reason', pdfText('Inny powód'))))
  expect(codes.filter((code) => ['byte-range-gap', 'signature-replaced'].includes(code))).not.toEqual([])
})

test('R44 more signatures or revisions than a document has are not judged one by one', async () => {
  const field = (i: number) => `<</FT/Sig/T(${i})/V<</Type/Sig/ByteRange[0 1 2 3]>>>>`
  const many = [
    ...contract.slice(0, 5),
    `<</Fields[${Array.from({ length: 60 }, (_, i) => `${i + 8} 0 R`).join(' ')}]>>`,
    contract[6]!,
  ]
  expect(await listCodes(fileOf([...many, ...Array.from({ length: 60 }, (_, i) => field(i))]))).toEqual(['too-costly'])
  let file: Uint8Array = plain
  for (let i = 0; i < 100; i++) file = append(file)
  expect(await listCodes(file)).toEqual(['damaged'])
})

test('R48 sneaky signature: a second one is not taken for the issued document', async () => {
  const twice = signPdf(signed, { field: 'Drugi' })
  expect(await listCodes(twice)).toEqual([])
  expect(await listCodes(twice, { issued: [issuedFile(plain)] })).toEqual(['several-signatures'])
})

test('R48 another document, the issued one unsigned, and one with a timestamp alone are refused', async () => {
  const dearerContract = fileOf(
    contract.map((object) => (typeof object === 'string' ? object : [object[0], object[1].replace('100', '900')])),
  )
  expect(await listCodes(signPdf(dearerContract), { issued: [issuedFile(plain)] })).toEqual(['other-document'])
  expect(await listCodes(plain, { issued: [issuedFile(plain)] })).toEqual(['no-signature'])
  expect(await listCodes(stampDocument(plain), { issued: [issuedFile(plain)] })).toEqual(['no-signature'])
})

test('R47 a file that is not the very one that was issued must not run, open, send or carry anything', async () => {
  const variants = [
    '/OpenAction<</S/JavaScript/JS(1)>>',
    '/AA<</WC<</S/Launch/F(cmd)>>>>',
    '/Names<</EmbeddedFiles<</Names[]>>>>',
    '/OpenAction<</S/GoToR/F(x)>>',
    '/OpenAction<</S/Submit#46orm/F(x)>>',
  ]
  for (const extra of variants) {
    const objects = [...contract]
    objects[0] = `<</Type/Catalog/Pages 2 0 R/AcroForm 6 0 R${extra}>>`
    expect(await listCodes(signPdf(fileOf(objects)), { issued: [issuedFile(plain)] })).toEqual(['active-content'])
  }
})

const bomb = deflateSync(new Uint8Array(200 << 20))

test.each<[string, Uint8Array, string]>([
  [
    'a chain of tables in a circle',
    bytesOf('%PDF-1.7\nxref\n0 0\ntrailer\n<</Root 1 0 R/Prev 9>>\nstartxref\n9\n%%EOF\n'),
    'damaged',
  ],
  ['values nested too deeply', fileOf(['['.repeat(100_000)]), 'damaged'],
  [
    'a table of a billion objects',
    bytesOf('%PDF-1.7\nxref\n0 999999999\ntrailer\n<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n'),
    'too-costly',
  ],
  ['pages in a circle', fileOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R]>>']), 'damaged'],
  [
    'a stream that needs itself for its length',
    fileOf(['<</Type/Catalog/Pages 2 0 R>>', ['<</Length 2 0 R>>', 'x']]),
    'damaged',
  ],
  ['references in a circle', fileOf(['<</Type/Catalog/Pages 2 0 R>>', '3 0 R', '2 0 R']), 'damaged'],
  ['objects within one another', nested(), 'too-costly'],
  [
    'objects in one another’s strings',
    fileOf(['<</Type/Catalog/Pages 2 0 R>>', ...Array.from({ length: 3000 }, (_, i) => `(${i}`)]),
    'damaged',
  ],
  ['a table in a bomb', bombed(), 'too-costly'],
])('R44 R46 %s ends at once', async (_, file, code) => {
  const passed = processorTime()
  expect(await listCodes(file)).toEqual([code])
  expect(passed()).toBeLessThan(exhaustive ? 5 : 60)
})

/**
 * Creates a file in which each object is inside the text of the previous one, so that reading all objects would read the file once per
 * object.
 */
function nested() {
  const count = 2000
  const heads = Array.from({ length: count }, (_, i) => `${i + 4} 0 obj\n(`)
  const references = heads.map((_, i) => `${i + 4} 0 R`).join(' ')
  const before = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/Annots[${references}]>>`,
  ]
  let file = '%PDF-1.7\n'
  const offsets: number[] = []
  for (const [i, head] of [...before.map((value, k) => `${k + 1} 0 obj\n${value}\nendobj\n`), ...heads].entries()) {
    offsets[i] = file.length
    file += head
  }
  file += ')\nendobj\n'.repeat(count)
  const lines = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const table = `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${lines}trailer\n<</Size ${offsets.length + 1}/Root 1 0 R>>\n`
  return bytesOf(`${file}${table}startxref\n${file.length}\n%%EOF\n`)
}

function bombed() {
  const head = bytesOf(
    `%PDF-1.7\n1 0 obj\n<</Type/XRef/Size 1/W[1 4 1]/Root 1 0 R/Filter/FlateDecode/Length ${bomb.length}>>\nstream\n`,
  )
  return joined([head, new Uint8Array(bomb), bytesOf('\nendstream\nendobj\nstartxref\n9\n%%EOF\n')])
}

test('R42 R43 R45 what is too large, no PDF or locked says so', async () => {
  expect(await listCodes(signed, { largest: signed.length - 1 })).toEqual(['too-large'])
  expect(await listCodes(signed, { largest: signed.length })).toEqual([])
  expect(await listCodes(joined([bytesOf('\n'), signed]))).toEqual(['stray-bytes'])
  expect(await listCodes(bytesOf('MZ'))).toEqual(['not-pdf'])
  expect(await listCodes(new Uint8Array())).toEqual(['not-pdf'])
})

/** Changed documents with their verdicts, signed with keys of tests. */
const folder = `${import.meta.dirname}/../samples/changed/`

type Sample = {
  name: string
  expected: 'accept' | 'pending' | 'accept-or-pending' | 'reject' | 'reject-or-pending' | 'accept-or-reject'
  issued?: string
  password?: string
  received?: string
}
const { files: samples } = JSON.parse(readFileSync(`${folder}manifest.json`, 'utf8')) as { files: Sample[] }

/** Samples about messages and persons, which other tests cover. */
const ofCertificates = new Set([
  'n120-attrs-not-der-order.pdf',
  'n153-plain-digits-foreign.pdf',
  'n216-attribute-certificate.pdf',
])

const taken: Record<Sample['expected'], string[]> = {
  accept: ['accepted'],
  pending: ['pending'],
  'accept-or-pending': ['accepted', 'pending'],
  reject: ['refused'],
  'reject-or-pending': ['refused', 'pending'],
  'accept-or-reject': ['accepted', 'refused', 'pending'],
}

const bytesOfFile = (name: string) => new Uint8Array(readFileSync(`${folder}${name}`))

async function reportOn({ name, issued = '00-issued.pdf', password, received = '2026-11-21T12:00:00Z' }: Sample) {
  const file = bytesOfFile(issued)
  const decrypted = password === undefined ? [] : [decryptPdf(file, { password })]
  const [certificate] = pemToDer(readFileSync(`${folder}root.pem`, 'utf8'))
  return validatePdf(bytesOfFile(name), {
    anchors: [{ certificate: certificate! }],
    receivedAt: new Date(received),
    ...(password !== undefined && { password }),
    issued: [file, ...decrypted].map(issuedFile),
    signer: { identifier: 'PNOPL-90010112345' },
    revocation: 'required',
    signingCertificate: 'v2',
    qualified: true,
  })
}

test('R98 R99 R100 of the changed documents none is accepted, and the good ones are', async () => {
  expect(samples.length).toBeGreaterThanOrEqual(15)
  for (const sample of samples.filter(({ name }) => !ofCertificates.has(name))) {
    const report = await reportOn(sample)
    const { verdict } = report
    const found = problemsOf(report).map(({ code, detail }) => `${code}: ${detail}`)
    expect({ name: sample.name, isExpected: taken[sample.expected].includes(verdict), verdict, found }).toMatchObject({
      isExpected: true,
    })
  }
})
