import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import PdfKit from 'pdfkit'
import { expect, test } from 'vitest'
import { issuedFile } from './pades-issued.ts'
import { derToPem } from '../asn1/certificate.ts'
import { appendValidationData } from './pades-validation-data.ts'
import { validatePdf } from './pades-validate.ts'
import { contentDifference } from '../pdf/pdf-content-difference.ts'
import { openPdf, pagesOf } from '../pdf/pdf-read.ts'
import { has, run, testFile, testFolder } from '../testing/peer-programs.ts'
import * as authorities from '../testing/pades-authorities.ts'
import { exhaustive } from '../../server/testing/breadth.ts'

async function paper() {
  const pdf = new PdfKit({ pdfVersion: '1.7', info: { CreationDate: authorities.signedAt, Title: 'Umowa' } })
  for (let page = 1; page <= 3; page++) {
    if (page > 1) pdf.addPage()
    pdf.text(`Strona ${page}`)
  }
  pdf.end()
  return new Uint8Array(Buffer.concat(await pdf.toArray()))
}

const plain = await paper()
const sealed = authorities.signPdf(plain, { by: authorities.seal, field: 'Pieczec' })

async function made(program: string, args: (out: string) => string[]) {
  const out = join(testFolder(), 'out.pdf')
  const { output } = await run(program, args(out))
  expect({ output, made: existsSync(out) }).toMatchObject({ made: true })
  return new Uint8Array(readFileSync(out))
}

const shapes: [string, string[]][] = [
  ['object streams', ['--object-streams=generate']],
  ['a linearized file', ['--linearize']],
  ['a linearized file with object streams', ['--linearize', '--object-streams=generate']],
  ['lines that people can read', ['--qdf', '--normalize-content=n']],
]

test.runIf(exhaustive && !(!has('qpdf') || !has('pdfsig'))).each(shapes)(
  'SIG-2 DOC-8 qpdf’s %s (skipped without qpdf and pdfsig) is read, signed in its own way, and judged as pdfsig does',
  async (_, options) => {
    const repacked = await made('qpdf', (out) => [...options, '--deterministic-id', testFile(plain), out])
    const pdf = openPdf(repacked)
    expect(pagesOf(pdf)).toHaveLength(3)
    // However it is packed, it shows the same; R48's second way to know a document.
    expect(contentDifference(openPdf(plain), pdf)).toBeUndefined()
    const signed = authorities.signPdf(authorities.signPdf(repacked, { by: authorities.seal, field: 'Pieczec' }), {
      timestamp: true,
    })
    const stamped = authorities.stampDocument(appendValidationData(signed, authorities.proof()))
    for (const file of [signed, stamped]) {
      const report = await validatePdf(file, authorities.policyOf({ issued: [issuedFile(plain)] }))
      expect(
        report.signatures.flatMap(({ problems }) => problems.filter(({ severity }) => severity === 'refuse')),
      ).toMatchObject([{ code: 'not-qualified' }])
      expect(report).toMatchObject({ issued: 'same-content' })
      expect((await run('qpdf', ['--check', testFile(file)])).output).toMatch(/No syntax or stream encoding errors/)
    }
    const { output } = await run('pdfsig', ['-nocert', testFile(signed)])
    expect(output.match(/Signature is Valid/g)).toHaveLength(2)
    expect(output).toContain('Total document signed')
  },
)

test('DOC-4 content that is another differs from what was issued', async () => {
  const opened = (bytes: Uint8Array) => openPdf(bytes)
  expect(contentDifference(opened(plain), opened(sealed))).toBeUndefined()
  expect(contentDifference(opened(plain), opened(authorities.contractPdf()))).toBe('it has another number of pages')
  const edited = (number: number, from: string, to: string) => {
    const objects = authorities.contract.map((object, index): (typeof authorities.contract)[number] =>
      index !== number - 1
        ? object
        : typeof object === 'string'
          ? object.replace(from, to)
          : [object[0], object[1].replace(from, to)],
    )
    return contentDifference(opened(authorities.contractPdf()), opened(authorities.fileOf(objects)))
  }
  const differences = [
    edited(4, '100', '900'),
    edited(5, 'Helvetica', 'Symbol'),
    edited(2, '595', '300'),
    edited(3, '/Contents', '/Rotate 180/Contents'),
    edited(3, '/Font', '/ExtGState<</G<</D[[3]0]>>>>/Font'),
    edited(3, '/Font', '/ExtGState<</G<</D[[5]0]>>>>/Font'),
    edited(3, '/Contents', '/Annots[<</Subtype/FreeText/Rect[0 0 9 9]>>]/Contents'),
    edited(1, '/Pages', '/OCProperties<</D<</OFF[5 0 R]>>>>/Pages'),
  ]
  expect(differences).toEqual([
    'page 1 /Contents differs',
    'page 1 /Resources /Font /F1 /BaseFont differs',
    'page 1 /MediaBox differs',
    'page 1 /Rotate differs',
    'page 1 /Resources /ExtGState differs',
    'page 1 /Resources /ExtGState differs',
    'page 1 /Annots differs',
    'the catalog /OCProperties differs',
  ])
})

test.skipIf(!has('pdfsig'))(
  'DOC-8 R48 pdfsig says of our signatures, good and damaged, what we say (skipped where it is missing)',
  async () => {
    const signed = authorities.signPdf(sealed, { timestamp: true })
    const broken = signed.slice()
    broken[60]! ^= 1
    const pdfsigOf = async (bytes: Uint8Array) =>
      (await run('pdfsig', ['-nocert', testFile(bytes)])).output.match(/Signature Validation: .*/g)
    expect(await pdfsigOf(signed)).toEqual([
      'Signature Validation: Signature is Valid.',
      'Signature Validation: Signature is Valid.',
    ])
    const { verdict, issued } = await validatePdf(signed, authorities.policyOf({ issued: [issuedFile(sealed)] }))
    expect({ verdict, issued }).toEqual({ verdict: 'accepted', issued: 'same-bytes' })
    expect((await pdfsigOf(broken))?.join()).toContain('Digest Mismatch')
    expect((await validatePdf(broken, authorities.policyOf({}))).verdict).toBe('refused')
  },
)

/** pdfsig 22.12 reserves room for one length of signature, and ECDSA has several: every second one it calls broken itself. */
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const jan = authorities.holder(
  { name: authorities.person('Jan Kos', 'PNOPL-80010112345'), extensions: authorities.personRights(), keys },
  authorities.issuing,
)

/** A key store of NSS with one signer, as pdfsig wants it. */
async function keyStore() {
  const folder = join(testFolder(), 'nss')
  mkdirSync(folder)
  const key = testFile(jan.privateKey.export({ format: 'pem', type: 'pkcs8' }), 'key.pem')
  const certificate = testFile(derToPem(jan.certificate), 'jan.pem')
  const chain = testFile(
    [authorities.issuing, authorities.root].map(({ certificate: der }) => derToPem(der)).join(''),
    'chain.pem',
  )
  const p12 = join(testFolder(), 'jan.p12')
  const exported = await run(
    'openssl',
    `pkcs12 -export -inkey ${key} -in ${certificate} -certfile ${chain} -name jan -passout pass: -out ${p12}`,
  )
  expect(exported.code).toBe(0)
  await run('certutil', ['-N', '-d', `sql:${folder}`, '--empty-password'])
  expect((await run('pk12util', ['-i', p12, '-d', `sql:${folder}`, '-W', '', '-K', ''])).code).toBe(0)
  return folder
}

test.skipIf(!has('pdfsig') || !has('certutil') || !has('pk12util'))(
  'R48 what pdfsig signs (skipped without pdfsig and the tools of NSS) is accepted',
  async () => {
    const store = await keyStore()
    const signed = await made('pdfsig', (out) => [
      '-nssdir',
      store,
      '-add-signature',
      '-nick',
      'jan',
      '-digest',
      'SHA256',
      testFile(sealed),
      out,
    ])
    const { verdict, issued, signatures } = await validatePdf(
      signed,
      authorities.policyOf({ issued: [issuedFile(sealed)] }),
    )
    expect(signatures.at(-1)!.problems.filter(({ severity }) => severity === 'refuse')).toEqual([])
    expect(signatures.at(-1)).toMatchObject({ intact: true, trusted: true, coversWholeDocument: true })
    expect({ verdict, issued }).toEqual({ verdict: 'accepted', issued: 'same-bytes' })
  },
)

test('R48 what LibreOffice signed is accepted, with every certificate of its path taken from the file, and no byte of it may change', async () => {
  const sample = (name: string) => new Uint8Array(readFileSync(join(import.meta.dirname, '../samples', name)))
  const signed = sample('libreoffice.pdf')
  const issued = signed.subarray(0, 26_297)
  const policy = authorities.policyOf({
    anchors: [{ certificate: sample('libreoffice-root.der') }],
    receivedAt: new Date('2026-11-22T00:00:00Z'),
    issued: [issuedFile(issued)],
  })
  const report = await validatePdf(signed, policy)
  expect(report).toMatchObject({ verdict: 'accepted', issued: 'same-bytes', problems: [] })
  expect(
    report.signatures.map(({ intact, trusted, coversWholeDocument }) => [intact, trusted, coversWholeDocument]),
  ).toEqual([
    [true, true, false],
    [true, true, true],
  ])
  // Of what was issued, and of what LibreOffice wrote behind the gap of its signature.
  for (const position of [60, signed.length - 60]) {
    const broken = signed.slice()
    broken[position]! ^= 1
    expect((await validatePdf(broken, policy)).verdict).toBe('refused')
  }
})
