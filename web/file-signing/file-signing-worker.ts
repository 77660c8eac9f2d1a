import type { FileSignature, FileSigner } from '../../contract/file-signing.ts'
import { base64Of, fromBase64 } from '../../pki/bytes.ts'
import type { SignerChains } from '../../pki/pades/pades-long-term.ts'
import type { PreparedPdf, SignatureField, VisibleSignature } from '../../pki/pades/pades-sign.ts'
import { drawSignature } from './signature-image.ts'
import {
  chainsOf,
  embedSigned,
  inspectFile,
  prepareFile,
  UnsignableFile,
  withEvidence,
  type Evidence,
  type FileProblem,
  type OpenedFile,
} from './signed-file.ts'
import { zipOf, type ArchivedFile } from './zip-archive.ts'

type File = { file: Blob; password: string }
export type ShownLines = { page: VisibleSignature['page']; place: VisibleSignature['place']; lines: string[] }

/** A file with an open signature. It stays in the browser: only `digest`, in base64, is sent. */
export type Prepared = { file: Blob; gap: PreparedPdf['gap']; digest: string }

/** The steps of signing one file, and the archive of all, by name: what each needs and returns. */
export type Steps = {
  inspect: { needs: File; returns: OpenedFile }
  prepare: {
    needs: File & {
      field: Pick<SignatureField, 'signer' | 'reason' | 'at'>
      shown: ShownLines | undefined
      signer: Pick<FileSigner, 'certificate' | 'chain' | 'algorithm'>
    }
    returns: Prepared
  }
  embed: {
    needs: { prepared: Prepared; password: string; signer: FileSigner; signed: FileSignature }
    returns: { file: Blob; chains: SignerChains }
  }
  complete: {
    needs: File & Evidence
    /** `isComplete`: nothing is left to be proven (B-LT). */
    returns: { file: Blob; isComplete: boolean }
  }
  archive: { needs: { files: readonly ArchivedFile[] }; returns: { file: Blob } }
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

async function answerTo({ step, needs }: StepRequest) {
  if (step === 'inspect') return inspectFile(await bytesOf(needs.file), needs.password)
  if (step === 'prepare') {
    const { file, password, field, shown, signer } = needs
    const visible = shown && { page: shown.page, place: shown.place, ...(await drawSignature(shown.lines)) }
    const bytes = await bytesOf(file)
    const { prepared, digest } = prepareFile({ bytes, password }, { ...field, ...(visible && { visible }) }, signer)
    return { file: pdfOf(prepared.bytes), gap: prepared.gap, digest: base64Of(digest) }
  }
  if (step === 'embed') {
    const { prepared, password, signer, signed } = needs
    const { gap, digest } = prepared
    const open = { prepared: { bytes: await bytesOf(prepared.file), gap }, digest: fromBase64(digest)! }
    const bytes = embedSigned(open, signer, signed)
    return { file: pdfOf(bytes), chains: chainsOf({ bytes, password }) }
  }
  if (step === 'archive') return { file: await zipOf(needs.files) }
  const { file, password, ...evidence } = needs
  const { bytes, isComplete } = withEvidence({ bytes: await bytesOf(file), password }, evidence)
  return { file: pdfOf(bytes), isComplete }
}

const pdfOf = (bytes: Uint8Array<ArrayBuffer>) => new Blob([bytes], { type: 'application/pdf' })

/** A chosen file may have been moved or deleted since. */
async function bytesOf(file: Blob) {
  const bytes = await file.arrayBuffer().catch(() => undefined)
  if (!bytes) throw new UnsignableFile('unreadable')
  return new Uint8Array(bytes)
}
