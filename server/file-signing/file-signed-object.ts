import { signedAttributes } from '../../pki/asn1/cms.ts'
import { ApiError } from '../platform/api-error.ts'
import { timestampAll } from '../platform/pdf/remote-signing.ts'
import type { ObjectToSign, Portal, Signed, SignedObject, SigningSubject } from '../platform/portal.ts'
import { bindingOf, findFileSigners, referenceOf } from './file-signers.ts'
import {
  endFileSigning,
  findFileSigning,
  setSignatures,
  setTimestamp,
  releaseSigning,
  takeSigning,
  type FileSigningRow,
} from './file-signing-store.ts'

export const fileSigningObjectOf = ({ id }: { id: string }): ObjectToSign => ({ kind: 'fileSigning', id })

export const filesSubjectOf = (row: FileSigningRow): SigningSubject => ({
  owner: row.accountId,
  object: fileSigningObjectOf(row),
  signatureId: row.signatureId,
  claimedAt: row.startedAt,
})

const describeFiles = ({ digests }: FileSigningRow) => `Files: ${digests.length}, ${referenceOf(digests).slice(0, 8)}`

export const detailsOf = ({ id, signatureId, sealId, digests }: FileSigningRow) => ({
  fileSigning: id,
  ...(signatureId && { signature: signatureId }),
  ...(sealId && { seal: sealId }),
  files: digests.length,
  reference: referenceOf(digests),
})

/** Prepares the files to be signed now, with access and certificate read again (R203). The portal makes the attributes (R201). */
export async function prepareFiles(portal: Portal, row: FileSigningRow) {
  const found = await findFileSigners(portal, row.accountId)
  if (!found) return { refused: 'unavailable' as const }
  const signer = found.signers.find(({ shown }) => shown.id === (row.signatureId ?? row.sealId))
  if (!signer || bindingOf(row.accountId, signer, row.digests) !== row.binding)
    return { refused: 'signing-changed' as const }
  const { credential } = signer
  const { certificate } = credential
  return {
    attributes: row.digests.map((digest) => signedAttributes({ digest, certificate })),
    credential,
    binding: row.binding,
    description: describeFiles(row),
    signatures: row.signatures ?? undefined,
    store: (signed: Signed) => storeSignedFile(portal, row, signed),
  }
}

/** Keeps what the service has signed before it has its timestamps, so that no failure after it loses a signature (SGN-29). */
async function storeSignedFile(
  portal: Portal,
  row: FileSigningRow,
  { signatures, transaction, end }: Signed,
): Promise<void> {
  const taken = row.signatures
    ? await takeSigning(portal.db, row.id)
    : await transaction(async (tx, audit) => {
        const kept = await setSignatures(tx, row.id, signatures)
        if (kept) await audit('files-signed', detailsOf(row))
        return kept
      })
  if (!taken) throw new ApiError('busy')
  await timestampKept(portal, taken, { transaction, end })
}

/** Adds the timestamps that are missing to a signing that this request has taken. */
export async function timestampKept(
  { db, ports }: Portal,
  row: FileSigningRow,
  { transaction, end }: Pick<Signed, 'transaction' | 'end'>,
): Promise<void> {
  try {
    const signed = await timestampAll(ports, row.signatures ?? [], {
      known: row.timestamps ?? [],
      keep: (index, token) => setTimestamp(db, row.id, index, token),
    })
    if (signed === 'unreachable') throw new ApiError('unavailable')
    await transaction(async (tx) => {
      await end(tx)
      await endFileSigning(tx, row.id)
    })
  } catch (error) {
    await releaseSigning(db, row)
    throw error
  }
}

/** The files that are signed while their customer is present, because the service requires more than the portal's code. */
export const fileSignedObject: SignedObject = {
  kind: 'fileSigning',
  async prepare(portal, { owner, object }) {
    const row = await findFileSigning(portal.db, owner, object.id)
    return row ? prepareFiles(portal, row) : { refused: 'signing-changed' }
  },
}
