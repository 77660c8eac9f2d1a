import type { FileSignature, FileSigner } from '../../contract/file-signing.ts'
import { base64Of, fromBase64 } from '../../pki/bytes.ts'
import type { SignerChains } from '../../pki/pades/pades-long-term.ts'
import type { CertificateChain } from '../../pki/pades/pades-report.ts'
import type { PreparedPdf, SignatureField, VisibleSignature } from '../../pki/pades/pades-sign.ts'
import { readFoundEvidence, readEvidence, type EvidenceReplies, type FoundEvidence } from './found-evidence.ts'
import { readOriginal, readFirst, type Original } from './original-file.ts'
import {
  chainsOf,
  embedSigned,
  inspectFile,
  prepareFile,
  UnsignableFile,
  withEvidence,
  type FileProblem,
  type MissingEvidence,
  type OpenedFile,
} from './signed-file.ts'
import { createZip } from './zip-archive.ts'

export type ShownLines = { page: VisibleSignature['page']; place: VisibleSignature['place']; lines: string[] }

export type Source = Original & { password: string }

/** Bytes that are appended to a file, so that no copy of the file itself is kept. */
type Tail = Uint8Array<ArrayBuffer>

/** An open signature, with its gap in the tail. It stays in the browser: only `digest`, in base64, is sent. */
export type Prepared = { tail: Tail; gap: PreparedPdf['gap']; digest: string }

export type SignedFile = Original & { tail: Tail }

/** The steps of signing one file, and the archive of all, by name: what each needs and returns. */
export type Steps = {
  inspect: { needs: { file: Blob; password: string }; returns: OpenedFile & Pick<Original, 'sha256'> }
  prepare: {
    needs: Source & {
      field: Pick<SignatureField, 'signer' | 'reason' | 'at'>
      shown: ShownLines | undefined
      signer: Pick<FileSigner, 'certificate' | 'chain' | 'algorithm'>
    }
    returns: Prepared
  }
  embed: {
    needs: Source & { prepared: Prepared; signer: FileSigner; signed: FileSignature }
    returns: { tail: Tail; chains: SignerChains }
  }
  evidence: { needs: EvidenceReplies & { chains: readonly CertificateChain[] }; returns: FoundEvidence }
  complete: {
    needs: Source & { tail: Tail; chains: SignerChains; evidence: FoundEvidence }
    returns: { tail: Tail; lacks: MissingEvidence }
  }
  /** The whole file, of which the browser keeps no copy before. */
  save: { needs: SignedFile; returns: { file: Blob } }
  /** `changed`: by index, those that could not be put into it. */
  archive: {
    needs: { files: readonly (SignedFile & { name: string })[] }
    returns: { file: Blob; changed: readonly number[] }
  }
}
export type StepName = keyof Steps
export type StepRequest = { [S in StepName]: { step: S; needs: Steps[S]['needs'] } }[StepName]
export type StepAnswer<S extends StepName = StepName> =
  | { returns: Steps[S]['returns'] }
  | { problem: FileProblem }
  | { failed: true }

/** Reads and writes files away from the page, so that a large one never blocks it. It makes no request. */
addEventListener('message', ({ data }: MessageEvent<StepRequest>) => {
  answerTo(data).then(
    (returns) => postMessage({ returns }),
    (error: unknown) => postMessage(error instanceof UnsignableFile ? { problem: error.problem } : { failed: true }),
  )
})

/** Size in points on the page; the image has `density` pixels for each. */
const size = { width: 200, height: 64 }
const density = 4
const edge = 6

/**
 * Draws a visible signature (SGN-24) with the fonts of the device, so that every letter of a name is there. Lines that are too long get
 * smaller letters.
 */
async function drawSignature(lines: readonly string[]): Promise<Pick<VisibleSignature, 'size' | 'image' | 'text'>> {
  const [width, height] = [size.width * density, size.height * density]
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('The browser draws no images.')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.strokeStyle = '#000'
  context.lineWidth = density / 2
  context.strokeRect(density, density, width - 2 * density, height - 2 * density)
  context.fillStyle = '#000'
  context.textBaseline = 'middle'
  const room = width - 2 * edge * density
  const step = (height - 2 * edge * density) / Math.max(3, lines.length)
  lines.forEach((line, index) => {
    const fontOf = (pixels: number) => `${index === 0 ? 'bold ' : ''}${pixels}px system-ui, sans-serif`
    const usual = Math.round(step * 0.72)
    context.font = fontOf(usual)
    const needed = context.measureText(line).width
    context.font = fontOf(Math.floor(usual * Math.min(1, room / Math.max(1, needed))))
    context.fillText(line, edge * density, edge * density + step * (index + 0.5), room)
  })
  const { data } = context.getImageData(0, 0, width, height)
  // Grey is the same in all three colours.
  const grey = Uint8Array.from({ length: width * height }, (_, pixel) => data[pixel * 4]!)
  return { size, image: { width, height, data: await compress(grey) }, text: lines.join(', ') }
}

async function compress(bytes: Uint8Array<ArrayBuffer>) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

async function answerTo({ step, needs }: StepRequest): Promise<Steps[StepName]['returns']> {
  if (step === 'inspect') {
    const { bytes, sha256 } = await readFirst(needs.file)
    return { ...inspectFile(bytes, needs.password), sha256 }
  }
  if (step === 'prepare') {
    const { password, field, shown, signer } = needs
    const visible = shown && { page: shown.page, place: shown.place, ...(await drawSignature(shown.lines)) }
    const bytes = await readOriginal(needs)
    const { prepared, digest } = prepareFile({ bytes, password }, { ...field, ...(visible && { visible }) }, signer)
    const { start, end } = prepared.gap
    return {
      tail: prepared.bytes.slice(bytes.length),
      gap: { start: start - bytes.length, end: end - bytes.length },
      digest: base64Of(digest),
    }
  }
  if (step === 'embed') {
    const { prepared, password, signer, signed } = needs
    const { tail: open, gap, digest } = prepared
    const tail = embedSigned({ prepared: { bytes: open, gap }, digest: fromBase64(digest)! }, signer, signed)
    return { tail, chains: chainsOf({ bytes: await readOriginal(needs, tail), password }) }
  }
  if (step === 'evidence') return readFoundEvidence(needs, needs.chains)
  if (step === 'complete') {
    const { file, password, chains, evidence } = needs
    const bytes = await readOriginal(needs, needs.tail)
    const { bytes: lasting, lacks } = withEvidence({ bytes, password }, chains, await readEvidence(evidence))
    return { tail: lasting.slice(file.size), lacks }
  }
  if (step === 'save') return { file: pdfOf(await readOriginal(needs, needs.tail)) }
  return createArchive(needs.files)
}

const pdfOf = (bytes: Uint8Array<ArrayBuffer>) => new Blob([bytes], { type: 'application/pdf' })

async function createArchive(files: Steps['archive']['needs']['files']) {
  const changed = new Set<number>()
  const parts = files.map(({ file, tail, name }, index) => ({
    name,
    file: new Blob([file, tail]),
    read: () =>
      readOriginal(files[index]!, tail).catch((error: unknown) => {
        if (!(error instanceof UnsignableFile)) throw error
        changed.add(index)
        return undefined
      }),
  }))
  return { file: await createZip(parts), changed: [...changed] }
}
