import { expect, test } from 'vitest'
import { printableText } from '../../paper/paper-document.ts'
import { validatePdf } from '../../pki/pades/pades-validate.ts'
import { policyOf } from '../../pki/testing/pades-authorities.ts'
import { fileFolder, has, run, testFile } from '../../pki/testing/peer-programs.ts'
import { makeDisclosureStatement } from '../authority/disclosure-statement.ts'
import { sealPdf } from '../authority/electronic-seal.ts'
import type { PersonSubject } from '../authority/subscriber.ts'
import { openTestAuthority } from '../testing/test-authority.ts'
import { makeAgreement, type AgreementTerms } from './agreement.ts'

const concludedAt = new Date('2026-11-20T10:00:00Z')

const terms = (changes: Partial<AgreementTerms> = {}): AgreementTerms => ({
  language: 'pl',
  number: 'TEST/2026/000123',
  concludedAt,
  product: 'app',
  subject: {
    kind: 'person',
    givenName: 'Wilhelmina Świętosława',
    surname: 'Brzęczyszczykiewicz-Świętochłowska',
    serialNumber: 'PNOPL-44051401458',
    country: 'PL',
    organisation: {
      name: 'Zakłady "Żółć" & Gęśl <sp. z o.o.> \'Łoś\'',
      identifier: 'VATPL-1234563218',
      unit: 'Dział umów',
      position: 'Radczyni prawna',
    },
  },
  notBefore: concludedAt,
  notAfter: new Date('2028-11-20T22:59:59Z'),
  email: 'w.brzeczyszczykiewicz@example.com',
  phone: '+48600100419',
  ...changes,
})

const person = terms().subject as PersonSubject

const authority = await openTestAuthority({
  directory: fileFolder(),
  baseUrl: 'http://pki.example',
  now: () => new Date(),
})
const { root } = authority.certificates
const seal = { ...authority.seal, name: 'Sygnet TEST' }

const sealed = async (language: 'pl' | 'en' = 'pl') =>
  sealPdf(await makeAgreement(terms({ language })), seal, { reason: 'Umowa (TEST) – żółć', at: concludedAt })

async function textOf(pdf: Uint8Array) {
  const { output } = await run('pdftotext', ['-layout', testFile(pdf), '-'])
  return output.replace(/\s+/g, ' ')
}

/** Returns the XMP packet, which is not compressed. */
const xmpOf = (pdf: Uint8Array) => /<x:xmpmeta[^]*<\/x:xmpmeta>/.exec(Buffer.from(pdf).toString('utf8'))![0]

test('SIG-2 equal terms give an agreement of equal bytes, other terms another one', async () => {
  const [first, second, third] = [
    await makeAgreement(terms()),
    await makeAgreement(terms()),
    await makeAgreement(terms({ number: '2' })),
  ]
  expect(Buffer.from(first).equals(second)).toBe(true)
  expect(Buffer.from(first).equals(third)).toBe(false)
})

test.each(['pl', 'en'] as const)(
  'SIG-2 the agreement in %s claims PDF/A-2a and says its language',
  async (language) => {
    const pdf = await makeAgreement(terms({ language }))
    const xmp = xmpOf(pdf)
    expect(xmp).toContain('<pdfaid:part>2</pdfaid:part>')
    expect(xmp).toContain('<pdfaid:conformance>A</pdfaid:conformance>')
    const file = Buffer.from(pdf).toString('latin1')
    expect(file).toMatch(/\/MarkInfo \d+ 0 R/)
    expect(file).toContain({ pl: '/Lang (pl-PL)', en: '/Lang (en-GB)' }[language])
    expect(file).toContain('/S /GTS_PDFA1')
    expect(file).not.toContain('/Encrypt')
  },
)

test('SIG-2 signs of XML in the agreement’s number are escaped in XMP and plain in its title', async () => {
  const pdf = await makeAgreement(terms({ number: `1 & </rdf:li> "'\u0007` }))
  expect(xmpOf(pdf)).toContain('1 &#38; &#60;/rdf:li&#62; &#34;&#39;</rdf:li>')
  const title = Buffer.from('\ufeff1 & </rdf:li> "\'', 'utf16le').swap16().subarray(2)
  expect(Buffer.from(pdf).includes(title)).toBe(true)
})

test.skipIf(!has('pdftotext'))(
  'SIG-2 pdftotext (skipped where it is missing) reads every name and Polish letter, and no Polish in the English agreement',
  async () => {
    const text = await textOf(await makeAgreement(terms()))
    for (const part of [
      'Umowa o kwalifikowany podpis elektroniczny',
      'TEST/2026/000123',
      '20 listopada 2026',
      'Wilhelmina Świętosława',
      'Zakłady "Żółć" & Gęśl <sp. z o.o.> \'Łoś\'',
      'PNOPL-44051401458',
      '20 listopada 2028, 23:59',
      '+48 600 100 419',
      'QCP-n-qscd',
      'nie wywołuje skutków prawnych',
      'Strona 1 z 3',
    ])
      expect(text).toContain(part)
    const subject = { ...person, givenName: 'Jan', surname: 'Kos' }
    const english = await textOf(await makeAgreement(terms({ language: 'en', product: 'file', subject })))
    for (const part of [
      'Qualified electronic signature certificate',
      'concluded on 20 November 2026',
      '20 November 2028, 23:59',
      'Your signature is advanced',
      'Page 1 of 3',
    ])
      expect(english).toContain(part)
    expect(english.match(/umow|certyfikat|klient/gi)).toBeNull()
  },
)

test.skipIf(!has('pdfinfo'))(
  'SIG-2 pdfinfo (skipped where it is missing) says tagged, with headings, table and lists',
  async () => {
    const path = testFile(await sealed())
    expect((await run('pdfinfo', [path])).output).toMatch(/^Tagged: +yes$/m)
    const { output } = await run('pdfinfo', ['-struct', path])
    const tags = new Set(output.match(/^ *\w+/gm)?.map((line) => line.trim()))
    expect(tags).toEqual(
      new Set(['Document', 'H1', 'H2', 'H3', 'P', 'Table', 'TR', 'TH', 'TD', 'L', 'LI', 'Lbl', 'LBody']),
    )
  },
)

test.skipIf(!has('qpdf'))(
  'SIG-2 qpdf (skipped where it is missing) finds no fault in what the provider gives out',
  async () => {
    const files = [
      await sealed('pl'),
      await sealed('en'),
      await makeDisclosureStatement('pl'),
      await makeDisclosureStatement('en'),
    ]
    for (const bytes of files)
      expect(await run('qpdf', ['--check', testFile(bytes)])).toMatchObject({
        code: 0,
        output: expect.stringContaining('No syntax'),
      })
  },
)

test.skipIf(!has('pdffonts'))('SIG-2 pdffonts (skipped where it is missing) sees only embedded fonts', async () => {
  const { output } = await run('pdffonts', [testFile(await makeAgreement(terms()))])
  const fonts = output.split('\n').slice(2).filter(Boolean)
  expect(fonts.map((line) => /NotoSans.*Identity-H +yes yes yes/.test(line))).toEqual([true, true])
})

test.skipIf(!has('pdfsig'))(
  'SIG-2 pdfsig (skipped without it) finds the provider’s seal valid, and sees a change',
  async () => {
    const bytes = await sealed()
    const { output } = await run('pdfsig', ['-nocert', testFile(bytes)])
    expect(output).toContain('Signer Certificate Common Name: Sygnet TEST Seal')
    expect(output).toContain('Total document signed')
    expect(output).toContain('Signature is Valid')
    const changed = bytes.slice()
    changed[Buffer.from(bytes).indexOf('/Lang (pl-PL)') + 8]! ^= 1
    expect((await run('pdfsig', ['-nocert', testFile(changed)])).output).not.toContain('Signature is Valid')
  },
)

test('SIG-2 the provider’s seal carries the certificates up to the root', async () => {
  const policy = policyOf({ anchors: [{ certificate: root }], receivedAt: new Date(), qualified: false })
  const { signatures } = await validatePdf(await sealed(), policy)
  expect(signatures).toMatchObject([{ intact: true, trusted: true, coversWholeDocument: true }])
})

test('SIG-2 what the font cannot draw becomes one clear sign for each character', () => {
  const latin = (codePoint: number) => codePoint < 0x250
  expect(printableText('Łucja 中文 ok', latin)).toBe('Łucja \ufffd\ufffd ok')
  expect(printableText('👨‍👩‍👧 🇵🇱', latin)).toBe('\ufffd \ufffd')
  expect(printableText('Zo\u0065\u0308 a\u202eb\u200bc\nd\te\ud800', latin)).toBe('Zoë abc d e\ufffd')
})

test.each([
  ['', '中文'],
  ['👨‍👩‍👧', 'ab '.repeat(200)],
  ['\u202eabc', '\ud800'],
  ['\0\n', ')(\\'],
])('SIG-2 any name makes an agreement: %j %j', async (givenName, surname) => {
  const pdf = await makeAgreement(terms({ subject: { ...person, givenName, surname } }))
  expect(Buffer.from(pdf.subarray(-6)).toString()).toBe('%%EOF\n')
})

test('SEA-1 the agreement on a seal names the organisation, and who administers the seal', async () => {
  const subject = {
    kind: 'organisation',
    name: 'Stowarzyszenie Łączność',
    commonName: 'Stowarzyszenie Łączność – pieczęć',
    identifier: 'VATPL-5250001090',
    country: 'PL',
  } as const
  const paper = await makeAgreement(terms({ subject }))
  expect(xmpOf(paper)).toContain('Umowa o\u00a0kwalifikowaną pieczęć elektroniczną')
  if (!has('pdftotext')) return
  const text = await textOf(paper)
  for (const part of ['Stowarzyszenie Łączność', 'VATPL-5250001090', 'QCP-l-qscd', 'co najmniej jeden administrator'])
    expect(text.replaceAll('\u00a0', ' ')).toContain(part)
  // Nothing is said of signing by hand, of a person's number, or to consumers.
  for (const part of ['własnoręcznemu', 'PESEL', 'konsument możesz']) expect(text).not.toContain(part)
})
