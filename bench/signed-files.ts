import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { derToPem } from '../pki/asn1/certificate.ts'
import { latin1 } from '../pki/bytes.ts'
import type { KnownForm } from '../pki/pades/pades-report.ts'
import { validatePdf } from '../pki/pades/pades-validate.ts'
import { decryptPdf, encryptPdf } from '../pki/pdf/pdf-rewrite.ts'
import { contract, fileOf, policyOf, root, seal, signPdf } from '../pki/testing/pades-authorities.ts'
import { openPdfWork, type CheckRequest } from '../server/platform/pdf/pdf-work.ts'
import { atMost, type Figure, median } from './figures.ts'

const rounds = 31
const password = 'AAAA'

/** Returns bytes that do not compress and are the same in every run. */
export function noise(length: number) {
  const bytes = new Uint8Array(length)
  let state = 1
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    bytes[i] = state >>> 16
  }
  return latin1(bytes)
}

/** Returns a contract with one image of this many bytes. */
function imageFile(length: number): Uint8Array {
  const image = noise(length)
  return fileOf([...contract, [`<</Type/XObject/Subtype/Image/Width 1/Height 1/Length ${image.length}>>`, image]])
}

/** Returns a contract with 60,000 objects, the most that the portal reads. */
function fileOfManyObjects(): Uint8Array {
  const links = Array.from({ length: 60_000 - contract.length }, (_, i) => {
    const before = contract.length + i
    return `<</Type/Annot/Subtype/Link/Rect[${i % 500} 0 100 100]/Border[0 0 0]/Next ${before} 0 R/Contents(${'x'.repeat(12)})>>`
  })
  return fileOf([...contract, ...links])
}

/** Returns a file as large as the portal accepts, with one image, and one nearly as large, with 60,000 objects. */
const issuedFiles = (): [string, Uint8Array][] => [
  ['10 MB', imageFile(9_700_000)],
  ['60,000 objects', fileOfManyObjects()],
]

/**
 * Measures the validation of a customer's signature with its timestamp, on a file with the provider's seal: all fourteen steps in a warm
 * process, compared with the processes of `pdfsig` (integrity alone) and of `openssl cms -verify` (one message that was extracted for it).
 */
export async function measureSignedFiles(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-bench-signed-'))
  try {
    const figures: Figure[] = []
    for (const [name, plain] of issuedFiles()) {
      const issued = signPdf(plain, { by: seal, field: 'ProviderSeal' })
      figures.push(...(await measureFile(name, issued, signPdf(issued, { timestamp: true }), folder)))
      figures.push(...(await measureProcess(name, plain, folder)))
    }
    return figures
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function measureFile(name: string, issued: Uint8Array, signed: Uint8Array, folder: string): Promise<Figure[]> {
  const path = join(folder, 'signed.pdf')
  writeFileSync(path, signed)
  const verify = cutOut(signed, folder)
  const times: Record<'ours' | 'pdfsig' | 'openssl', number[]> = { ours: [], pdfsig: [], openssl: [] }
  const policy = policyOf({ issued: [formOf(issued)], largest: 12_000_000, signer: { identifier: '90010112345' } })
  // Alternating, so that a slower minute of the machine affects all of them.
  for (let round = -3; round < rounds; round++) {
    const started = performance.now()
    const { verdict, problems } = await validatePdf(signed, policy)
    const ours = performance.now() - started
    if (verdict !== 'accepted') throw new Error(`${name} is ${verdict}: ${problems[0]?.detail}`)
    const [pdfsig, openssl] = [
      measureTime('pdfsig', ['-nocert', path], 'Signature is Valid'),
      measureTime('openssl', verify, 'successful'),
    ]
    if (round < 0) continue
    times.ours.push(ours)
    times.pdfsig.push(pdfsig)
    times.openssl.push(openssl)
  }
  const [ours, pdfsig, openssl] = [median(times.ours), median(times.pdfsig), median(times.openssl)]
  return [
    comparison(`validating ${name} ÷ pdfsig's process`, ours, pdfsig, 1),
    comparison(`validating ${name} ÷ openssl cms -verify`, ours, openssl),
  ]
}

/** Compares our time with that of another program, as a ratio. */
const comparison = (what: string, ours: number, other: number, most?: number): Figure => ({
  what,
  value: ours / other,
  unit: '×',
  ...(most !== undefined && { limit: atMost(most) }),
  detail: `${ours.toFixed(1)} ms to ${other.toFixed(1)} ms`,
})

/**
 * Measures the whole check as the portal requests it, through the process that reads PDFs, with the portal's record of the issued document:
 * in a warm process, in one that has read nothing yet, and in one that has to be started.
 */
async function measureProcess(name: string, plain: Uint8Array, folder: string): Promise<Figure[]> {
  const isLarge = name === '10 MB'
  const encrypted = encryptPdf(plain, { password, owner: 'BBBB' })
  const clear = decryptPdf(encrypted, { password })
  const forms = [encrypted, clear].map(formOf)
  const file = signPdf(clear, { timestamp: true })
  const path = join(folder, 'uploaded.pdf')
  writeFileSync(path, file)
  const times: Record<'warm' | 'first' | 'started' | 'pdfsig', number[]> = {
    warm: [],
    first: [],
    started: [],
    pdfsig: [],
  }
  const warm = openPdfWork()
  for (let round = -3; round < rounds; round++) {
    const took = {
      warm: await measureCheck(warm, { file, forms }),
      pdfsig: measureTime('pdfsig', ['-nocert', path], 'Signature is Valid'),
    }
    if (round < 0) continue
    times.warm.push(took.warm)
    times.pdfsig.push(took.pdfsig)
    if (round % 3) continue
    const [first, started] = [openPdfWork(), openPdfWork()]
    await first.start()
    times.first.push(await measureCheck(first, { file, forms }))
    times.started.push(await measureCheck(started, { file, forms }))
    await Promise.all([first.close(), started.close()])
  }
  await warm.close()
  const pdfsig = median(times.pdfsig)
  const figure = (what: string, ours: number, most?: number) =>
    comparison(`checking ${name} in a process ${what} ÷ pdfsig's`, ours, pdfsig, most)
  return [
    figure('that is warm', median(times.warm), isLarge ? 0.7 : 1),
    figure('that has read nothing yet', median(times.first), isLarge ? 3 : undefined),
    figure('that has to be started', median(times.started)),
  ]
}

async function measureCheck(
  work: ReturnType<typeof openPdfWork>,
  { file, forms }: { file: Uint8Array; forms: KnownForm[] },
): Promise<number> {
  const { anchors, intermediates = [], ocsps = [], crls = [], responders = [] } = policyOf({})
  const request: CheckRequest = {
    file: async () => inTransit(file),
    issued: () => Promise.reject(new Error('The check reads the issued document')),
    forms,
    password,
    signer: 'PNOPL-90010112345',
    receivedAt: new Date(),
    trust: { anchors, intermediates, ocsps, crls, responders },
  }
  const started = performance.now()
  const found = await work.check(request)
  const took = performance.now() - started
  if (!found.readable || found.report.document !== 'same-bytes') throw new Error('The check finds another document')
  return took
}

const formOf = (bytes: Uint8Array): KnownForm => ({ length: bytes.length, sha256: hash('sha256', bytes) })

/** Returns the bytes as a stream of pieces, as a store sends them. */
function inTransit(bytes: Uint8Array) {
  const pieces = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, i) =>
    bytes.subarray(i * 65_536, (i + 1) * 65_536),
  )
  return { content: Readable.from(pieces), bytes: bytes.length }
}

function measureTime(program: string, args: string[], expected: string) {
  const started = performance.now()
  const { stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  const took = performance.now() - started
  if (error || !`${stdout}${stderr}`.includes(expected)) throw new Error(`${program} does not say «${expected}»`)
  return took
}

/** Extracts the last signature's message and the content that it covers, and returns the arguments for openssl. */
function cutOut(signed: Uint8Array, folder: string) {
  const text = latin1(signed)
  const [start, end] = text.slice(text.lastIndexOf('/ByteRange [')).match(/\d+/g)!.slice(1, 3).map(Number) as [
    number,
    number,
  ]
  const files = { cms: join(folder, 'cms'), content: join(folder, 'content'), root: join(folder, 'root.pem') }
  const message = Buffer.from(text.slice(start + 1, end - 1), 'hex')
  writeFileSync(files.cms, message.subarray(0, message.readUInt16BE(2) + 4))
  writeFileSync(files.content, Buffer.concat([signed.subarray(0, start), signed.subarray(end)]))
  writeFileSync(files.root, derToPem(root.certificate))
  const input = ['-inform', 'DER', '-binary', '-in', files.cms, '-content', files.content, '-out', '/dev/null']
  return ['cms', '-verify', '-cades', ...input, '-CAfile', files.root, '-purpose', 'any']
}
