import type { FileSignature } from '../../contract/file-signing.ts'
import type { SignerChains } from '../../pki/pades/pades-long-term.ts'
import { zip } from '../../pki/zip.ts'
import { failedWith } from '../api.ts'
import type { Prepared, SignedFile } from './file-signing-worker.ts'
import type { Order } from './prepared-files.ts'
import { fetchEvidence } from './revocation-evidence.ts'
import type { Outcome } from './signed-files-store.ts'
import { FileRefused, runStep } from './signing-steps.ts'
import { fileProblems, unfinished } from './signing-text.ts'

type Options = {
  order: Order
  prepared: readonly Prepared[]
  signatures: readonly FileSignature[]
  onDone: (done: number) => void
}

/** Puts the signatures into the files. What fails for one file keeps no other back. */
export async function completeAll({ order, prepared, signatures, onDone }: Options): Promise<Outcome> {
  const { files, signer } = order
  const embedded: (SignedFile & { name: string; password: string; chains: SignerChains })[] = []
  const failed: Outcome['unfinished'][number][] = []
  onDone(0)
  for (const [{ file, sha256, password }, [open, signed]] of zip(files, zip(prepared, signatures))) {
    const source = { file, sha256, password }
    try {
      const { tail, chains } = await runStep('embed', { ...source, prepared: open, signer, signed })
      embedded.push({ ...source, name: file.name, tail, chains })
    } catch (error) {
      failed.push({ name: file.name, problem: problemOf(error) })
    }
  }
  // Without the evidence the files are signed all the same (B-T).
  const evidence = embedded.length
    ? await fetchEvidence(embedded.map(({ chains }) => chains)).catch(ifFailed)
    : undefined
  const signed: Outcome['signed'][number][] = []
  for (const { name, password, chains, ...file } of embedded) {
    onDone(signed.length)
    const needs = { ...file, password, chains }
    const lasting = evidence && (await runStep('complete', { ...needs, evidence }).catch(ifFailed))
    signed.push({ ...file, name, isComplete: false, ...lasting })
  }
  return { signed, unfinished: failed }
}

function problemOf(error: unknown) {
  if (error instanceof FileRefused && error.problem !== 'wrong-password') return fileProblems[error.problem]
  ifFailed(error)
  return unfinished
}

/** What is signed is not lost because it cannot be completed. */
function ifFailed(error: unknown) {
  if (error instanceof FileRefused || failedWith(error)) return undefined
  throw error
}
