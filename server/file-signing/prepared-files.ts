import { signedAttributes } from '../../pki/asn1/cms.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Portal, Signed, SignedObject, SigningSubject } from '../platform/portal.ts'
import { bindingOf, fileSigners, referenceOf } from './file-signers.ts'
import { findFileSigning, storeSignatures, type FileSigningRow } from './file-signing-store.ts'

export const subjectOf = ({ id, owner, signatureId, startedAt }: FileSigningRow): SigningSubject => ({
  owner,
  caseId: null,
  renewalId: null,
  fileSigningId: id,
  signatureId,
  claimedAt: startedAt,
})

/** For the service. */
const describeFiles = ({ digests }: FileSigningRow) => `Files: ${digests.length}, ${referenceOf(digests).slice(0, 8)}`

export const detailsOf = ({ id, signatureId, sealId, digests }: FileSigningRow) => ({
  fileSigning: id,
  ...(signatureId && { signature: signatureId }),
  ...(sealId && { seal: sealId }),
  files: digests.length,
  reference: referenceOf(digests),
})

/** What is to be signed now, with access and certificate read again (R203). The portal makes the attributes (R201). */
export async function prepareFiles(portal: Portal, row: FileSigningRow) {
  const signers = await fileSigners(portal, row.owner)
  if (!signers) return { refused: 'unavailable' as const }
  const signer = signers.find(({ shown }) => shown.id === (row.signatureId ?? row.sealId))
  if (!signer || bindingOf(row.owner, signer, row.digests) !== row.binding)
    return { refused: 'signing-changed' as const }
  const { credential } = signer
  const { certificate } = credential
  return {
    attributes: row.digests.map((digest) => signedAttributes({ digest, certificate })),
    credential,
    binding: row.binding,
    description: describeFiles(row),
    store: (signed: Signed) => storeSigned(row, signed),
  }
}

async function storeSigned(row: FileSigningRow, { signatures, transaction, end }: Signed): Promise<void> {
  await transaction(async (tx, audit) => {
    await end(tx)
    if (!(await storeSignatures(tx, row.id, signatures))) throw new ApiError('signing-over')
    await audit('files-signed', detailsOf(row))
  })
}

/** The files that are signed while their customer is present, because the service requires more than the portal's code. */
export const fileSigningObject: SignedObject = {
  kind: 'files',
  async prepare(portal, { owner, fileSigningId }) {
    const row = await findFileSigning(portal.db, owner, fileSigningId!)
    return row ? prepareFiles(portal, row) : { refused: 'signing-changed' }
  },
}
