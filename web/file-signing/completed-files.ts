import type { Text } from '../../contract/enums.ts'
import { readFileSigning, type FileSignature, type FileSigner } from '../../contract/file-signing.ts'
import type { SignerChains } from '../../pki/pades/pades-long-term.ts'
import { zip } from '../../pki/zip.ts'
import { call, hasFailedWith, onFailure } from '../calls/api.ts'
import type { Prepared, SignedFile, Source } from './file-signing-worker.ts'
import type { FoundEvidence } from './found-evidence.ts'
import type { Order } from './prepared-files.ts'
import { fetchEvidence } from './revocation-evidence.ts'
import type { MissingEvidence } from './signed-file.ts'
import { FileRefused, runStep } from './signing-steps.ts'
import { signingFileProblems, unfinished as unfinishedText } from './signing-text.ts'

/** A signature that was made, and the file that it is for, the one at `index` in the order of the digests. */
type OpenFile = Source & { name: string; index: number; prepared: Prepared; signer: FileSigner; signed: FileSignature }

/** A signed file, with what its evidence needs and lacks. */
type EmbeddedFile = SignedFile & { name: string; password: string; chains: SignerChains; lacks: MissingEvidence }

export const openFiles = (
  { files, signer }: Order,
  prepared: readonly Prepared[],
  signatures: readonly FileSignature[],
): OpenFile[] =>
  zip(files, zip(prepared, signatures)).map(([{ file, sha256, password }, [open, signed]], index) => ({
    file,
    sha256,
    password,
    name: file.name,
    index,
    prepared: open,
    signer,
    signed,
  }))

export type Outcome = {
  /** The signing of which these files are. */
  id: string
  signer: FileSigner
  signed: readonly EmbeddedFile[]
  /** Files whose signature was made, and is not in the file yet. */
  unfinished: readonly (OpenFile & { problem: Text })[]
}

type Work = Pick<Outcome, 'id' | 'signer'> & { signed: readonly EmbeddedFile[]; unfinished: readonly OpenFile[] }

/** Puts the signatures into the files, and adds the evidence where it is missing. What fails for one file keeps no other back. */
export async function complete(
  { id, signer, signed, unfinished }: Work,
  onDone: (done: number, name: string) => void = () => {},
): Promise<Outcome> {
  const embedded = [...signed]
  const failed: Outcome['unfinished'][number][] = []
  for (const open of unfinished) {
    try {
      embedded.push(await embed(open))
    } catch (error) {
      failed.push({ ...open, problem: problemOf(error) })
    }
  }
  // Without the evidence the files are signed all the same (B-T).
  const unproven = embedded.filter(isIncomplete)
  const evidence = unproven.length
    ? await fetchEvidence(unproven.map(({ chains }) => chains)).catch(ifFailed)
    : undefined
  const completed: EmbeddedFile[] = []
  for (const file of embedded) {
    onDone(completed.length, file.name)
    completed.push(evidence && isIncomplete(file) ? await prove(file, evidence) : file)
  }
  return { id, signer, signed: completed, unfinished: failed }
}

/** Checks whether it helps to ask the authorities again: a responder may then answer instead of a very long list. */
export const isIncomplete = ({ lacks }: Pick<EmbeddedFile, 'lacks'>) => lacks !== 'nothing'

/** Repeats what failed. The portal keeps the signatures for a day; where it gives none, those that came are tried again. */
export async function completeAgain({ id, signer, signed, unfinished }: Outcome): Promise<Outcome> {
  const found = unfinished.length
    ? await call(readFileSigning, { params: { id }, optional: true }).catch(onFailure([], () => undefined))
    : undefined
  const again = unfinished.map((open) => ({ ...open, signed: found?.signatures?.[open.index] ?? open.signed }))
  return complete({ id, signer, signed, unfinished: again })
}

async function embed({ file, sha256, password, name, prepared, signer, signed }: OpenFile): Promise<EmbeddedFile> {
  const source = { file, sha256, password }
  const { tail, chains } = await runStep('embed', { ...source, prepared, signer, signed })
  return { ...source, name, tail, chains, lacks: 'answers' }
}

async function prove(signed: EmbeddedFile, evidence: FoundEvidence): Promise<EmbeddedFile> {
  const { file, sha256, password, tail, chains } = signed
  const proven = await runStep('complete', { file, sha256, password, tail, chains, evidence }).catch(ifFailed)
  return { ...signed, ...proven }
}

function problemOf(error: unknown) {
  if (error instanceof FileRefused && error.problem !== 'wrong-password') return signingFileProblems[error.problem]
  ifFailed(error)
  return unfinishedText
}

/**
 * Returns undefined for a refused file or a failed call, because a signed file is not lost if it cannot be completed; throws any other
 * error.
 */
function ifFailed(error: unknown) {
  if (error instanceof FileRefused || hasFailedWith(error)) return undefined
  throw error
}
