import type { Locale } from '../../contract/enums.ts'
import type { FileSigner } from '../../contract/file-signing.ts'
import type { SignaturePlace } from '../../pki/pdf/signature-places.ts'
import { formatDateTime } from '../text/format.ts'
import type { ReadyFile } from './chosen-files.ts'
import type { Prepared } from './file-signing-worker.ts'
import { runStep } from './signing-steps.ts'

export type SignaturePosition = { page: 'first' | 'last'; place: SignaturePlace }

/** Files to be signed, the look of their signatures, and the certificate. */
export type Order = {
  files: readonly ReadyFile[]
  signer: FileSigner
  reason: string
  /** The position of a visible signature; undefined for an invisible one. */
  shown: SignaturePosition | undefined
}

export const isSameOrder = (a: Order, b: Order) => keyOf(a) === keyOf(b)
const keyOf = ({ files, signer, reason, shown }: Order) =>
  JSON.stringify([files.map(({ id }) => id), signer.id, reason, shown && [shown.page, shown.place]])

type Options = {
  locale: Locale
  /** The time that the signatures state, by the clock of this device; their timestamps prove it. */
  at: Date
  stopped: AbortSignal
  onFile: (index: number) => void
}

/** Prepares the files with open signatures. Throws FileRefused, after `onFile` of that file. */
export async function prepareAll({ files, signer, reason, shown }: Order, { locale, at, stopped, onFile }: Options) {
  const lines = [signer.name, formatDateTime(locale, at), reason].filter(Boolean)
  const prepared: Prepared[] = []
  for (const [index, { file, sha256, password }] of files.entries()) {
    onFile(index)
    const needs = {
      file,
      sha256,
      password,
      field: { signer: signer.name, reason, at },
      shown: shown && { ...shown, lines },
      signer,
    }
    prepared.push(await runStep('prepare', needs, stopped))
  }
  return prepared
}
