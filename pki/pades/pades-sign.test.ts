import { generateKeyPairSync } from 'node:crypto'
import { KeyUsageFlags } from '@peculiar/asn1-x509'
import { expect, test } from 'vitest'
import { extension, signBytes } from '../asn1/certificate-write.ts'
import { derToPem } from '../asn1/certificate.ts'
import { cmsSigner, signedAttributes, signedData } from '../asn1/cms.ts'
import { derValue } from '../asn1/der.ts'
import { bytesOf, joined } from '../bytes.ts'
import { PdfError } from '../pdf/pdf-parser.ts'
import { openPdf } from '../pdf/pdf-read.ts'
import { listFields, newFieldName, findSignatures } from '../pdf/pdf-signature-fields.ts'
import { isDictionary, isReference } from '../pdf/pdf-value.ts'
import { checkDamaged } from '../testing/damaged-bytes.ts'
import {
  cn,
  holder,
  signedAt,
  signPdf,
  usage,
  type Holder,
  type KeyPair,
  contract,
  onePage,
  policyOf,
  seal,
} from '../testing/pades-authorities.ts'
import { numbered, packedFile, rewrittenFile } from '../testing/pdf-objects.ts'
import { has, run, testFile } from '../testing/peer-programs.ts'
import { printedPdf } from '../testing/rich-document.ts'
import { problemsOf } from '../testing/signed-contract.ts'
import { coveredDigest, embedSignature, prepareSignature, type SignatureField, signatureRoom } from './pades-sign.ts'
import { validatePdf } from './pades-validate.ts'

const pdf = await printedPdf('Umowa', 'Zawartość', '2')

/** Creates a signer without an authority. */
const signer = (commonName: string, keys: KeyPair) =>
  holder({ name: cn(commonName), extensions: [usage(KeyUsageFlags.nonRepudiation)], keys })

const rsa = signer('Jan RSA', generateKeyPairSync('rsa', { modulusLength: 3072 }))
const ecKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ec = signer('Ewa EC', ecKeys)

const field = (changes: Partial<SignatureField> = {}): SignatureField => ({
  field: 'Podpis',
  signer: 'Łucja „Żółć” (podpis)',
  reason: 'Zgadzam się',
  at: signedAt,
  ...changes,
})
const sign = (bytes: Uint8Array, by: Holder, changes?: Partial<SignatureField>) =>
  signPdf(bytes, { by, ...field(changes) })

/** Cuts out the bytes that the newest signature of a file covers, and its CMS, exactly by its ByteRange. */
function cutOut(bytes: Uint8Array) {
  const text = Buffer.from(bytes).toString('latin1')
  const range = text.slice(text.lastIndexOf('/ByteRange [')).match(/\d+/g)!.slice(0, 4).map(Number)
  const [start, length, next, rest] = range as [number, number, number, number]
  const hex = text.slice(length + 1, next - 1)
  const size = Number.parseInt(hex.slice(4, 8), 16) + 4
  const content = Buffer.from(text.slice(start, length) + text.slice(next, next + rest), 'latin1')
  return { range, content, cms: Buffer.from(hex.slice(0, size * 2), 'hex'), padding: hex.slice(size * 2) }
}

/** Verifies a CAdES signature with openssl, which trusts the signer's certificate. */
async function opensslVerify({ content, cms }: { content: Uint8Array; cms: Uint8Array }, { certificate }: Holder) {
  const trust = ['-CAfile', testFile(Buffer.from(derToPem(certificate))), '-purpose', 'any', '-partial_chain']
  const input = `-in ${testFile(cms)} -content ${testFile(content)} -out ${testFile('')} ${trust.join(' ')}`
  return run('openssl', `cms -verify -cades -inform DER -binary ${input}`)
}

test.each([
  ['RSA', rsa],
  ['ECDSA', ec],
])('SIG-2 a signature with %s covers the whole file but its own digits', (_, by) => {
  const signed = sign(pdf, by)
  const { range, cms, padding } = cutOut(signed)
  expect(range[0]).toBe(0)
  expect(range[2]! + range[3]!).toBe(signed.length)
  expect(String.fromCharCode(signed[range[1]!]!, signed[range[2]! - 1]!)).toBe('<>')
  expect(padding).toMatch(/^0+$/)
  expect(Buffer.from(signed.subarray(0, pdf.length)).equals(pdf)).toBe(true)
  // PAdES keeps the time in the PDF: the CMS has no signing-time attribute, 1.2.840.113549.1.9.5.
  expect(cms.includes(Buffer.from('06092a864886f70d010905', 'hex'))).toBe(false)
})

test.skipIf(!has('openssl'))('SIG-2 openssl (skipped where it is missing) verifies both kinds as CAdES', async () => {
  for (const by of [rsa, ec]) {
    const { code, output } = await opensslVerify(cutOut(sign(pdf, by)), by)
    expect({ code, output }).toMatchObject({
      code: 0,
      output: expect.stringContaining('CAdES Verification successful'),
    })
  }
})

test.skipIf(!has('qpdf'))('SIG-2 qpdf (skipped where it is missing) finds no fault in a signed file', async () => {
  for (const bytes of [sign(pdf, rsa), sign(sign(pdf, rsa), ec, { field: 'Drugi' })])
    expect(await run('qpdf', ['--check', testFile(bytes)])).toMatchObject({
      code: 0,
      output: expect.stringContaining('No syntax or stream encoding errors found'),
    })
})

test.skipIf(!has('pdfsig'))(
  'SIG-2 pdfsig (skipped where it is missing) finds signatures valid, and a changed file not',
  async () => {
    const first = sign(pdf, rsa)
    const { output: once } = await run('pdfsig', ['-nocert', testFile(first)])
    expect(once).toContain('Signature Type: ETSI.CAdES.detached')
    expect(once).toContain('Total document signed')
    expect(once).toContain('Signing Time: Nov 21 2026 10:05:09')
    expect(once).toContain('Signature is Valid')
    const { output: twice } = await run('pdfsig', ['-nocert', testFile(sign(first, ec, { field: 'Drugi' }))])
    expect(twice.match(/Signature is Valid/g)).toHaveLength(2)
    const changed = first.slice()
    changed[100]! ^= 1
    expect((await run('pdfsig', ['-nocert', testFile(changed)])).output).not.toContain('Signature is Valid')
  },
)

test('SIG-2 a second signature is added to the first, and the form remains a separate object', () => {
  const twice = sign(sign(pdf, rsa), ec, { field: 'Drugi' })
  const opened = openPdf(twice)
  const catalog = opened.resolve(opened.trailer.get('Root'))
  const form = isDictionary(catalog) ? catalog.get('AcroForm') : undefined
  expect(isReference(form)).toBe(true)
  const resolved = opened.resolve(form)
  expect(isDictionary(resolved) && resolved.get('Fields')).toHaveLength(2)
})

test('SIG-2 equal input gives equal bytes', () => {
  expect(Buffer.from(sign(pdf, rsa)).equals(sign(pdf, rsa))).toBe(true)
  expect(prepareSignature(pdf, field())).toEqual(prepareSignature(pdf, field()))
})

test('SIG-2 a signature beyond its room is refused, and a field is not signed over', () => {
  expect(() => embedSignature(prepareSignature(pdf, field()), new Uint8Array(12_289))).toThrow(RangeError)
  expect(() => sign(sign(pdf, rsa), ec)).toThrow(PdfError)
})

/** Certificates of authorities with a long policy each, and a token as large as an authority may make it. */
const longChain = Array.from({ length: 4 }, (_, index) => {
  const policy = extension('1.3.6.1.4.1.99999.1', derValue(0x04, new Uint8Array(3000)))
  return holder({ name: cn(`Authority ${index}`), extensions: [policy], keys: ecKeys }).certificate
})
const curves = ['P-256', 'P-384', 'P-521'].map(
  (namedCurve) => [`ECDSA ${namedCurve}`, generateKeyPairSync('ec', { namedCurve })] as const,
)
const lengths = [2048, 4096].map(
  (bits) => [`RSA ${bits}`, generateKeyPairSync('rsa', { modulusLength: bits })] as const,
)

test.each([...curves, ...lengths])(
  'SIG-2 the room for a signature by %s is enough for its chain, and a timestamp of 16 KB',
  async (_, keys) => {
    const by = signer('Jan Długi', keys)
    for (const chain of [[], longChain]) {
      const room = signatureRoom({ certificate: by.certificate, chain })
      const prepared = prepareSignature(pdf, field({ room }))
      const attributes = signedAttributes({ digest: coveredDigest(prepared), certificate: by.certificate })
      const parts = { attributes, signature: signBytes(by.privateKey, attributes) }
      const cms = cmsSigner({ certificate: by.certificate, chain })
      const token = derValue(0x30, new Uint8Array(16_384 - 4))
      const stamped = signedData(cms, { ...parts, timestamp: token })
      expect(token).toHaveLength(16_384)
      expect(room - stamped.length).toBeGreaterThanOrEqual(0)
      // Nor is it much more: attributes of the longest digest, and the longest signature.
      expect(room - stamped.length).toBeLessThan(120)
      expect(embedSignature(prepared, stamped)).toHaveLength(prepared.bytes.length)
      if (!has('openssl') || !chain.length) continue
      const { code, output } = await opensslVerify(cutOut(embedSignature(prepared, signedData(cms, parts))), by)
      expect({ code, output }).toMatchObject({ code: 0 })
    }
  },
)

test('SIG-2 a certificate that would change when re-encoded is not used to sign', () => {
  // The same certificate with the length of its outer sequence written in one byte more than needed: BER, not DER.
  const [tag, , ...rest] = ec.certificate
  const longer = Uint8Array.of(tag!, 0x83, 0, ...rest)
  expect(() => cmsSigner({ certificate: longer, chain: [] })).toThrow(TypeError)
  expect(() => cmsSigner({ certificate: ec.certificate, chain: [longer] })).toThrow(TypeError)
})

test('SIG-2 a damaged file is signed as it is or refused with a PdfError', () => {
  checkDamaged(pdf, 6, 1000, (bytes) => {
    expect(['signed', 'PdfError']).toContain(outcomeOf(bytes))
  })
})

function outcomeOf(bytes: Uint8Array) {
  try {
    const { gap } = prepareSignature(bytes, field())
    return gap.end > gap.start ? 'signed' : 'no gap'
  } catch (error) {
    return error instanceof Error ? error.name : error
  }
}

// Files of every shape are signed as they are, and what is signed is judged as any other file.

/** Creates a contract whose catalog, page and form have been replaced, with their generations in a cross-reference stream. */
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

/** Hybrid file whose font some readers find only by the hidden stream. */
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
    expect(findSignatures(openPdf(signed))).toHaveLength(signatures.length)
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
  for (const taken of ['Sygnet 1', 'Sygnet 2', 'Sygnet 3'])
    expect(() => prepareSignature(file, field({ field: taken }))).toThrow('already exists')
  const names = listFields(openPdf(signPdf(file, { field: 'Sygnet 4' }))).map((each) => each.name)
  expect(names).toEqual(['Sygnet 1', 'Sygnet 2', 'Sygnet 3.Kwota', 'Sygnet 4'])
})
