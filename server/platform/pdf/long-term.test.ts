import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Fastify from 'fastify'
import forge from 'node-forge'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  downloadDocument,
  finishDocumentSigning,
  readDocument,
  startDocumentSigning,
} from '../../../contract/documents.ts'
import { downloadUpload } from '../../../contract/provider/provider-documents.ts'
import { downloadSignedAgreement } from '../../../contract/provider/provider-renewals.ts'
import { derToPem } from '../../../pki/asn1/certificate.ts'
import { readPathCertificate } from '../../../pki/asn1/path-certificate.ts'
import { writeOcspRequest } from '../../../pki/asn1/revocation-status.ts'
import { validatePdf } from '../../../pki/pades/pades-validate.ts'
import { readValidationData } from '../../../pki/pades/pades-validation-data.ts'
import { openAnyPdf } from '../../../pki/pdf/pdf-encryption.ts'
import { openPdf } from '../../../pki/pdf/pdf-read.ts'
import { contractPdf } from '../../../pki/testing/pades-authorities.ts'
import { has, run, testFile, testFolder } from '../../../pki/testing/peer-programs.ts'
import { makeAgreement } from '../../../provider/agreements/agreement.ts'
import { serveAuthority } from '../../../provider/authority/authority-http.ts'
import { sealForArchive, sealLongTerm } from '../../../provider/authority/electronic-seal.ts'
import { revocationByHttp } from '../../adapters/revocation-http.ts'
import { exhaustive } from '../../testing/breadth.ts'
import { sampleSubject } from '../../testing/provider.ts'
import { accessCode, giveDocument } from '../../testing/samples/sample-documents.ts'
import {
  renewUntilAgreement,
  openRenewalPortal,
  signAgreementByCode,
  type RenewalPortal,
} from '../../testing/samples/sample-renewals.ts'
import { smsCode } from '../../testing/sent-messages.ts'
import { openSigning, type TestSigning } from '../../testing/signing.ts'
import type { LockedFile } from './pdf-work.ts'

// Each kind of signature that comes from here, by our validator and by independent programs (R105).

let renewals: RenewalPortal
let signing: TestSigning
/** The provider's authority as its certificates name it: OCSP and lists over HTTP. */
const pki = http.createServer()
const asked: string[] = []
let away = false
let stop: () => Promise<unknown>

beforeAll(async () => {
  pki.listen(0, '127.0.0.1')
  await once(pki, 'listening')
  const { port } = pki.address() as AddressInfo
  const app = Fastify()
  renewals = await openRenewalPortal({ baseUrl: `http://127.0.0.1:${port}/pki` })
  const { authority } = renewals.provider
  await app.register(async (scope) => serveAuthority(scope, { authority }), { prefix: '/pki' })
  await app.ready()
  pki.on('request', (request, response) => {
    asked.push(`${request.method} ${request.url!.slice(0, 12)}`)
    if (away) response.writeHead(503).end()
    else app.routing(request, response)
  })
  stop = () => app.close()
  signing = await openSigning(authority, renewals.keys)
  const anchors = [{ certificate: authority.certificates.root }]
  const revocation = revocationByHttp({ trust: async () => ({ anchors }), hosts: [`127.0.0.1:${port}`] })
  Object.assign(renewals.portal.trust, { anchors })
  for (const { portal } of renewals.portal.nodes) Object.assign(portal.ports, signing.ports, { revocation })
})
afterAll(async () => {
  await signing.close()
  await renewals.close()
  await stop()
  pki.closeAllConnections()
  pki.close()
})

const authorityOf = () => renewals.provider.authority

/** Makes a case signed by its customer in the portal; returns the signed document as the provider fetches it. */
async function signedInPlace() {
  const { person, browser } = await renewals.makeRenewable()
  const { documentCase, providerDocumentCase } = await giveDocument(renewals.portal, person.id, {
    signer: 'PNOPL-44051401458',
  })
  const params = { id: documentCase }
  await browser.raw('POST', downloadDocument.path.replace(':id', documentCase))
  await renewals.portal.deliver()
  const rows = await renewals.portal.rows(
    `select s.id from signatures s join accounts a on a.id = s.account_id where a.provider_id = $1`,
    [person.id],
  )
  const begun = await browser.call(startDocumentSigning, { params, body: { signer: rows[0]!.id } })
  expect(begun.status).toBe(200)
  await renewals.portal.deliver()
  const done = await browser.call(finishDocumentSigning, {
    params,
    body: { code: smsCode(renewals.portal, person.phone) },
  })
  expect(done.body).toMatchObject({ status: 'subscriber-uploaded' })
  const { upload } = (await browser.call(readDocument, { params })).body
  const file = await fetched(downloadUpload.path.replace(':case', providerDocumentCase))
  return { file, report: upload!.report, code: accessCode(renewals.portal, person.email) }
}

async function fetched(path: string) {
  const headers = { authorization: `Bearer ${renewals.portal.clientKey}` }
  const answer = await fetch(renewals.portal.origin + path, { headers })
  return new Uint8Array(await answer.arrayBuffer())
}

async function signedAgreement() {
  const renewing = await renewals.makeRenewable()
  const ready = await renewUntilAgreement(renewals, renewing)
  expect((await signAgreementByCode(renewals, renewing, ready)).state).toBe('signed')
  return fetched(downloadSignedAgreement.path.replace(':renewal', ready.uid))
}

const sealing = { reason: 'TEST/1', at: new Date() }
const sealedAgreement = async () =>
  makeAgreement({
    language: 'pl',
    number: 'TEST/1',
    concludedAt: sealing.at,
    product: 'app',
    subject: sampleSubject,
    notBefore: sealing.at,
    notAfter: new Date(sealing.at.getTime() + 86_400_000),
    email: 'a@mail.example',
    phone: '+48501000001',
  })

const password = 'AAAA-BBBB-CCCC-DDDD'
async function sealedEncrypted() {
  const locked = await renewals.portal.portal.pdfWork.lock(contractPdf(), { password, owner: 'EEEE' })
  return sealLongTerm((locked as LockedFile).file, authorityOf(), { ...sealing, password })
}

/** A file of each kind, made once for all tests. */
const files = new Map<Kind, Promise<Uint8Array>>()
function fileOf(kind: Kind) {
  const file = files.get(kind) ?? kind.make()
  files.set(kind, file)
  return file
}

type Kind = { name: string; levels: string[]; make: () => Promise<Uint8Array>; password?: string }
const kinds: Kind[] = [
  { name: 'a signature in place', levels: ['B-LT'], make: async () => (await signedInPlace()).file },
  {
    name: 'a countersignature',
    levels: ['B-LT', 'B-LT'],
    make: async () => sealLongTerm(await fileOf(kinds[0]!), authorityOf(), sealing),
  },
  { name: 'a seal on an encrypted file', levels: ['B-LT'], make: sealedEncrypted, password },
  {
    name: 'an agreement that the provider files',
    levels: ['B-LTA', 'stamp'],
    make: async () => sealForArchive(await sealedAgreement(), authorityOf(), sealing),
  },
  { name: 'an agreement that was signed in the portal', levels: ['B-LTA', 'B-LTA', 'stamp'], make: signedAgreement },
]

/** Finds the signatures of a file by their byte ranges: each CMS message, and the bytes that it covers. */
function signaturesIn(file: Uint8Array) {
  const pdf = Buffer.from(file)
  const found = pdf.toString('latin1').matchAll(/\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g)
  return found
    .map((match) => {
      const [, length, again, rest] = match.slice(1).map(Number) as [number, number, number, number]
      const room = Buffer.from(pdf.toString('latin1', length + 1, again - 1), 'hex')
      return {
        cms: room.subarray(0, 4 + room.readUInt16BE(2)),
        covered: Buffer.concat([pdf.subarray(0, length), pdf.subarray(again, again + rest)]),
        isStamp: pdf.toString('latin1', match.index - 300, match.index).includes('ETSI.RFC3161'),
      }
    })
    .toArray()
}

/** The parts of node-forge that its types leave out. */
type RawMessage = forge.pkcs7.PkcsSignedData & {
  certificates: forge.pki.Certificate[]
  rawCapture: { signature: string; authenticatedAttributes: forge.asn1.Asn1[] }
}

/** Verifies with node-forge the signature over the attributes, their digest of the signed bytes, and the path to the root. */
function forgeVerifies({ cms, covered }: ReturnType<typeof signaturesIn>[number]) {
  const message = forge.pkcs7.messageFromAsn1(forge.asn1.fromDer(cms.toString('binary'))) as RawMessage
  const { authenticatedAttributes, signature } = message.rawCapture
  const { asn1, pki: certificates, md } = forge
  const attributes = asn1.create(asn1.Class.UNIVERSAL, asn1.Type.SET, true, authenticatedAttributes)
  const over = md.sha256.create().update(asn1.toDer(attributes).getBytes())
  const root = certificates.certificateFromPem(derToPem(authorityOf().certificates.root))
  const signer = message.certificates.find((certificate) => {
    try {
      return (certificate.publicKey as forge.pki.rsa.PublicKey).verify(over.digest().getBytes(), signature)
    } catch {
      return false
    }
  })
  if (!signer) return 'no signer'
  const digestOid = certificates.oids['messageDigest']
  const attribute = authenticatedAttributes.find(
    ({ value }) => asn1.derToOid((value as forge.asn1.Asn1[])[0]!.value as string) === digestOid,
  )!
  const held = ((attribute.value as forge.asn1.Asn1[])[1]!.value as forge.asn1.Asn1[])[0]!.value as string
  if (held !== md.sha256.create().update(covered.toString('binary')).digest().getBytes()) return 'other digest'
  const store = certificates.createCaStore([root])
  // A set is sorted by bytes.
  const issuer = message.certificates.find((certificate) => certificate !== signer && signer.isIssuer(certificate))!
  return certificates.verifyCertificateChain(store, [signer, issuer])
}

test.runIf(exhaustive).each(kinds)(
  'R105 $name is $levels by our validator, from the file alone, and holds what proves its signers and timestamps',
  async (wanted) => {
    const { levels, make: _, ...opening } = wanted
    const file = await fileOf(wanted)
    // Long after all of it has expired, the file alone still proves its signatures.
    for (const years of [0, 5]) {
      const report = await validatePdf(file, {
        anchors: [{ certificate: authorityOf().certificates.root }],
        receivedAt: new Date(Date.now() + years * 365 * 86_400_000),
        revocation: 'required',
        signingCertificate: 'v2',
        qualified: false,
        ...opening,
      })
      expect(report.signatures.map(({ kind, level }) => (kind === 'signature' ? level : 'stamp'))).toEqual(levels)
      if (years) continue
      expect(report.signatures.flatMap(({ problems }) => problems)).toEqual([])
      expect(report.unproven.length).toBe(0)
    }
  },
)

test.runIf(exhaustive).each(kinds)('R105 node-forge finds $name whole, with its path', async (wanted) => {
  // It reads messages over plain data alone; openssl below reads the archive timestamps.
  const found = signaturesIn(await fileOf(wanted)).filter(({ isStamp }) => !isStamp)
  expect(found.length).toBeGreaterThan(0)
  expect(found.map(forgeVerifies)).toEqual(found.map(() => true))
  const [signature] = found
  const covered = Buffer.from(signature!.covered)
  covered[20]! ^= 1
  expect(forgeVerifies({ ...signature!, covered })).toBe('other digest')
})

test.skipIf(!has('pdfsig') || !has('qpdf')).each(kinds)(
  'R105 qpdf and pdfsig (skipped without them) find $name sound',
  async (wanted) => {
    const { levels, password: code } = wanted
    const path = join(testFolder(), 'file.pdf')
    const file = await fileOf(wanted)
    writeFileSync(path, file)
    const checked = await run('qpdf', ['--check', ...(code ? [`--password=${code}`] : []), path])
    expect(checked).toMatchObject({ code: 0, output: expect.stringContaining('No syntax or stream encoding errors') })
    const { output } = await run('pdfsig', ['-nocert', ...(code ? ['-upw', code] : []), path])
    const valid = output.match(/Signature Validation: Signature is Valid\./g) ?? []
    expect(valid.length).toBeGreaterThanOrEqual(levels.filter((level) => level !== 'stamp').length)
    expect(output).not.toMatch(/Digest Mismatch|Signature is Invalid/)
  },
)

test.runIf(exhaustive && has('openssl')).each(kinds)(
  'R105 openssl (skipped without it) verifies $name: CAdES, the timestamps, and the answers of the authority',
  async (wanted) => {
    const { password: code } = wanted
    const file = await fileOf(wanted)
    const folder = testFolder()
    const path = (name: string, content: Uint8Array | string) => {
      writeFileSync(join(folder, name), content)
      return join(folder, name)
    }
    const { root, issuing } = authorityOf().certificates
    const trust = `-CAfile ${path('root.pem', derToPem(root))}`
    const between = path('issuing.pem', derToPem(issuing))
    for (const { cms, covered, isStamp } of signaturesIn(file)) {
      const der = path('message.der', cms)
      const over = path('covered', covered)
      const verified = await run(
        'openssl',
        isStamp
          ? `ts -verify -in ${der} -token_in -data ${over} -untrusted ${between} ${trust}`
          : `cms -verify -cades -binary -inform DER -purpose any -in ${der} -content ${over} -out ${join(folder, 'out')} ${trust}`,
      )
      expect([verified.code, verified.output]).toEqual([0, expect.stringMatching(/Verification: OK|successful/)])
    }
    const pdf = code ? openAnyPdf(file, code) : openPdf(file)
    const { ocsps, crls, certificates } = readValidationData(pdf)
    expect(ocsps.length + crls.length).toBeGreaterThan(0)
    for (const der of ocsps) {
      const response = path('response.der', der)
      const ocsp = `ocsp -respin ${response} -issuer ${between} ${trust} -no_nonce -cert`
      const pems = certificates.map((certificate, i) => path(`c${i}.pem`, derToPem(certificate)))
      const outputs = await Promise.all(pems.map((pem) => run('openssl', `${ocsp} ${pem}`)))
      const isGood = (output: string) => output.includes('Response verify OK') && output.includes(': good')
      expect(outputs.some(({ output }) => isGood(output))).toBe(true)
    }
    const both = path('both.pem', derToPem(root) + derToPem(issuing))
    for (const der of crls) {
      const { output } = await run('openssl', `crl -inform DER -in ${path('list.der', der)} -noout -CAfile ${both}`)
      expect(output).toContain('verify OK')
    }
  },
)

test('R104 R105 revocation data is fetched over HTTP from the addresses in the certificates', async () => {
  asked.length = 0
  const { report } = await signedInPlace()
  expect(report).toMatchObject({ verdict: 'accepted', signatures: [{ level: 'B-LT', revocation: 'good' }] })
  expect(asked.some((request) => /^(?:GET|POST) \/pki\/ocsp/.test(request))).toBe(true)
})

test.runIf(exhaustive)(
  'R105 without the authority a signature is not lost: it is B-T, pending, and the operator is notified',
  async () => {
    away = true
    // Another portal's port, which has kept nothing.
    const { port } = pki.address() as AddressInfo
    const trust = async () => ({ anchors: [{ certificate: authorityOf().certificates.root }] })
    const fresh = revocationByHttp({ trust, hosts: [`127.0.0.1:${port}`] })
    const before = renewals.portal.nodes.map(({ portal }) => portal.ports.revocation)
    for (const { portal } of renewals.portal.nodes) portal.ports.revocation = fresh
    const { report } = await signedInPlace()
    away = false
    for (const [i, { portal }] of renewals.portal.nodes.entries()) portal.ports.revocation = before[i]
    expect(report).toMatchObject({ verdict: 'pending', signatures: [{ level: 'B-T', revocation: 'unknown' }] })
    await expect
      .poll(() => renewals.portal.alarms)
      .toContainEqual({ name: 'validation-data-missing', about: 'documents signed in the portal' })
  },
)

test('R104 our OCSP request equals that of openssl', async () => {
  const { seal, chain } = authorityOf()
  const request = writeOcspRequest(readPathCertificate(seal.certificate), readPathCertificate(chain[0]!))
  const issuer = testFile(derToPem(chain[0]!))
  const certificate = testFile(derToPem(seal.certificate))
  const path = join(testFolder(), 'request.der')
  const made = await run('openssl', `ocsp -issuer ${issuer} -cert ${certificate} -no_nonce -reqout ${path}`)
  expect(made.code).toBe(0)
  expect(readFileSync(path).equals(request)).toBe(true)
})
