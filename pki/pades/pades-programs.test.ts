import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { derToPem } from '../asn1/certificate.ts'
import { contentDifference } from '../pdf/pdf-content-difference.ts'
import { openPdf } from '../pdf/pdf-read.ts'
import { edited, type Edit } from '../testing/changed-documents.ts'
import * as authorities from '../testing/pades-authorities.ts'
import { has, run, testFile, testFolder } from '../testing/peer-programs.ts'
import { printedPdf } from '../testing/rich-document.ts'
import { issuedFile } from './pades-issued.ts'
import { validatePdf } from './pades-validate.ts'

const plain = await printedPdf('Umowa', 'Strona 1', 'Strona 2', 'Strona 3')
const sealed = authorities.signPdf(plain, { by: authorities.seal, field: 'Pieczec' })

async function made(program: string, args: (out: string) => string[]) {
  const out = join(testFolder(), 'out.pdf')
  const { output } = await run(program, args(out))
  expect({ output, made: existsSync(out) }).toMatchObject({ made: true })
  return new Uint8Array(readFileSync(out))
}

test.skipIf(!has('qpdf'))(
  'DOC-8 a file that qpdf (skipped without it) linearized and packed is signed and judged',
  async () => {
    const options = ['--linearize', '--object-streams=generate', '--deterministic-id']
    const repacked = await made('qpdf', (out) => [...options, testFile(plain), out])
    const signed = authorities.signPdf(repacked, { timestamp: true })
    const report = await validatePdf(signed, authorities.policyOf({ issued: [issuedFile(plain)] }))
    expect(report).toMatchObject({ verdict: 'accepted', issued: 'same-content', signatures: [{ intact: true }] })
    expect((await run('qpdf', ['--check', testFile(signed)])).output).toMatch(/No syntax or stream encoding errors/)
  },
)

test.each<[edit: Edit, difference: string]>([
  [['100', '900'], 'page 1 /Contents differs'],
  [['Helvetica', 'Symbol'], 'page 1 /Resources /Font /F1 /BaseFont differs'],
  [['595', '300'], 'page 1 /MediaBox differs'],
  [['/Contents', '/Rotate 180/Contents'], 'page 1 /Rotate differs'],
  [['/Font', '/ExtGState<</G<</D[[3]0]>>>>/Font'], 'page 1 /Resources /ExtGState differs'],
  [['/Font', '/ExtGState<</G<</D[[5]0]>>>>/Font'], 'page 1 /Resources /ExtGState differs'],
  [['/Contents', '/Annots[<</Subtype/FreeText/Rect[0 0 9 9]>>]/Contents'], 'page 1 /Annots differs'],
  [['/Pages', '/OCProperties<</D<</OFF[5 0 R]>>>>/Pages'], 'the catalog /OCProperties differs'],
])('DOC-4 content that is another differs from what was issued: %j', (edit, difference) => {
  const other = authorities.fileOf(edited(authorities.contract, [edit])!)
  expect(contentDifference(openPdf(authorities.contractPdf()), openPdf(other))).toBe(difference)
})

test('DOC-4 what is signed differs in nothing, and another number of pages is named', () => {
  expect(contentDifference(openPdf(plain), openPdf(sealed))).toBeUndefined()
  expect(contentDifference(openPdf(plain), openPdf(authorities.contractPdf()))).toBe('it has another number of pages')
})

/** pdfsig 22.12 reserves room for one length of signature, and ECDSA has several: every second one it calls broken itself. */
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const jan = authorities.holder(
  { name: authorities.person('Jan Kos', 'PNOPL-80010112345'), extensions: authorities.personRights(), keys },
  authorities.issuing,
)

/** Creates a key store of NSS with one signer, as pdfsig needs it. */
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

test('R48 what LibreOffice signed is accepted by the file alone, and no byte of it may change', async () => {
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
