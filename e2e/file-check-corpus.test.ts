import { generateKeyPairSync } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Reply } from '../contract/endpoint.ts'
import type { listTrustedAuthorities, readRevocationData } from '../contract/file-check.ts'
import { limits } from '../contract/limits.ts'
import type { TrustAnchor } from '../pki/asn1/certificate-path.ts'
import { pemToDer } from '../pki/asn1/certificate.ts'
import { base64Of, hexOf } from '../pki/bytes.ts'
import type { ValidationPolicy } from '../pki/pades/pades-report.ts'
import { validatePdf } from '../pki/pades/pades-validate.ts'
import { encryptPdf } from '../pki/pdf/pdf-rewrite.ts'
import { changedDocument } from '../pki/testing/changed-documents.ts'
import { anchorsIn } from '../pki/testing/pades-anchors.ts'
import {
  anna,
  contractPdf,
  holder,
  issuing,
  ocspAnswer,
  person,
  personRights,
  revocationList,
  root,
  seal,
  signedAt,
  signPdf,
  stampDocument,
  stamper,
} from '../pki/testing/pades-authorities.ts'
import { issuedDocuments } from '../pki/testing/rich-document.ts'
import { exhaustive } from '../server/testing/breadth.ts'
import { withCertificates } from '../web/file-check/signature-certificates.ts'
import { openPortal } from './testing/open-portal.ts'

const portal = await openPortal()

/** Files of other projects (docs/guides/pades.md), with the authorities that their projects trust. */
const corpus = join(import.meta.dirname, '../../shared/corpus')
const foreign = existsSync(corpus) ? globSync(`${corpus}/**/*.pdf`).toSorted() : []
const foreignAnchors = globSync(`${corpus}/**/*.pem`).flatMap((path) => pemToDer(readFileSync(path, 'utf8')))

/**
 * Returns files that are signed here, so that the comparison is never empty: by one and by two signers, with timestamps, changed in many
 * ways.
 */
function ownFiles(): Uint8Array[] {
  const signed = signPdf(contractPdf(), { timestamp: true })
  const issued = issuedDocuments()
  return [
    contractPdf(),
    signPdf(contractPdf()),
    signed,
    stampDocument(signPdf(signed, { by: seal, field: 'Pieczec' })),
    signed.map((byte, at) => (at === 11 ? byte ^ 1 : byte)),
    signed.slice(0, -40),
    encryptPdf(contractPdf(), { password: 'Zolta lodka 77', owner: 'provider' }),
    ...Array.from({ length: 20 }, (_, seed) => changedDocument(issued[seed % issued.length]!.bytes, seed).bytes),
  ]
}

/** Returns files signed by each algorithm with which a signing service may sign (SGN-6). */
function filesByAlgorithms(): Uint8Array[] {
  const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve })
  const keys = [
    ['rsa-pkcs1', generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['rsa-pss', generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ...['P-256', 'P-384', 'P-521'].map((curve) => ['ecdsa', ec(curve)] as const),
  ] as const
  return keys.flatMap(([scheme, pair]) => {
    const by = holder({ name: person('Jan Kos', 'PNOPL-80010112345'), extensions: personRights(), keys: pair }, issuing)
    const digests = ['sha256', 'sha384', 'sha512'] as const
    return digests.map((digest) => signPdf(contractPdf(), { by, algorithm: { scheme, digest } }))
  })
}

const revocationData = { ocsps: [ocspAnswer(anna), ocspAnswer(stamper), ocspAnswer(seal)], crls: [revocationList()] }

type Policy = ValidationPolicy & Required<Pick<ValidationPolicy, 'ocsps' | 'crls'>>

/** Limitations of trust anchors as in trusted lists; the first applies to the files that are signed here. */
const limitations: Omit<TrustAnchor, 'certificate'>[] = [
  { purposes: ['signatures', 'seals', 'timestamps'], from: new Date('2020-01-01'), to: new Date('2040-01-01') },
  {},
  { purposes: ['signatures'], doubts: ['device', 'signatures'] },
  { from: new Date('2000-01-01') },
  { purposes: ['seals', 'timestamps'], to: new Date('2018-01-01') },
]

/**
 * Returns the policy by which the portal judges for this page, before it has asked the authorities: at a time when the newest certificate
 * of the file was valid, and no timestamp was in the future.
 */
async function policyFor(bytes: Uint8Array): Promise<Policy> {
  const policy: Policy = {
    anchors: [root.certificate, ...foreignAnchors, ...anchorsIn(bytes)].map((certificate, index) => ({
      certificate,
      ...limitations[index % limitations.length],
    })),
    intermediates: [],
    receivedAt: signedAt,
    revocation: 'required',
    signingCertificate: 'any',
    qualified: false,
    largest: limits.fileCheck.bytes,
    password: '',
    ocsps: [],
    crls: [],
  }
  const { signatures } = await validatePdf(bytes, policy)
  const times = signatures.flatMap(({ signer, provenAt }) => [
    ...(signer ? [signer.notBefore.getTime() + 86_400_000] : []),
    ...(provenAt ? [provenAt.getTime()] : []),
  ])
  return times.length ? { ...policy, receivedAt: new Date(Math.max(...times)) } : policy
}

const plain = (_: string, value: unknown) => (value instanceof Uint8Array ? hexOf(value) : value)

const read = (answer: string) => JSON.parse(answer) as { report: { verdict: string } }

/** Returns the server's reports, before and after the authorities have answered. */
async function onServer(bytes: Uint8Array, policy: Policy): Promise<string[]> {
  const reports = [await validatePdf(bytes, policy), await validatePdf(bytes, { ...policy, ...revocationData })]
  return reports.map(({ signatures, ...report }) =>
    JSON.stringify(
      { report: { ...report, signatures: signatures.map(withCertificates) }, at: policy.receivedAt },
      plain,
    ),
  )
}

const authoritiesOf = ({ anchors }: Policy): Reply<typeof listTrustedAuthorities> => ({
  authorities: anchors.map(({ certificate, purposes, from, to, doubts }) => ({
    certificate: base64Of(certificate),
    purposes: purposes ?? null,
    from: from?.toISOString() ?? null,
    to: to?.toISOString() ?? null,
    ...(doubts && { doubts }),
  })),
  intermediates: [],
})

/** Opens a page with the worker that it starts itself, kept for all files. */
async function openWorker(): Promise<Page> {
  const page = await portal.openPage({ alone: true })
  await page.goto('/check')
  await page.locator('.check-screen input[type=file]:enabled').waitFor({ state: 'attached' })
  const loaded = page.waitForRequest(/\/assets\/file-check-worker-/)
  await page.locator('.check-screen input[type=file]').setInputFiles({
    name: 'a.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(signPdf(contractPdf())),
  })
  await page.locator('.file-report').waitFor()
  await page.evaluate(
    (address) => {
      const input = Object.assign(document.createElement('input'), { type: 'file', multiple: true, id: 'corpus' })
      document.body.append(input)
      Object.assign(window, { judge: new Worker(address, { type: 'module' }) })
    },
    (await loaded).url(),
  )
  return page
}

/** Sends the worker what the page sends it, about one of the files that were put into its form. */
const inBrowser = (page: Page, given: { index: number; authorities: string; at: Date; revocations: string }) =>
  page.evaluate(async ({ index, authorities, at, revocations }) => {
    const { judge: worker } = window as unknown as { judge: Worker }
    const file = document.querySelector<HTMLInputElement>('#corpus')!.files![index]!
    const hexadecimal = (_: string, value: unknown) =>
      value instanceof Uint8Array ? Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('') : value
    const answerTo = (request: object) =>
      new Promise<string>((resolve, reject) => {
        worker.addEventListener('message', ({ data }) => resolve(JSON.stringify(data, hexadecimal)), { once: true })
        worker.addEventListener('error', () => reject(new Error('The worker has failed.')), { once: true })
        worker.postMessage(request)
      })
    const before = await answerTo({ file, password: '', authorities: new Blob([authorities]), at })
    return [before, await answerTo({ revocations: new Blob([revocations]) })]
  }, given)

/** Returns the verdicts on the files, after it has checked that those of the browser and of the server are the same. */
async function verdictsOn(files: readonly string[]): Promise<string[]> {
  const page = await openWorker()
  await page.locator('#corpus').setInputFiles(files)
  const { ocsps, crls } = revocationData
  const found: Reply<typeof readRevocationData> = { ocsps: ocsps.map(base64Of), crls: crls.map(base64Of) }
  const revocations = JSON.stringify(found)
  const verdicts = new Set<string>()
  for (const [index, path] of files.entries()) {
    const bytes = new Uint8Array(readFileSync(path))
    const policy = await policyFor(bytes)
    const authorities = JSON.stringify(authoritiesOf(policy))
    // Both at the same time.
    const answer = inBrowser(page, { index, authorities, at: policy.receivedAt, revocations })
    const expected = (await onServer(bytes, policy)).map(read)
    const said = (await answer).map(read)
    expect({ path, said }).toEqual({ path, said: expected })
    verdicts.add(said.map(({ report }) => report.verdict).join())
  }
  return [...verdicts]
}

test('CHK-1 the worker of the page reports on files that are signed here what the server says', async () => {
  const signedHere = exhaustive ? [...ownFiles(), ...filesByAlgorithms()] : ownFiles().slice(2, 5)
  const own = signedHere.map((bytes, index) => {
    const path = join(portal.directory, `own-${index}.pdf`)
    writeFileSync(path, bytes)
    return path
  })
  const samples = exhaustive ? globSync(join(import.meta.dirname, '../pki/samples/**/*.pdf')) : []
  // They are not all judged alike, and the answers of the authorities count.
  expect(await verdictsOn([...own, ...samples])).toEqual(
    expect.arrayContaining(['pending,accepted', 'refused,refused']),
  )
})

test.runIf(exhaustive && foreign.length)(
  'CHK-1 the same on the files of other projects (skipped without ../shared/corpus)',
  async () => {
    expect(foreign.length).toBeGreaterThan(30)
    expect((await verdictsOn(foreign)).length).toBeGreaterThan(1)
  },
)
