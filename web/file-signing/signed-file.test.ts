import { createHash, hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { CRLReasons } from '@peculiar/asn1-x509'
import { describe, expect, test } from 'vitest'
import { extension } from '../../pki/asn1/certificate-write.ts'
import { derToPem } from '../../pki/asn1/certificate.ts'
import { derValue } from '../../pki/asn1/der.ts'
import { base64Of, latin1 } from '../../pki/bytes.ts'
import type { VisibleSignature } from '../../pki/pades/pades-sign.ts'
import { validatePdf } from '../../pki/pades/pades-validate.ts'
import { appendValidationData, readValidationData } from '../../pki/pades/pades-validation-data.ts'
import { intersection, isEmpty, readRectangle } from '../../pki/pdf/pdf-geometry.ts'
import { arrayAt, firstPage, openPdf } from '../../pki/pdf/pdf-read.ts'
import { encryptPdf } from '../../pki/pdf/pdf-rewrite.ts'
import { isDictionary } from '../../pki/pdf/pdf-value.ts'
import {
  anna,
  contract,
  contractPdf,
  fileOf,
  issuing,
  ocspAnswer,
  policyOf,
  responder,
  revocationList,
  root,
  seal,
  signedAt,
  signPdf,
  stampDocument,
  stamper,
  timestampAuthority,
  withTransform,
} from '../../pki/testing/pades-authorities.ts'
import { has, run, testFile, testFolder } from '../../pki/testing/peer-programs.ts'
import { richDocument } from '../../pki/testing/rich-document.ts'
import { chainsOf, embedSigned, inspectFile, prepareFile, UnsignableFile, withEvidence } from './signed-file.ts'
import { signedBy, signer } from './testing/portal-signatures.ts'

const field = { signer: 'Łucja Żółć', reason: 'Zgadzam się', at: signedAt }

const visible = (changes: Partial<VisibleSignature> = {}): VisibleSignature => ({
  page: 'first',
  place: 'bottom-right',
  size: { width: 180, height: 60 },
  image: { width: 3, height: 1, data: deflateSync(Uint8Array.of(0, 128, 255)) },
  text: 'Łucja Żółć, 21.11.2026',
  ...changes,
})

type Options = { password?: string; visible?: VisibleSignature }

/** Returns the file as the browser makes it, before the evidence. */
function timestamp(bytes: Uint8Array, { password = '', visible: shown }: Options = {}) {
  const prepared = prepareFile({ bytes, password }, { ...field, ...(shown && { visible: shown }) }, signer)
  return { bytes: embedSigned(prepared, signer, signedBy(prepared.digest)), password }
}

const evidence = (ocsps = [ocspAnswer(anna), ocspAnswer(stamper)]) => ({
  anchors: [root.certificate],
  ocsps,
  crls: [revocationList()],
})

/** Returns the file as the browser makes it, with the evidence. */
function sign(bytes: Uint8Array, options: Options = {}) {
  const file = timestamp(bytes, options)
  const { bytes: lasting, lacks } = withEvidence(file, chainsOf(file), evidence())
  expect([lacks, chainsOf({ ...file, bytes: lasting }).newest]).toEqual(['nothing', []])
  return lasting
}

const validate = (file: Uint8Array, password = '') =>
  validatePdf(file, policyOf({ revocation: 'required', password, qualified: false, largest: 60_000_000 }))

/** Returns the places where the first page shows signatures. */
function shownIn(file: Uint8Array) {
  const pdf = openPdf(file)
  return arrayAt(pdf, firstPage(pdf).page, 'Annots').flatMap((item) => {
    const widget = pdf.resolve(item)
    const box = isDictionary(widget) ? readRectangle(pdf, widget.get('Rect')) : undefined
    return box && !isEmpty(box) ? [box] : []
  })
}

const problemOf = (bytes: Uint8Array, password = '') => {
  try {
    return inspectFile(bytes, password)
  } catch (error) {
    if (error instanceof UnsignableFile) return error.problem
    throw error
  }
}

const complete = { intact: true, trusted: true, coversWholeDocument: false, level: 'B-LT', problems: [] }

test('SGN-26 a signed file begins with every byte of the original, and is B-LT', async () => {
  const file = contractPdf()
  const signed = sign(file)
  expect(Buffer.from(signed.subarray(0, file.length)).equals(Buffer.from(file))).toBe(true)
  const { signatures } = await validate(signed)
  expect(signatures).toMatchObject([{ ...complete, coversWholeDocument: expect.any(Boolean) }])
})

test('SGN-26 a file without the evidence about one of its certificates is not complete', () => {
  const file = timestamp(contractPdf())
  const { bytes, lacks } = withEvidence(file, chainsOf(file), evidence([ocspAnswer(anna)]))
  expect([lacks, chainsOf({ ...file, bytes }).newest.length]).toEqual(['answers', 1])
})

test('SGN-26 nothing needs to be known of a trusted authority, also of one below a root', async () => {
  const file = timestamp(contractPdf())
  const by = (anchor: Uint8Array) => withEvidence(file, chainsOf(file), { ...evidence(), crls: [], anchors: [anchor] })
  const { bytes, lacks } = by(issuing.certificate)
  expect(lacks).toBe('nothing')
  const { signatures } = await validatePdf(bytes, {
    ...policyOf({ revocation: 'required', qualified: false }),
    anchors: [{ certificate: issuing.certificate }],
  })
  expect(signatures).toMatchObject([{ trusted: true, level: 'B-LT', problems: [] }])
  expect(by(root.certificate).lacks).toBe('answers')
})

test('SGN-26 an earlier document timestamp by an unknown authority needs no evidence', () => {
  const stranger = timestampAuthority('Stranger')
  const file = timestamp(stampDocument(contractPdf(), signedAt, 'Obcy', stranger))
  expect(withEvidence(file, chainsOf(file), evidence()).lacks).toBe('nothing')
})

test('SGN-26 another attempt without any answer leaves the file as it is', () => {
  const file = timestamp(contractPdf())
  const { bytes, lacks } = withEvidence(file, chainsOf(file), { ...evidence([]), crls: [] })
  expect([lacks, bytes.length]).toEqual(['answers', file.bytes.length])
})

/** Returns the content of the document security store of a file. */
const storedIn = ({ bytes }: { bytes: Uint8Array }) => readValidationData(openPdf(bytes))

test('SGN-26 each file has the smallest evidence about its certificates, and none about others', () => {
  const file = timestamp(contractPdf())
  const [own, list] = [ocspAnswer(anna), revocationList({ issuer: issuing })]
  const foreign = [ocspAnswer(seal), ocspAnswer(responder)]
  const all = evidence([...foreign, own, ocspAnswer(stamper)])
  const { bytes, lacks } = withEvidence(file, chainsOf(file), { ...all, crls: [...all.crls, list] })
  const stored = storedIn({ bytes })
  expect(lacks).toBe('nothing')
  // The list is smaller than the two answers.
  expect(stored.ocsps).toEqual([])
  expect(stored.crls.map(base64Of).toSorted()).toEqual([...all.crls, list].map(base64Of).toSorted())
  const { ocsps } = storedIn(withEvidence(file, chainsOf(file), all))
  expect(ocsps.map(base64Of).toSorted()).toEqual([own, all.ocsps.at(-1)!].map(base64Of).toSorted())
})

test('SGN-26 evidence that would make a file much larger is left out, and the file says so', () => {
  const file = timestamp(contractPdf())
  const long = revocationList({
    issuer: issuing,
    extensions: [extension('1.2.3.4', derValue(0x04, new Uint8Array(524_289)))],
  })
  const { bytes, lacks } = withEvidence(file, chainsOf(file), { ...evidence([]), crls: [revocationList(), long] })
  expect([lacks, bytes.length]).toEqual(['room', file.bytes.length])
  // Once the responder answers.
  expect(withEvidence(file, chainsOf(file), { ...evidence(), crls: [revocationList(), long] }).lacks).toBe('nothing')
})

test('SGN-26 one answer that a certificate was revoked outweighs another that it was not', () => {
  const file = timestamp(contractPdf())
  const revoked = ocspAnswer(anna, { status: { revokedAt: new Date(signedAt.getTime() - 1000) } })
  const { lacks } = withEvidence(file, chainsOf(file), evidence([revoked, ocspAnswer(anna), ocspAnswer(stamper)]))
  expect(lacks).toBe('answers')
})

test('SGN-26 CHK-13 evidence in the file of a suspension is outweighed by a newer answer alone', async () => {
  const minutes = (count: number) => new Date(signedAt.getTime() + count * 60_000)
  const hold = (at: number) =>
    revocationList({
      issuer: issuing,
      at: minutes(at),
      revoked: [{ about: anna, at: minutes(-30), reason: CRLReasons.certificateHold }],
    })
  const good = (at: number) => ocspAnswer(anna, { at: minutes(at), nextUpdate: minutes(60) })
  /** Completes a file that already has a revocation list, such as for an earlier signature. */
  const completed = async (list: Uint8Array, answers: Uint8Array<ArrayBuffer>[]) => {
    const file = timestamp(
      appendValidationData(contractPdf(), { certificates: [], ocsps: [ocspAnswer(stamper)], crls: [list] }),
    )
    const { bytes, lacks } = withEvidence(file, chainsOf(file), evidence(answers))
    const { verdict, signatures } = await validate(bytes)
    return { lacks, verdict, level: signatures[0]?.level, stored: storedIn({ bytes }).ocsps.length - 1 }
  }
  const whole = { lacks: 'nothing', verdict: 'accepted', level: 'B-LT', stored: 1 }
  // Suspended, resumed, and then signed.
  expect(await completed(hold(-20), [good(5)])).toEqual(whole)
  const older = { ...whole, lacks: 'answers', level: 'B-T' }
  expect(await completed(hold(-20), [good(-25), good(-10)])).toEqual(older)
  const none = { lacks: 'answers', verdict: 'refused', level: 'B-T', stored: 0 }
  expect(await completed(hold(-20), [good(-25)])).toEqual(none)
  // Signed while it was suspended.
  expect(await completed(hold(5), [good(10)])).toEqual(none)
})

test('SGN-26 evidence counts also where the file has very much already', () => {
  const old = Array.from({ length: 300 }, (_, index) =>
    derValue(0x30, derValue(0x02, Uint8Array.of(1, index >> 8, index))),
  )
  const full = appendValidationData(contractPdf(), { certificates: [], ocsps: old, crls: old })
  const file = timestamp(full)
  const { bytes, lacks } = withEvidence(file, chainsOf(file), evidence())
  expect([lacks, chainsOf({ ...file, bytes }).newest]).toEqual(['nothing', []])
})

const storing = (store: string) =>
  fileOf([`<</Type/Catalog/Pages 2 0 R/AcroForm 6 0 R/DSS ${store}>>`, ...contract.slice(1), '5 0 R'])

test.each(['<</Certs<<>>>>', '<</OCSPs(x)>>', '[5 0 R]'])(
  'SGN-20 SGN-26 a store of evidence that is damaged is replaced: /DSS %s',
  async (store) => {
    const { signatures } = await validate(sign(storing(store)))
    expect(signatures).toMatchObject([complete])
  },
)

test('SGN-20 a file whose store of evidence is only a reference is refused before it is signed', () => {
  expect(problemOf(storing('8 0 R'))).toBe('damaged')
})

test('SGN-22 a script in a file is noticed', () => {
  const scripted = fileOf(
    contract.map((each) =>
      typeof each === 'string' && each.includes('/Catalog')
        ? each.replace('/Catalog', '/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>')
        : each,
    ),
    '/Info 7 0 R',
  )
  expect([inspectFile(scripted, '').isActive, inspectFile(contractPdf(), '').isActive]).toEqual([true, false])
})

test('SGN-26 earlier signatures stay intact, and several can follow each other', async () => {
  const once = signPdf(contractPdf(), { by: seal, timestamp: true })
  expect(inspectFile(once, '')).toEqual({ pages: expect.any(Number), signatures: 1, isActive: false })
  const { signatures } = await validate(sign(sign(once)))
  expect(signatures.map(({ intact }) => intact)).toEqual([true, true, true])
  expect(signatures.map(({ level }) => level).slice(1)).toEqual(['B-LT', 'B-LT'])
})

test('SGN-20 an encrypted file is opened with its password and stays encrypted', async () => {
  const password = 'Zolta lodka 77'
  const locked = encryptPdf(contractPdf(), { password, owner: 'provider' })
  expect([problemOf(locked), problemOf(locked, 'wrong')]).toEqual(['wrong-password', 'wrong-password'])
  const signed = sign(locked, { password })
  expect((await validate(signed, password)).signatures).toMatchObject([{ intact: true, level: 'B-LT' }])
  expect(problemOf(signed)).toBe('wrong-password')
})

test.skipIf(!has('qpdf'))('SGN-20 files that qpdf (skipped without it) encrypts are signed', async () => {
  for (const password of ['', 'zażółć gęślą']) {
    const path = join(testFolder(), 'theirs.pdf')
    await run('qpdf', ['--encrypt', password, 'owner', '256', '--', testFile(contractPdf()), path])
    const signed = sign(new Uint8Array(readFileSync(path)), { password })
    expect((await validate(signed, password)).signatures).toMatchObject([{ intact: true, level: 'B-LT' }])
  }
})

test('SGN-20 R102 a file certified against signatures is refused, one that permits them is not', async () => {
  const certified = (parameters: string) => signPdf(contractPdf(), { by: seal, ...withTransform('DocMDP', parameters) })
  expect(problemOf(certified('/P 1'))).toBe('forbidden')
  const locked = signPdf(contractPdf(), { by: seal, replaced: ['/Type /Annot ', '/Lock<</P 1>>'] })
  expect(problemOf(locked)).toBe('forbidden')
  const { signatures } = await validate(sign(certified('/P 2')))
  expect(signatures.map(({ intact }) => intact)).toEqual([true, true])
  expect(signatures.flatMap(({ problems }) => problems.map(({ code }) => code))).not.toContain('changed-after-signing')
})

test.each([
  ['no PDF', Buffer.from('PK…'), 'not-pdf'],
  ['nothing', Buffer.of(), 'not-pdf'],
  ['a torn file', contractPdf().slice(0, -40), 'damaged'],
  ['a file after a byte order mark', Buffer.concat([Buffer.from('\ufeff'), contractPdf()]), 'stray-bytes'],
  ['a file before zeros', Buffer.concat([contractPdf(), Buffer.alloc(2)]), 'stray-bytes'],
] as const)('SGN-20 %s says why it cannot be signed', (_, bytes, problem) => {
  expect(problemOf(bytes)).toBe(problem)
})

describe('R201 what the portal returns', () => {
  const prepared = prepareFile({ bytes: contractPdf(), password: '' }, field, signer)
  test.each([
    ['the signature of another file', signedBy(hash('sha256', 'another', 'buffer'))],
    ['the signature of another certificate', signedBy(prepared.digest, seal)],
    [
      'a timestamp of another signature',
      { ...signedBy(prepared.digest), timestamp: signedBy(prepared.digest).timestamp },
    ],
    ['no timestamp', { ...signedBy(prepared.digest), timestamp: base64Of(anna.certificate) }],
    ['no base64', { signature: '%', timestamp: '' }],
  ])('%s is not put into a file', (_, signed) => {
    expect(() => embedSigned(prepared, signer, signed)).toThrow(new UnsignableFile('foreign'))
  })
})

test('SGN-24 signatures at one place are shown beside each other on the page, and are valid', async () => {
  let file: Uint8Array<ArrayBuffer> = contractPdf()
  for (let count = 0; count < 3; count++) file = sign(file, { visible: visible() })
  const boxes = shownIn(file)
  expect(boxes).toHaveLength(3)
  for (const [at, box] of boxes.entries()) {
    const [left, bottom, right, top] = box
    expect([left > 0, bottom > 0, right < 595, top < 842]).not.toContain(false)
    for (const other of boxes.slice(at + 1)) expect(isEmpty(intersection(box, other))).toBe(true)
  }
  const { signatures } = await validate(file)
  const { coversWholeDocument: _, ...whole } = complete
  expect(signatures).toMatchObject([whole, whole, whole])
})

test('SGN-24 a signature on the last page is on that page only, and changes none', async () => {
  const signed = sign(richDocument.bytes, { visible: visible({ page: 'last' }) })
  expect(shownIn(signed)).toEqual(shownIn(richDocument.bytes))
  expect((await validate(signed)).signatures).toMatchObject([{ intact: true, level: 'B-LT' }])
})

test.skipIf(!has('qpdf') || !has('pdfsig'))('SGN-26 SGN-24 qpdf and pdfsig (skipped without) accept both', async () => {
  for (const options of [{}, { visible: visible() }]) {
    const path = testFile(sign(contractPdf(), options))
    expect((await run('qpdf', ['--check', path])).output).toMatch(/No syntax or stream encoding errors/)
    expect((await run('pdfsig', ['-nocert', path])).output).toContain('Signature is Valid')
  }
})

test.skipIf(!has('openssl'))('SGN-26 openssl (skipped without it) follows it to the root, sees a change', async () => {
  const text = latin1(sign(contractPdf(), { visible: visible() }))
  const [, length, next, rest] = text.slice(text.lastIndexOf('/ByteRange [')).match(/\d+/g)!.map(Number)
  const message = Buffer.from(text.slice(length! + 1, next! - 1), 'hex')
  const content = Buffer.from(text.slice(0, length) + text.slice(next, next! + rest!), 'latin1')
  const verify = (covered: Uint8Array) => {
    const files = { in: message.subarray(0, message.readUInt16BE(2) + 4), content: covered, out: '' }
    const given = Object.entries(files).flatMap(([name, file]) => [`-${name}`, testFile(file)])
    const trust = ['-CAfile', testFile(Buffer.from(derToPem(root.certificate))), '-purpose', 'any']
    return run('openssl', ['cms', '-verify', '-cades', '-inform', 'DER', '-binary', ...given, ...trust])
  }
  expect((await verify(content)).output).toContain('CAdES Verification successful')
  expect((await verify(content.map((byte, at) => (at === 20 ? byte ^ 1 : byte)))).code).not.toBe(0)
})

test('SGN-21 the digest is that of what the signature covers', () => {
  const { prepared, digest } = prepareFile({ bytes: contractPdf(), password: '' }, field, signer)
  const { bytes, gap } = prepared
  const covered = createHash('sha256').update(bytes.subarray(0, gap.start)).update(bytes.subarray(gap.end)).digest()
  expect(Buffer.from(digest).equals(covered)).toBe(true)
})
