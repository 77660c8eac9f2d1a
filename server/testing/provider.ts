import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { IdentifierType } from '../../contract/identification.ts'
import { putAgreement, putSignature, type ProviderSignature } from '../../contract/provider/provider-signatures.ts'
import { dayMs } from '../../contract/rules/warsaw-time.ts'
import type { Period } from '../../contract/signatures-and-seals.ts'
import type { SoftwareRelease } from '../../contract/software.ts'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import { readPathCertificate } from '../../pki/asn1/path-certificate.ts'
import { writeOcspRequest } from '../../pki/asn1/revocation-status.ts'
import { numbered, rewrittenFile, stream } from '../../pki/testing/pdf-objects.ts'
import { serveAuthority, serveStatusService } from '../../provider/authority/authority-http.ts'
import type { Authority } from '../../provider/authority/authority.ts'
import type { PersonSubject } from '../../provider/authority/subscriber.ts'
import { ocspStatus, openTestAuthority } from '../../provider/testing/test-authority.ts'
import { maxValidity } from '../certificates/filed-certificate.ts'
import type { CertificateStatusPort } from '../platform/ports.ts'
import { asProvider, bodyOf, openBrowser } from './browser.ts'
import { readPortalId } from './database-state.ts'
import type { TestPortal } from './portal-nodes.ts'
import type { Person } from './test-customers.ts'

/** The provider: an authority that issues certificates, and systems that call the portal with the client key. */
export type TestProvider = Awaited<ReturnType<typeof openTestProvider>>

type SignatureOptions = {
  /** The provider's own id; a new one unless given. */
  signature?: string
  from?: Date
  to?: Date
  /** The subject of the certificate, also when `certificate` is given. */
  subject?: Partial<PersonSubject> | undefined
} & Partial<ProviderSignature>

/** One key for all certificates, because only their contents are tested. */
const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

export const sampleSubject: PersonSubject = {
  kind: 'person',
  givenName: 'Anna',
  surname: 'Nowak',
  serialNumber: 'PNOPL-44051401458',
  country: 'PL',
}

/** Builds a PDF with one empty page, and with a text that no page shows. */
export const pdfWith = (text: string) =>
  Buffer.from(
    rewrittenFile(
      numbered([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>',
        stream('', Buffer.from(text).toString('latin1')),
      ]),
    ),
  )

export const samplePdf = pdfWith('')

export const sampleRelease: SoftwareRelease = {
  platform: 'windows',
  name: 'Signing app',
  purpose: { pl: 'Do podpisywania', en: 'For signing' },
  requirements: { pl: 'Windows 11', en: 'Windows 11' },
  version: '1.2.3',
  releasedAt: '2026-01-02T03:04:05.678Z',
  bytes: 1024,
  sha256: 'a'.repeat(64),
  url: 'https://downloads.example/app.exe',
}

type SampleValidity = { from: Date | undefined; to: Date | undefined; period: Period | undefined }

/** Returns a validity that includes the present and, by default, is no longer than the period. */
export function sampleValidity({ from, to, period }: SampleValidity) {
  const before = period === '1_day' ? dayMs / 4 : period === '30_days' ? 5 * dayMs : 30 * dayMs
  const after = period === '1_day' ? dayMs / 2 : period === '30_days' ? 25 * dayMs : 335 * dayMs
  return { notBefore: from ?? new Date(Date.now() - before), notAfter: to ?? new Date(Date.now() + after) }
}

/** Returns the fields about the certificate in a PUT of a signature or a seal. */
export const filedCertificate = ({ chain }: Authority, certificate: string) => ({
  period: shortestPeriodOf(certificate),
  certificate,
  chain: chain.map(base64),
  status: 'good' as const,
  agreementLanguage: 'pl' as const,
})

/** Returns the shortest period of a year or more into which the certificate (base64) fits. */
export function shortestPeriodOf(certificate: string): Period {
  const { notBefore, notAfter } = readCertificate(Buffer.from(certificate, 'base64'))
  const length = notAfter.getTime() - notBefore.getTime()
  return (['1_year', '2_year'] as const).find((period) => length <= maxValidity(period)) ?? '3_year'
}

/** Uploads a PDF as the provider. */
export const uploadPdf = (portal: TestPortal, path: string, body: Uint8Array = samplePdf, node = 0) =>
  asProvider(portal, 'PUT', path, { body, headers: { 'content-type': 'application/pdf' }, node })

/** Opens a provider for a portal; its files are removed when the portal is closed. */
export async function openTestProvider(
  portal: TestPortal,
  { baseUrl = 'http://pki.example', now = () => new Date() } = {},
) {
  const directory = mkdtempSync(join(tmpdir(), 'sygnet-test-authority-'))
  portal.cleanup.defer(() => rmSync(directory, { recursive: true }))
  const authority = await openTestAuthority({ directory, baseUrl, now })
  const { call } = openBrowser(portal)

  /** Builds the body of a PUT of a signature, with a new certificate. */
  async function makeSignatureBody(
    customer: string,
    { signature: _, from, to, subject = {}, ...over }: SignatureOptions = {},
  ): Promise<ProviderSignature> {
    const { notBefore, notAfter } = sampleValidity({ from, to, period: over.period })
    const device = over.product !== 'file'
    const certificate = over.certificate ?? (await issue(authority, { notBefore, notAfter, device }, subject))
    return {
      customer,
      product: 'app',
      identifierType: identifierTypeIn(subject.serialNumber ?? sampleSubject.serialNumber),
      ...filedCertificate(authority, certificate),
      ...over,
    }
  }

  return {
    authority,
    signedBody: makeSignatureBody,
    /** Returns current OCSP responses about all its certificates. */
    async currentOcspResponses() {
      const issuing = readPathCertificate(authority.certificates.issuing)
      const folder = join(directory, 'issued')
      const about = readdirSync(folder).map((name) => readPathCertificate(readFileSync(join(folder, name))))
      const { ocsps } = await authority.collectValidationData()
      return [...ocsps, ...about.map((each) => authority.answerOcsp(writeOcspRequest(each, issuing)))]
    },
    /** Yields the issued certificates, as DER. */
    async *certificates() {
      const folder = join(directory, 'issued')
      for (const name of readdirSync(folder)) yield readFileSync(join(folder, name))
    },
    /** Puts a signature of a customer and returns its ids. */
    async give(person: Pick<Person, 'id'>, options: SignatureOptions = {}) {
      const signature = options.signature ?? `s-${crypto.randomUUID()}`
      bodyOf(await call(putSignature, { params: { signature }, body: await makeSignatureBody(person.id, options) }))
      const id = await readPortalId(portal, 'signatures', signature)
      return { id, providerId: signature }
    },
    putAgreement: (signature: string, pdf: Uint8Array = samplePdf) =>
      uploadPdf(portal, putAgreement.path.replace(':signature', signature), pdf),
  }
}

const identifierTypeIn = (serialNumber: string) =>
  IdentifierType.safeParse(/^([A-Z]{3})[A-Z]{2}-/.exec(serialNumber)?.[1]).data ?? 'ECN'

async function issue(
  authority: Authority,
  validity: { notBefore: Date; notAfter: Date; device: boolean },
  subject: Partial<PersonSubject> = {},
) {
  const order = { subject: { ...sampleSubject, ...subject }, publicKey, ...validity }
  return base64((await authority.issue(order)).certificate)
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

const token = 'status-token-of-32-characters-000'

/** Serves the authority of a provider over HTTP, with its interface for status changes and its OCSP responder. */
export async function startStatusService(portal: TestPortal, { authority }: TestProvider) {
  const app = Fastify()
  const received: string[] = []
  /** HTTP status that replaces the answer. */
  let fails: number | undefined
  /** Whether the service acts but its answer is lost. */
  let losesAnswers = false
  app.addHook('onSend', async (request, reply) => {
    if (losesAnswers && request.url === '/status') reply.raw.destroy()
  })
  app.addHook('preHandler', async (request, reply) => {
    if (request.url !== '/status') return undefined
    received.push(String(request.headers['idempotency-key']))
    return fails === undefined ? undefined : reply.code(fails).send()
  })
  await app.register(async (scope) => serveAuthority(scope, { authority }), { prefix: '/pki' })
  await app.register(async (scope) => serveStatusService(scope, { authority, token }), { prefix: '/status' })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  portal.cleanup.defer(() => app.close())
  return {
    /** Lets all nodes of the portal use the service; without a `port` they use none. */
    connect: (port: CertificateStatusPort | undefined) =>
      portal.nodes.forEach((node) => (node.portal.ports.certificateStatus = port)),
    service: { url: `${origin}/status`, token },
    /** The ids of the requests that have reached the service. */
    received,
    failWith: (status: number | undefined) => void (fails = status),
    loseAnswers: (value: boolean) => void (losesAnswers = value),
    statusOf: (certificate: Uint8Array) =>
      ocspStatus(`${origin}/pki/ocsp`, certificate, authority.certificates.issuing),
  }
}
