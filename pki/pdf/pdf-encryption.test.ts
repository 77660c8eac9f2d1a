import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bytesOf, latin1 } from '../bytes.ts'
import { issuedFile } from '../pades/pades-issued.ts'
import { validatePdf } from '../pades/pades-validate.ts'
import { contractPdf, policyOf, seal, signPdf } from '../testing/pades-authorities.ts'
import { has, run, testFile, testFolder } from '../testing/peer-programs.ts'
import { printedPdf } from '../testing/rich-document.ts'
import { openAnyPdf } from './pdf-encryption.ts'
import { PdfError } from './pdf-parser.ts'
import { canonicalPdf, decryptPdf, encryptPdf } from './pdf-rewrite.ts'
import { pdfDictionary, pdfName, pdfReference, pdfText } from './pdf-value.ts'
import { appendUpdate } from './pdf-write.ts'

const password = 'K7Q2-9MXA-4TRB-WZ6E'
const locked = { password, owner: 'tylko-dla-nas' }

const plain = await printedPdf('Umowa o świadczenie usług', 'Umowa na 100 zl', '2')

function codeOf(work: () => unknown) {
  try {
    work()
    return 'done'
  } catch (error) {
    return error instanceof PdfError ? error.code : error
  }
}

test('DOC-2 DOC-9 what was encrypted is decrypted to the very bytes that are known beforehand', () => {
  const encrypted = encryptPdf(plain, locked)
  const canonical = canonicalPdf(plain)
  expect(latin1(encrypted)).not.toContain('Umowa')
  expect(decryptPdf(encrypted, { password })).toEqual(canonical)
  expect(decryptPdf(encrypted, { password: locked.owner })).toEqual(canonical)
  expect(canonicalPdf(canonical)).toEqual(canonical)
})

test('DOC-2 no other password opens a file', () => {
  const encrypted = encryptPdf(plain, locked)
  for (const wrong of ['', 'x', password.toLowerCase(), `${password} `, 'ż', 'a'.repeat(128)])
    expect(codeOf(() => decryptPdf(encrypted, { password: wrong }))).toBe('wrong-password')
})

test('DOC-2 a password that readers would write in several ways is not set', async () => {
  for (const bad of ['', 'zażółć', 'a'.repeat(128), 'a\nb'])
    expect(() => encryptPdf(plain, { password: bad, owner: 'o' })).toThrow(RangeError)
})

test('DOC-2 permissions that were changed, and parts that were damaged, are noticed', async () => {
  const encrypted = encryptPdf(plain, locked)
  const freed = bytesOf(
    latin1(encrypted).replace(/\/P (-\d+)/, (found) =>
      found.replace(/\d$/, (digit) => String((Number(digit) + 4) % 10)),
    ),
  )
  expect(codeOf(() => decryptPdf(freed, { password }))).toBe('damaged')
  const at = latin1(encrypted).indexOf('stream\n') + 100
  const broken = encrypted.slice()
  broken[at - 60]! ^= 1
  const text = codeOf(() => decryptPdf(broken, { password }))
  expect(['damaged', 'done']).toContain(text)
})

test('R45 an encrypted file says so, and a wrong code says so; with the right code its signatures are judged', async () => {
  const encrypted = encryptPdf(contractPdf(), locked)
  const sealed = signPdf(openAnyPdf(encrypted, password), { by: seal, field: 'Pieczec' })
  const signed = signPdf(openAnyPdf(sealed, password), { timestamp: true })
  const verdictWith = async (file: Uint8Array, code?: string) => {
    const { verdict, problems, issued } = await validatePdf(
      file,
      policyOf({ issued: [issuedFile(sealed)], ...(code !== undefined && { password: code }) }),
    )
    return { verdict, issued, codes: problems.map(({ code: problem }) => problem) }
  }
  expect(await verdictWith(signed)).toMatchObject({ verdict: 'refused', codes: ['encrypted'] })
  expect(await verdictWith(signed, 'x')).toMatchObject({ verdict: 'refused', codes: ['wrong-password'] })
  expect(await verdictWith(signed, password)).toEqual({ verdict: 'accepted', issued: 'same-bytes', codes: [] })
  expect(decryptPdf(sealed, { password, revision: 0 })).toEqual(canonicalPdf(contractPdf()))
})

/** Writes the file with qpdf and these options. */
async function byQpdf(...options: string[]) {
  const made = join(testFolder(), 'made.pdf')
  await run('qpdf', [...options, testFile(plain), made])
  return new Uint8Array(readFileSync(made))
}

test.skipIf(!has('qpdf'))(
  'DOC-2 qpdf (skipped where it is missing) opens what we encrypt with the code alone, and we open what it encrypts',
  async () => {
    const encrypted = testFile(encryptPdf(plain, locked))
    expect((await run('qpdf', [`--password=${password}`, '--check', encrypted])).output).toMatch(
      /No syntax or stream encoding errors/,
    )
    expect((await run('qpdf', [`--password=${password}`, '--show-encryption', encrypted])).output).toMatch(
      /R = 6[\s\S]*AESv3/,
    )
    expect((await run('qpdf', ['--password=wrong', '--check', encrypted])).output).toMatch(/invalid password/)
    const theirs = await byQpdf('--encrypt', password, 'owner', '256', '--')
    expect(openAnyPdf(theirs, password).object(1)!.start).toBeGreaterThanOrEqual(0)
    expect(codeOf(() => openAnyPdf(theirs, 'wrong'))).toBe('wrong-password')
    const older = await byQpdf('--encrypt', password, 'owner', '128', '--use-aes=y', '--')
    expect(codeOf(() => openAnyPdf(older, password))).toBe('encrypted')
  },
)

test.skipIf(!has('qpdf'))(
  'CHK-3 a file that qpdf (skipped where it is missing) encrypts with an empty password, or with letters outside of ASCII, is opened',
  async () => {
    for (const [theirPassword, typed] of [
      ['', ''],
      ['zażółć gęślą', 'zażółć\u00a0gęślą'],
      ['zażółć', 'zażółć'.normalize('NFD')],
    ] as const) {
      const file = await byQpdf('--encrypt', theirPassword, 'owner', '256', '--')
      expect([typed, codeOf(() => openAnyPdf(file, typed))]).toEqual([typed, 'done'])
      expect([typed, codeOf(() => openAnyPdf(file, 'zazolc'))]).toEqual([typed, 'wrong-password'])
    }
  },
)

test.skipIf(!has('qpdf'))(
  'DOC-2 a file with object streams, of qpdf (skipped where it is missing), is encrypted and decrypted as well',
  async () => {
    const bytes = await byQpdf('--object-streams=generate')
    const encrypted = encryptPdf(bytes, locked)
    expect(decryptPdf(encrypted, { password })).toEqual(canonicalPdf(bytes))
    expect((await run('qpdf', [`--password=${password}`, '--check', testFile(encrypted)])).output).toMatch(/No syntax/)
  },
)

test.skipIf(!has('pdftotext'))('DOC-2 poppler (skipped where it is missing) reads what we encrypt', async () => {
  const encrypted = testFile(encryptPdf(plain, locked))
  expect((await run('pdftotext', ['-upw', password, encrypted, '-'])).output).toContain('Umowa na 100 zl')
  expect((await run('pdfinfo', ['-upw', password, encrypted])).output).toContain('świadczenie')
})

test('R99 a stream that only says of itself that it is a cross-reference stream is decrypted like any other', async () => {
  const pdf = openAnyPdf(encryptPdf(plain, locked), password)
  const reference = pdfReference(pdf.trailer.get('Size') as number)
  const value = pdfDictionary({ Type: pdfName('XRef'), Note: pdfText('x') })
  const { bytes } = appendUpdate(pdf, [{ reference, value, data: bytesOf('Umowa na 1 zl') }])
  const read = openAnyPdf(bytes, password).object(reference.number)
  expect(latin1(read!.data!)).toBe('Umowa na 1 zl')
})
