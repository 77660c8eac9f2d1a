import { hash, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SignedXml } from 'xml-crypto'
import { findPath, type TrustAnchor, type TrustDoubt, type TrustPurpose } from '../asn1/certificate-path.ts'
import { derToPem } from '../asn1/certificate.ts'
import { readPathCertificate } from '../asn1/path-certificate.ts'
import { cn, holder, issuing, root, stamper } from '../testing/pades-authorities.ts'
import {
  daysBefore,
  issuingService,
  listDraft,
  listSigner,
  operator,
  signedList,
  stranger,
} from '../testing/trusted-list-drafts.ts'
import { anchorsOf } from './trust-service.ts'
import { writeTrustedList, type ServiceDraft, type TrustedListDraft } from './trusted-list-write.ts'
import { readTrustedList, type ExpectedList } from './trusted-list.ts'

const now = new Date('2026-06-15T12:00:00Z')
const daysAgo = (days: number) => daysBefore(now, days)
const granted = { status: 'granted', from: daysAgo(100), purposes: ['signatures'] } as const
const service = issuingService(daysAgo(100))
const draft = (changes: Partial<TrustedListDraft> = {}) => listDraft(now, changes)

const read = (text: string | Uint8Array, expected: Partial<ExpectedList> = {}) =>
  readTrustedList(typeof text === 'string' ? Buffer.from(text) : text, {
    type: 'national',
    territory: 'PL',
    certificates: [stranger.certificate, operator.certificate],
    maxBytes: 1_000_000,
    now,
    ...expected,
  })

/** Returns the code of the refusal; `accepted`, which no test expects, for a list that is not refused. */
function refusalOf(text: string | Uint8Array, expected: Partial<ExpectedList> = {}): string {
  try {
    read(text, expected)
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
  return 'accepted'
}

const good = signedList(draft())

test('CHK-10 a signed list is read: its services, with what and when they are trusted for', () => {
  const list = read(good)
  expect(list).toMatchObject({ type: 'national', territory: 'PL', sequenceNumber: 7, issuedAt: daysAgo(1) })
  expect(list.nextUpdate).toEqual(daysAgo(-30))
  expect(Buffer.from(list.signer)).toEqual(Buffer.from(operator.certificate))
  expect(anchorsOf(list.services)).toEqual([
    { certificate: issuing.certificate, purposes: ['signatures', 'seals'], from: daysAgo(100) },
  ])
})

test('CHK-10 a list of lists says where the lists of countries are and who signs them, and skips what is no XML', () => {
  const pointers = [
    {
      territory: 'PL',
      url: 'https://lists.example/pl.xml',
      certificates: [operator.certificate, stranger.certificate],
    },
    { territory: 'EL', url: 'https://lists.example/el.xml', certificates: [stranger.certificate] },
  ]
  // A country cannot take the place of the list of lists.
  const asCountry = { territory: 'EU', url: 'https://lists.example/eu.xml', certificates: [stranger.certificate] }
  const text = writeTrustedList(
    draft({ type: 'listOfLists', territory: 'EU', pointers: [...pointers, asCountry], services: [] }),
  )
  const lists = { type: 'listOfLists', territory: 'EU' } as const
  expect(read(signedList(text), lists).pointers).toEqual(pointers)
  const forPeople = text.replace('application/vnd.etsi.tsl+xml', 'application/pdf')
  expect(read(signedList(forPeople), lists).pointers.map(({ territory }) => territory)).toEqual(['EL'])
})

test.each([
  ['RSA', generateKeyPairSync('rsa', { modulusLength: 3072 })],
  ['P-384', generateKeyPairSync('ec', { namedCurve: 'P-384' })],
])('CHK-10 a list may be signed with %s', (_, keys) => {
  const signer = listSigner({ keys })
  expect(read(signedList(draft(), signer), { certificates: [signer.certificate] }).sequenceNumber).toBe(7)
})

// Signed by the XML signatures of Java, with the prefixes and namespaces of real lists.
test.each([
  ['ECDSA with SHA-512', 'java-signed-list-ecdsa.xml'],
  ['RSA-PSS and canonical XML 1.0', 'java-signed-list-rsa-pss.xml'],
])('CHK-10 a list that another program signed is read: %s', (_, name) => {
  const bytes = readFileSync(join(import.meta.dirname, '../testing', name))
  const text = bytes.toString()
  const base64 = /<ds:X509Certificate>([^<]*)/.exec(text)![1]!.replaceAll('&#13;', '')
  const certificate = new Uint8Array(Buffer.from(base64, 'base64'))
  const expected = { certificates: [certificate], now: new Date('2026-11-27') }
  expect(read(bytes, expected)).toMatchObject({
    sequenceNumber: 7,
    services: [{ periods: [{ purposes: ['signatures'] }] }],
  })
  expect(refusalOf(text.replace('Zażółć', 'Zazolc'), expected)).toBe('signature-invalid')
})

test('R190 a list that was changed after signing, in one byte anywhere, is refused', () => {
  for (const [from, to] of [
    ['<TSLSequenceNumber>7', '<TSLSequenceNumber>8'],
    ['Svcstatus/granted', 'Svcstatus/GRANTED'],
    ['ForeSeals', 'ForeSealz'],
    ['</TSPService>', '<!----> </TSPService>'],
    ['<xades:MimeType>text/xml', '<xades:MimeType>text/XML'],
    ['<xades:SigningTime>2', '<xades:SigningTime>3'],
  ] as const) {
    expect(good).toContain(from)
    expect([from, refusalOf(good.replace(from, to))]).toEqual([from, 'signature-invalid'])
  }
  const value = /<ds:SignatureValue>(.)/.exec(good)![1]!
  const other = good.replace(/<ds:SignatureValue>./, `<ds:SignatureValue>${value === 'A' ? 'B' : 'A'}`)
  expect(refusalOf(other)).toBe('signature-invalid')
})

test('R190 only a certificate that was named for the list counts, whatever the list says of its signer', () => {
  expect(refusalOf(good, { certificates: [stranger.certificate] })).toBe('other-signer')
  expect(refusalOf(good, { certificates: [] })).toBe('other-signer')
  // Signed with another key, under the certificate of the operator.
  const forged = signedList(draft(), { ...operator, privateKey: stranger.privateKey })
  expect(refusalOf(forged)).toBe('signature-invalid')
  // And the other way: the signed properties name another certificate than KeyInfo.
  const named = good.replace(
    /<ds:X509Certificate>[^<]*/,
    `<ds:X509Certificate>${Buffer.from(stranger.certificate).toString('base64')}`,
  )
  expect(refusalOf(named)).toBe('signature-invalid')
})

test('R190 a list without an XAdES signature of the whole list is refused', () => {
  expect(refusalOf(writeTrustedList(draft()))).toBe('signature-format')
  for (const [from, to] of [
    // A transform that selects another part, and one that is not known.
    [
      'http://www.w3.org/2001/10/xml-exc-c14n#"/></ds:Transforms>',
      'http://www.w3.org/TR/1999/REC-xslt-19991116"/></ds:Transforms>',
    ],
    ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/TR/1999/REC-xpath-19991116'],
    ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2000/09/xmldsig#sha1'],
    ['xmldsig-more#ecdsa-sha256', 'xmldsig-more#hmac-sha256'],
    ['URI=""', 'URI="https://lists.example/other.xml"'],
    ['URI=""', 'URI="file:///etc/passwd"'],
  ] as const) {
    expect(good).toContain(from)
    expect([to, refusalOf(good.replace(from, to))]).toEqual([to, 'signature-invalid'])
  }
})

test('R190 what was signed is read, not what was wrapped around it, moved or added', () => {
  const evil = writeTrustedList(
    draft({ sequenceNumber: 99, services: [{ ...service, certificate: root.certificate }] }),
  )
  const body = (text: string) => text.slice(text.indexOf('<TrustServiceStatusList'))
  const signature = good.slice(
    good.indexOf('<ds:Signature '),
    good.indexOf('</ds:Signature>') + '</ds:Signature>'.length,
  )
  const inEvil = (inner: string) => evil.replace('</TrustServiceStatusList>', `${inner}</TrustServiceStatusList>`)
  const object = signature.replace('</ds:Signature>', `<ds:Object>${body(good)}</ds:Object></ds:Signature>`)
  for (const [attack, text] of [
    ['a second root', good + body(evil)],
    ['the signature in another list', inEvil(signature)],
    ['the signed list within another one', inEvil(body(good))],
    ['the signed list within its signature in another one', inEvil(object)],
    ['two signatures', good.replace('</TrustServiceStatusList>', `${signature}</TrustServiceStatusList>`)],
    ['the signature below the root', good.replace(signature, `<Other>${signature}</Other>`)],
    [
      'a second SchemeInformation',
      good.replace('<SchemeInformation>', '<SchemeInformation></SchemeInformation><SchemeInformation>'),
    ],
    [
      'the reference to an element with an Id',
      inEvil(signature.replace('URI=""', 'URI="#list"')).replace(
        '<SchemeInformation>',
        '<SchemeInformation Id="list">',
      ),
    ],
  ] as const)
    expect([attack, refusalOf(text)]).toEqual([
      attack,
      expect.stringMatching(/^(?:signature-invalid|signature-format|not-xml)$/),
    ])
})

test('R190 a valid signature of an element by its Id proves nothing about the rest of the file', () => {
  const signer = listSigner({ keys: generateKeyPairSync('rsa', { modulusLength: 2048 }) })
  const body = (text: string) => text.slice(text.indexOf('<TrustServiceStatusList'))
  const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
  const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
  const options = {
    privateKey: signer.privateKey,
    publicCert: derToPem(signer.certificate),
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: exclusive,
    objects: [
      {
        content: `<x:SignedProperties xmlns:x="http://uri.etsi.org/01903/v1.3.2#" Id="properties"><x:SignedSignatureProperties><x:SigningCertificateV2><x:Cert><x:CertDigest><ds:DigestMethod xmlns:ds="http://www.w3.org/2000/09/xmldsig#" Algorithm="${sha256}"/><ds:DigestValue xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${hash('sha256', signer.certificate, 'base64')}</ds:DigestValue></x:CertDigest></x:Cert></x:SigningCertificateV2></x:SignedSignatureProperties></x:SignedProperties>`,
      },
    ],
  }
  const genuine = body(writeTrustedList(draft())).replace('TSLTag', 'Id="genuine" TSLTag')
  const evil = writeTrustedList(draft({ sequenceNumber: 99 })).replace(
    '</TrustServiceStatusList>',
    `<Kept>${genuine}</Kept></TrustServiceStatusList>`,
  )
  const signature = new SignedXml(options)
  for (const id of ['genuine', 'properties'])
    signature.addReference({ xpath: `//*[@Id='${id}']`, transforms: [exclusive], digestAlgorithm: sha256 })
  signature.computeSignature(evil, { prefix: 'ds' })
  const wrapped = signature.getSignedXml()

  // The signature is valid, and the root of the file is not what it is of.
  const checked = new SignedXml({ publicCert: derToPem(signer.certificate) })
  checked.loadSignature(signature.getSignatureXml())
  expect(checked.checkSignature(wrapped)).toBe(true)
  expect(wrapped).toContain('<TSLSequenceNumber>99')
  expect(refusalOf(wrapped, { certificates: [signer.certificate] })).toBe('signature-format')
})

test('R193 no document type, entity, other encoding or oversized file is parsed', () => {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>'
  const entity = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
  expect(refusalOf(good.replace(declaration, declaration + entity))).toBe('document-type')
  expect(refusalOf(good.replace(declaration, `${declaration}<!doctype x SYSTEM "file:///etc/passwd">`))).toBe(
    'document-type',
  )
  expect(refusalOf(good.replace('Provider<', '&a;<'))).toBe('not-xml')
  expect(refusalOf(Buffer.from(good, 'utf16le'))).toBe('not-xml')
  expect(refusalOf(Buffer.concat([Buffer.from(good), Buffer.of(0xff)]))).toBe('not-xml')
  expect(refusalOf(good.slice(0, -30))).toBe('not-xml')
  expect(refusalOf('')).toBe('not-xml')
  const deep = `${'<x>'.repeat(101)}${'</x>'.repeat(101)}`
  for (const [from, to] of [
    ['', 'x'],
    [/$/, 'x'],
    ['Provider<', '\0Provider<'],
    ['Provider<', '\ufffeProvider<'],
    ['</SchemeInformation>', `${deep}</SchemeInformation>`],
  ] as const)
    expect([to.slice(0, 9), refusalOf(good.replace(from, to))]).toEqual([to.slice(0, 9), 'not-xml'])
  expect(refusalOf(good, { maxBytes: good.length - 1 })).toBe('too-large')
  expect(read(`\ufeff${good}`).sequenceNumber).toBe(7)
})

test('R191 a list of another country or kind, or past its next update, is refused although its signature is valid', () => {
  expect(refusalOf(good, { territory: 'DE' })).toBe('other-list')
  expect(refusalOf(good, { type: 'listOfLists' })).toBe('other-list')
  expect(refusalOf(good, { now: daysAgo(-31) })).toBe('expired')
  for (const [from, to] of [
    ['<TSLVersionIdentifier>6', '<TSLVersionIdentifier>4'],
    ['<TSLSequenceNumber>7', '<TSLSequenceNumber>-7'],
    ['TSLType/EUgeneric', 'TSLType/CClist'],
    ['02231/v2#"', '02231/v3#"'],
    ['<ListIssueDateTime>', '<ListIssueDateTime>yesterday '],
  ] as const)
    expect([to, refusalOf(signedList(writeTrustedList(draft()).replace(from, to)))]).toEqual([to, 'not-a-list'])
})

test('CHK-10 line ends of another system and times of another zone are read', () => {
  expect(read(good.replaceAll('\n', '\r\n')).sequenceNumber).toBe(7)
  const zoned = writeTrustedList(draft()).replace(
    /<ListIssueDateTime>[^<]*/,
    '<ListIssueDateTime>2026-06-14T14:00:00+02:00',
  )
  expect(read(signedList(zoned)).issuedAt).toEqual(new Date('2026-06-14T12:00:00Z'))
})

test('CHK-11 a list that is closed for good has no next update', () => {
  const closed = writeTrustedList(draft()).replace(/<NextUpdate>.*<\/NextUpdate>/, '<NextUpdate/>')
  expect(read(signedList(closed)).nextUpdate).toBeUndefined()
})

/** Finds a path from a certificate issued `issued` days ago to one of the anchors, for a use `at` days ago. */
function pathTo(
  anchors: TrustAnchor[],
  { issued = 50, at, purpose = 'signatures', pool = [] as Uint8Array[] }: PathQuestion,
) {
  const target = holder({ name: cn('Signer'), extensions: [], notBefore: daysAgo(issued) }, issuing)
  const known = pool.map(readPathCertificate)
  return findPath(readPathCertificate(target.certificate), { pool: known, anchors, purpose, at: daysAgo(at) })
}
type PathQuestion = { issued?: number; at: number; purpose?: TrustPurpose; pool?: Uint8Array[] }

const anchorsWith = (services: ServiceDraft[]) => anchorsOf(read(signedList(draft({ services }))).services)
const isTrusted = (services: ServiceDraft[], question: PathQuestion) =>
  pathTo(anchorsWith(services), question).problem ?? 'trusted'

test('R192 a withdrawn service: what it issued or what is signed after the withdrawal is not trusted, what was before is', () => {
  const withdrawn: ServiceDraft = {
    ...service,
    statuses: [{ status: 'withdrawn', from: daysAgo(20), purposes: ['signatures'] }, granted],
  }
  const outcome = (issued: number, at: number) => isTrusted([withdrawn], { issued, at })
  expect(outcome(50, 30)).toBe('trusted')
  expect(outcome(50, 10)).toBe('path-not-granted')
  expect(outcome(15, 10)).toBe('path-not-granted')
  // Before it was granted.
  expect(outcome(120, 110)).toBe('path-not-granted')
  expect(outcome(120, 30)).toBe('path-not-granted')
})

test('R192 of statuses of one time the newer counts, and none of the history follows the current one', () => {
  const withdrawn = { status: 'withdrawn', from: daysAgo(20), purposes: ['signatures'] } as const
  const corrected: ServiceDraft = { ...service, statuses: [withdrawn, { ...granted, from: daysAgo(20) }, granted] }
  expect(isTrusted([corrected], { issued: 50, at: 30 })).toBe('trusted')
  expect(isTrusted([corrected], { issued: 50, at: 10 })).toBe('path-not-granted')
  const restored: ServiceDraft = { ...service, statuses: [{ ...granted, from: daysAgo(20) }, withdrawn, granted] }
  expect(isTrusted([restored], { issued: 50, at: 10 })).toBe('trusted')
  const later: ServiceDraft = { ...service, statuses: [withdrawn, { ...granted, from: daysAgo(10) }, granted] }
  expect(isTrusted([later], { issued: 50, at: 5 })).toBe('path-not-granted')
})

test('R192 the nearest listed authority decides, also below an anchor of the operator', () => {
  const withdrawn = {
    ...service,
    statuses: [{ status: 'withdrawn', from: daysAgo(20) }, granted],
  } satisfies ServiceDraft
  const pool = [issuing, root].map(({ certificate }) => certificate)
  const outcome = (at: number, anchors = [...anchorsWith([withdrawn]), { certificate: root.certificate }]) =>
    pathTo(anchors, { at, pool })
  expect(outcome(30).path).toHaveLength(2)
  expect(outcome(10).problem).toBe('path-not-granted')
  expect(outcome(10, [{ certificate: root.certificate }]).path).toHaveLength(3)
})

test('R192 what was issued during a withdrawal is not trusted after the service is granted again', () => {
  const again: ServiceDraft = {
    ...service,
    statuses: [
      { ...granted, from: daysAgo(20) },
      { status: 'withdrawn', from: daysAgo(40), purposes: ['signatures'] },
      granted,
    ],
  }
  expect(isTrusted([again], { issued: 30, at: 10 })).toBe('path-not-granted')
  expect(isTrusted([again], { issued: 50, at: 10 })).toBe('trusted')
  expect(isTrusted([again], { issued: 15, at: 10 })).toBe('trusted')
  expect(isTrusted([again], { issued: 50, at: 30 })).toBe('path-not-granted')
})

test('R192 a service is trusted for its purposes only', () => {
  const seals: ServiceDraft = { ...service, statuses: [{ ...granted, purposes: ['seals'] }] }
  const none: ServiceDraft = { ...service, statuses: [{ ...granted, purposes: [] }] }
  expect(isTrusted([seals], { issued: 50, at: 30, purpose: 'seals' })).toBe('trusted')
  expect(isTrusted([seals], { issued: 50, at: 30 })).toBe('path-untrusted')
  expect(isTrusted([none], { issued: 50, at: 30 })).toBe('path-untrusted')
  const stamping: ServiceDraft = {
    type: 'timestamps',
    name: 'Stamps',
    certificate: stamper.certificate,
    statuses: [{ status: 'granted', from: daysAgo(10) }],
  }
  const anchors = anchorsWith([stamping])
  expect(anchors).toEqual([{ certificate: stamper.certificate, purposes: ['timestamps'], from: daysAgo(10) }])
  // The certificate of the unit is older than the status of the service.
  const path = (at: number) =>
    findPath(readPathCertificate(stamper.certificate), { pool: [], anchors, purpose: 'timestamps', at: daysAgo(at) })
  expect(path(5).path).toHaveLength(1)
  expect(path(15).problem).toBe('path-not-granted')
})

test('R192 statuses of the time before the Regulation count until it applies', () => {
  const before = new Date('2015-01-01T00:00:00Z')
  const text = writeTrustedList(
    draft({ services: [{ ...service, statuses: [{ status: 'granted', from: before, purposes: [] }] }] }),
  ).replace('Svcstatus/granted', 'Svcstatus/undersupervision')
  expect(anchorsOf(read(signedList(text)).services)).toEqual([
    {
      certificate: issuing.certificate,
      purposes: ['signatures'],
      from: before,
      to: new Date('2016-06-30T21:59:59.999Z'),
    },
  ])
})

/** Writes the extension with rules that state what the certificates do not say themselves (TS 119 612 clause 5.5.9.2). */
const qualifiers = (...names: string[]) =>
  `<Extension Critical="true"><q:Qualifications xmlns:q="http://uri.etsi.org/TrstSvc/SvcInfoExt/eSigDir-1999-93-EC-TrustedList/#">${names
    .map(
      (name) =>
        `<q:QualificationElement><q:Qualifiers><q:Qualifier uri="http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/${name}"/></q:Qualifiers></q:QualificationElement>`,
    )
    .join('')}</q:Qualifications></Extension>`
const servicesWith = (extension: string) => {
  const text = writeTrustedList(draft()).replace(
    '<ServiceInformationExtensions>',
    `<ServiceInformationExtensions>${extension}`,
  )
  return read(signedList(text)).services
}

test('R192 an unknown critical extension, or one by which some certificates are not qualified, makes its period untrusted', () => {
  expect(servicesWith('<Extension Critical="false"><New xmlns="urn:new"/></Extension>')).toHaveLength(1)
  expect(servicesWith('<Extension Critical="true"><New xmlns="urn:new"/></Extension>')).toEqual([])
  expect(servicesWith(qualifiers('QCWithQSCD'))).toHaveLength(1)
  expect(servicesWith(qualifiers('NotQualified'))).toEqual([])
  expect(servicesWith(qualifiers('QCForESig', 'NotQualified'))).toEqual([])
})

test.each<[names: string[], doubts: TrustDoubt[]]>([
  [['QCNoQSCD'], ['device']],
  [['QCNoSSCD'], ['device']],
  [['QCForESeal'], ['signatures']],
  [['QCForLegalPerson'], ['signatures']],
  [['QCForWSA'], ['signatures', 'seals']],
  [['QCForESig'], ['seals']],
  [
    ['QCWithQSCD', 'QCNoQSCD', 'QCForESig', 'QCForESeal'],
    ['device', 'seals', 'signatures'],
  ],
  [['QCWithSSCD', 'QCWithQSCD', 'QCStatement', 'QCQSCDStatusAsInCert', 'QCQSCDManagedOnBehalf'], []],
])('R192 a service with %j is trusted, but not for what that may take from its certificates', (names, doubts) => {
  const anchors = anchorsOf(servicesWith(qualifiers(...names)))
  expect(anchors).toMatchObject([{ purposes: ['signatures', 'seals'] }])
  expect(anchors[0]!.doubts ?? []).toEqual(doubts)
  expect(pathTo(anchors, { at: 30 }).doubts).toEqual(doubts)
})

test('R192 what a list takes from certificates counts for the time in which it did', () => {
  const { certificate } = issuing
  const anchors: TrustAnchor[] = [
    { certificate, from: daysAgo(100), to: daysAgo(40), doubts: ['device'] },
    { certificate, from: daysAgo(40), to: daysAgo(20) },
    { certificate, from: daysAgo(20), doubts: ['seals'] },
  ]
  const doubtsAt = (at: number, among = anchors) => pathTo(among, { at }).doubts
  // When it was issued and when it signed (TS 119 615 §4.4).
  expect(doubtsAt(30)).toEqual(['device'])
  expect(doubtsAt(10)).toEqual(['seals', 'device'])
  expect(doubtsAt(30, [{ certificate, from: daysAgo(100) }])).toEqual([])
})

test('CHK-10 a certificate that cannot be read does not spoil its list', () => {
  const broken: ServiceDraft = { ...service, certificate: Uint8Array.of(0x30, 0x03, 0x02, 0x01, 0x05) }
  expect(read(signedList(writeTrustedList(draft({ services: [broken, service] })))).services).toHaveLength(1)
})
