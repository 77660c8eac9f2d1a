import { generateKeyPairSync } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Reply } from '../contract/endpoint.ts'
import type { listTrustedAuthorities, readRevocationData } from '../contract/file-check.ts'
import { limits } from '../contract/limits.ts'
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
import { withCertificates } from '../web/file-check/signature-certificates.ts'
import { openPortal } from './testing/open-portal.ts'

const portal = await openPortal()

/** Files of other projects (docs/guides/pades-corpus.md), with the authorities that their projects trust. */
const corpus = join(import.meta.dirname, '../../shared/corpus')
const foreign = existsSync(corpus) ? globSync(`${corpus}/**/*.pdf`).toSorted() : []
const foreignAnchors = globSync(`${corpus}/**/*.pem`).flatMap((path) => pemToDer(readFileSync(path, 'utf8')))

/** Signed here, so that the comparison is never empty: by one and by two signers, with timestamps, changed in many ways. */
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

/** By each algorithm with which a signing service may sign (SGN-6). */
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

const revocationData = {
  ocsps: [ocspAnswer(anna), ocspAnswer(stamper), ocspAnswer(seal)],
  crls: [revocationList()],
}

type Policy = ValidationPolicy & Required<Pick<ValidationPolicy, 'ocsps' | 'crls'>>

/** As the portal judges for this page, before it has asked the authorities: at a time when the newest certificate of the file was valid. */
async function policyFor(bytes: Uint8Array): Promise<Policy> {
  const anchors = [root.certificate, ...foreignAnchors, ...anchorsIn(bytes)]
  const policy: Policy = {
    anchors: anchors.map((certificate) => ({ certificate })),
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
  const begins = signatures.flatMap(({ signer }) => signer?.notBefore.getTime() ?? [])
  return begins.length ? { ...policy, receivedAt: new Date(Math.max(...begins) + 86_400_000) } : policy
}

const plain = (_: string, value: unknown) => (value instanceof Uint8Array ? hexOf(value) : value)

const read = (answer: string) => JSON.parse(answer) as { report: { verdict: string } }

/** What the server says, before and after the authorities have answered. */
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
  authorities: anchors.map(({ certificate }) => ({
    certificate: base64Of(certificate),
    purposes: null,
    from: null,
    to: null,
  })),
  intermediates: [],
})

/** The address of the worker that the page itself starts. */
async function workerOf(page: Page): Promise<string> {
  const loaded = page.waitForRequest(/\/assets\/file-check-worker-/)
  await page.locator('.judge input[type=file]').setInputFiles({
    name: 'a.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(signPdf(contractPdf())),
  })
  await page.locator('.judged').waitFor()
  return (await loaded).url()
}

/** Sends the worker what the page sends it, about one of the files that were put into its form. */
const inBrowser = (
  page: Page,
  given: { worker: string; index: number; authorities: string; at: Date; revocations: string },
) =>
  page.evaluate(async ({ worker: address, index, authorities, at, revocations }) => {
    const worker = new Worker(address, { type: 'module' })
    const file = document.querySelector<HTMLInputElement>('#corpus')!.files![index]!
    const hexadecimal = (_: string, value: unknown) =>
      value instanceof Uint8Array ? Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('') : value
    const answerTo = (request: object) =>
      new Promise<string>((resolve, reject) => {
        worker.addEventListener('message', ({ data }) => resolve(JSON.stringify(data, hexadecimal)), { once: true })
        worker.addEventListener('error', () => reject(new Error('The worker has failed.')), { once: true })
        worker.postMessage(request)
      })
    try {
      const before = await answerTo({ file, password: '', authorities: new Blob([authorities]), at })
      return [before, await answerTo({ revocations: new Blob([revocations]) })]
    } finally {
      worker.terminate()
    }
  }, given)

test('CHK-1 on every file the worker of the page reports in the browser what the server says, with the same authorities at the same time', async () => {
  const own = [...ownFiles(), ...filesByAlgorithms()].map((bytes, index) => {
    const path = join(portal.directory, `own-${index}.pdf`)
    writeFileSync(path, bytes)
    return path
  })
  const samples = globSync(join(import.meta.dirname, '../pki/samples/*.pdf'))
  const files = [...own, ...samples, ...foreign]
  const page = await portal.openPage({ alone: true })
  await page.goto('/check')
  await page.locator('.judge input[type=file]:enabled').waitFor({ state: 'attached' })
  const worker = await workerOf(page)
  await page.evaluate(() => {
    const input = Object.assign(document.createElement('input'), { type: 'file', multiple: true, id: 'corpus' })
    document.body.append(input)
  })
  await page.locator('#corpus').setInputFiles(files)
  const { ocsps, crls } = revocationData
  const found: Reply<typeof readRevocationData> = { ocsps: ocsps.map(base64Of), crls: crls.map(base64Of) }
  const revocations = JSON.stringify(found)

  const verdicts = new Set<string>()
  for (const [index, path] of files.entries()) {
    const bytes = new Uint8Array(readFileSync(path))
    const policy = await policyFor(bytes)
    const authorities = JSON.stringify(authoritiesOf(policy))
    const said = (await inBrowser(page, { worker, index, authorities, at: policy.receivedAt, revocations })).map(read)
    expect({ path, said }).toEqual({ path, said: (await onServer(bytes, policy)).map(read) })
    verdicts.add(said.map(({ report }) => report.verdict).join())
  }
  // The files are not all judged alike, and the answers of the authorities count.
  expect([...verdicts]).toEqual(expect.arrayContaining(['pending,accepted', 'refused,refused']))
})
