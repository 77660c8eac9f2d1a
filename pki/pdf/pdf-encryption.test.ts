import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import PdfKit from 'pdfkit'
import { expect, test } from 'vitest'
import { issuedFile } from '../pades/pades-issued.ts'
import { validatePdf } from '../pades/pades-validate.ts'
import { bytesOf, latin1 } from '../bytes.ts'
import { nodeCipher, nodeInflate, openAnyPdf } from './pdf-cipher-node.ts'
import { webCipher } from './pdf-cipher-web.ts'
import type { PdfCipher } from './pdf-encryption.ts'
import { PdfError } from './pdf-parser.ts'
import { canonicalPdf, decryptPdf, encryptPdf } from './pdf-rewrite.ts'
import { pdfDictionary, pdfName, pdfReference, pdfText } from './pdf-value.ts'
import { appendUpdate } from './pdf-write.ts'
import { has, run, testFile, testFolder } from '../testing/peer-programs.ts'
import { contractPdf, policyOf, seal, signPdf } from '../testing/pades-authorities.ts'

const password = 'K7Q2-9MXA-4TRB-WZ6E'
const locked = { password, owner: 'tylko-dla-nas' }
const ciphers: [string, PdfCipher][] = [
  ['node:crypto', nodeCipher],
  ['WebCrypto', webCipher],
]
const tools = { cipher: nodeCipher }

async function paper() {
  const pdf = new PdfKit({
    pdfVersion: '1.7',
    info: { CreationDate: new Date('2026-11-21'), Title: 'Umowa o świadczenie usług' },
  })
  pdf.text('Umowa na 100 zl').addPage().text('2')
  pdf.end()
  return new Uint8Array(Buffer.concat(await pdf.toArray()))
}

const plain = await paper()
async function codeOf(work: Promise<unknown>) {
  try {
    await work
    return 'done'
  } catch (error) {
    return error instanceof PdfError ? error.code : error
  }
}

test.each(ciphers)(
  'DOC-2 DOC-9 with %s what was encrypted is decrypted to the very bytes that are known beforehand',
  async (_, cipher) => {
    const encrypted = await encryptPdf(plain, locked, { cipher })
    expect(latin1(encrypted)).not.toContain('Umowa')
    for (const [, decrypting] of ciphers)
      expect(await decryptPdf(encrypted, { password }, { cipher: decrypting })).toEqual(
        await canonicalPdf(plain, { cipher }),
      )
    expect(await decryptPdf(encrypted, { password: locked.owner }, { cipher })).toEqual(
      await canonicalPdf(plain, tools),
    )
  },
)

test('DOC-9 the canonical form of a file is its own canonical form', async () => {
  const canonical = await canonicalPdf(plain, tools)
  expect(await canonicalPdf(canonical, tools)).toEqual(canonical)
})

test.each(ciphers)('DOC-2 with %s no other password opens a file', async (_, cipher) => {
  const encrypted = await encryptPdf(plain, locked, { cipher })
  for (const wrong of ['', 'x', password.toLowerCase(), `${password} `, 'ż', 'a'.repeat(128)])
    expect(await codeOf(decryptPdf(encrypted, { password: wrong }, { cipher }))).toBe('wrong-password')
})

test('DOC-2 a password that readers would write in several ways is not set', async () => {
  for (const bad of ['', 'zażółć', 'a'.repeat(128), 'a\nb'])
    await expect(encryptPdf(plain, { password: bad, owner: 'o' }, tools)).rejects.toThrow(RangeError)
})

test('DOC-2 permissions that were changed, and parts that were damaged, are noticed', async () => {
  const encrypted = await encryptPdf(plain, locked, tools)
  const freed = bytesOf(
    latin1(encrypted).replace(/\/P (-\d+)/, (found) =>
      found.replace(/\d$/, (digit) => String((Number(digit) + 4) % 10)),
    ),
  )
  expect(await codeOf(decryptPdf(freed, { password }, tools))).toBe('damaged')
  const at = latin1(encrypted).indexOf('stream\n') + 100
  const broken = encrypted.slice()
  broken[at - 60]! ^= 1
  const text = await codeOf(decryptPdf(broken, { password }, tools))
  expect(['damaged', 'done']).toContain(text)
})

test('R45 an encrypted file says so, and a wrong code says so; with the right code its signatures are judged', async () => {
  const encrypted = await encryptPdf(contractPdf(), locked, tools)
  const sealed = signPdf(await openAnyPdf(encrypted, password), { by: seal, field: 'Pieczec' })
  const signed = signPdf(await openAnyPdf(sealed, password), { timestamp: true })
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
  expect(await decryptPdf(sealed, { password, revision: 0 }, tools)).toEqual(await canonicalPdf(contractPdf(), tools))
})

test.skipIf(!has('qpdf'))(
  'DOC-2 qpdf (skipped where it is missing) opens what we encrypt with the code alone, and we open what it encrypts',
  async () => {
    const encrypted = testFile(await encryptPdf(plain, locked, tools))
    expect((await run('qpdf', [`--password=${password}`, '--check', encrypted])).output).toMatch(
      /No syntax or stream encoding errors/,
    )
    expect((await run('qpdf', [`--password=${password}`, '--show-encryption', encrypted])).output).toMatch(
      /R = 6[\s\S]*AESv3/,
    )
    expect((await run('qpdf', ['--password=wrong', '--check', encrypted])).output).toMatch(/invalid password/)
    const theirs = join(testFolder(), 'theirs.pdf')
    await run('qpdf', ['--encrypt', password, 'owner', '256', '--', testFile(plain), theirs])
    const opened = await openAnyPdf(new Uint8Array(readFileSync(theirs)), password)
    expect(latin1(opened.object(1)!.start >= 0 ? bytesOf('read') : bytesOf(''))).toBe('read')
    expect(await codeOf(openAnyPdf(new Uint8Array(readFileSync(theirs)), 'wrong'))).toBe('wrong-password')
    const older = join(testFolder(), 'older.pdf')
    await run('qpdf', ['--encrypt', password, 'owner', '128', '--use-aes=y', '--', testFile(plain), older])
    expect(await codeOf(openAnyPdf(new Uint8Array(readFileSync(older)), password))).toBe('encrypted')
  },
)

test.skipIf(!has('qpdf'))(
  'DOC-2 a file with object streams, of qpdf (skipped where it is missing), is encrypted and decrypted as well',
  async () => {
    const packed = join(testFolder(), 'packed.pdf')
    await run('qpdf', ['--object-streams=generate', testFile(plain), packed])
    const bytes = new Uint8Array(readFileSync(packed))
    const all = { cipher: nodeCipher, inflate: nodeInflate }
    const encrypted = await encryptPdf(bytes, locked, all)
    expect(await decryptPdf(encrypted, { password }, tools)).toEqual(await canonicalPdf(bytes, all))
    expect((await run('qpdf', [`--password=${password}`, '--check', testFile(encrypted)])).output).toMatch(/No syntax/)
    expect(await codeOf(canonicalPdf(bytes, tools))).toBe('damaged')
  },
)

test.skipIf(!has('pdftotext'))('DOC-2 poppler (skipped where it is missing) reads what we encrypt', async () => {
  const encrypted = testFile(await encryptPdf(plain, locked, tools))
  expect((await run('pdftotext', ['-upw', password, encrypted, '-'])).output).toContain('Umowa na 100 zl')
  expect((await run('pdfinfo', ['-upw', password, encrypted])).output).toContain('świadczenie')
})

test('R99 a stream that only says of itself that it is a cross-reference stream is decrypted like any other', async () => {
  const pdf = await openAnyPdf(await encryptPdf(plain, locked, tools), password)
  const reference = pdfReference(pdf.trailer.get('Size') as number)
  const value = pdfDictionary({ Type: pdfName('XRef'), Note: pdfText('x') })
  const { bytes } = appendUpdate(pdf, [{ reference, value, data: bytesOf('Umowa na 1 zl') }])
  const read = (await openAnyPdf(bytes, password)).object(reference.number)
  expect(latin1(read!.data!)).toBe('Umowa na 1 zl')
})
