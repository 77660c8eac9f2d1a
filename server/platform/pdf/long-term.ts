import { limits } from '../../../contract/limits.ts'
import { embedSignature } from '../../../pki/pades/pades-sign.ts'
import { verifyTimestamp } from '../../../pki/timestamps/timestamp-token.ts'
import type { Ports } from '../ports.ts'
import { unlessBusy, type PdfWork, type PreparedArchive } from './pdf-work.ts'

export type Archived = {
  file: Uint8Array<ArrayBuffer>
  /** The expiry of the archive timestamp's certificate, before which the file needs another timestamp. */
  renewBy: Date
}

/** A very long revocation list would make the file too large. */
const maxProofBytes = limits.http.signatureBytes / 2

type Parts = { ports: Ports; pdfWork: PdfWork }

/**
 * Adds to a file signed in the portal everything that proves its newest signature and timestamps without the authorities
 * (PAdES B-LT, R105). Undefined while the proof is not available; the file then keeps its level.
 */
export async function withProof(
  portal: Parts,
  file: Uint8Array,
  now: Date,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const data = await collectProof(portal, file, now)
  return data && unlessBusy(portal.pdfWork.extend(file, data), undefined)
}

/** Adds the proof and an archive timestamp over file and proof (PAdES B-LTA), or the next one (R106). */
export async function addArchiveTimestamp(portal: Parts, file: Uint8Array, now: Date): Promise<Archived | undefined> {
  const { timestamps } = portal.ports
  const data = timestamps && (await collectProof(portal, file, now))
  const prepared = data && (await unlessBusy(portal.pdfWork.prepareArchive(file, data), undefined))
  const token = prepared && (await timestamps.stamp(prepared.digest))
  if (!token || token === 'unreachable') return undefined
  return { file: embedSignature(prepared, token), renewBy: endOf(token, prepared) }
}

/**
 * Collects the proof of a file. It must be complete for the newest signature and the timestamps; for earlier signatures it has what is
 * available.
 */
async function collectProof({ ports: { revocation }, pdfWork }: Parts, file: Uint8Array, now: Date) {
  if (!revocation) return undefined
  const chains = await unlessBusy(pdfWork.readChains(file), undefined)
  if (!chains) return undefined
  const { data, isComplete } = await revocation.collectEvidence(chains.newest, now)
  if (!isComplete) return undefined
  const { data: more } = await revocation.collectEvidence(chains.earlier, now)
  const proof = {
    certificates: [...data.certificates, ...more.certificates],
    ocsps: [...data.ocsps, ...more.ocsps],
    crls: [...data.crls, ...more.crls],
  }
  const bytes = Object.values(proof)
    .flat()
    .reduce((sum, { length }) => sum + length, 0)
  return bytes <= maxProofBytes ? proof : undefined
}

const endOf = (token: Uint8Array, { digest }: PreparedArchive) =>
  verifyTimestamp(token, () => digest).certificate.notAfter
