import { limits } from '../contract/limits.ts'
import { embedSignature } from '../pki/pades-sign.ts'
import { verifyTimestamp } from '../pki/timestamp-token.ts'
import { PdfWorkBusy, type PreparedArchive } from './pdf-work.ts'
import type { Portal } from './portal.ts'

/** `renewBy`: when the certificate of the archive timestamp ends, by which the file needs another one. */
export type Archived = { file: Uint8Array<ArrayBuffer>; renewBy: Date }

/** Of a list with very many entries a file would grow beyond all that takes it. */
const mostProof = limits.http.signatureBytes / 2

type Parts = Pick<Portal, 'ports' | 'pdfWork'>

/**
 * A file that was signed in the portal, with all that proves its newest signature and timestamps once the authorities are gone
 * (PAdES B-LT, R105). Undefined while that cannot be had: the file is what it was then, and its level says so.
 */
export async function withProof(
  portal: Parts,
  file: Uint8Array,
  now: Date,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const data = await proofOf(portal, file, now)
  return data && unlessBusy(portal.pdfWork.extend(file, data))
}

/** The same with an archive timestamp over file and proof (PAdES B-LTA); of a file that has one already, the next one (R106). */
export async function archived(portal: Parts, file: Uint8Array, now: Date): Promise<Archived | undefined> {
  const { timestamps } = portal.ports
  const data = timestamps && (await proofOf(portal, file, now))
  const prepared = data && (await unlessBusy(portal.pdfWork.prepareArchive(file, data)))
  const token = prepared && (await timestamps.stamp(prepared.digest))
  if (!token || token === 'unreachable') return undefined
  return { file: embedSignature(prepared, token), renewBy: endOf(token, prepared) }
}

/** Of earlier signatures what there is; the newest one and the timestamps have to be proven whole. */
async function proofOf({ ports: { revocation }, pdfWork }: Parts, file: Uint8Array, now: Date) {
  if (!revocation) return undefined
  const chains = await unlessBusy(pdfWork.chains(file))
  if (!chains) return undefined
  const { data, isComplete } = await revocation.evidenceOf(chains.newest, now)
  if (!isComplete) return undefined
  const { data: more } = await revocation.evidenceOf(chains.earlier, now)
  const proof = {
    certificates: [...data.certificates, ...more.certificates],
    ocsps: [...data.ocsps, ...more.ocsps],
    crls: [...data.crls, ...more.crls],
  }
  const bytes = Object.values(proof)
    .flat()
    .reduce((sum, { length }) => sum + length, 0)
  return bytes <= mostProof ? proof : undefined
}

const endOf = (token: Uint8Array, { digest }: PreparedArchive) =>
  verifyTimestamp(token, () => digest).certificate.notAfter

const unlessBusy = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (error instanceof PdfWorkBusy) return undefined
    throw error
  })
