import type { FileSigner, UnusableSigner } from '../../contract/file-signing.ts'
import { limits } from '../../contract/limits.ts'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import { base64Of, hexOf } from '../../pki/bytes.ts'
import { sha256 } from '../../pki/asn1/signature-algorithm.ts'
import { chainWithoutRoot } from '../platform/pdf/remote-signing.ts'
import type { Portal } from '../platform/portal.ts'
import type { SigningCredential } from '../platform/ports.ts'
import { requirementOf } from '../signing/service-authorisation.ts'
import { cloudCertificates, customerOf } from './file-signing-store.ts'

/** A certificate of the customer's whose key the signing service has. */
export type ReadySigner = { shown: FileSigner; credential: SigningCredential }

export type FoundSigners = { signers: ReadySigner[]; unusable: UnusableSigner[] }

/** Matched by the certificate itself. Undefined if the service is unreachable; none where the portal has no service. */
export async function fileSigners({ db, keys, ports }: Portal, accountId: string): Promise<FoundSigners | undefined> {
  const { remoteSigning, timestamps } = ports
  if (!remoteSigning || !timestamps) return { signers: [], unusable: [] }
  const customer = await customerOf(db, accountId)
  const credentials = customer === null ? [] : await remoteSigning.credentials(customer)
  if (credentials === 'unreachable') return undefined
  const byCertificate = new Map(credentials.map((credential) => [base64Of(credential.certificate), credential]))
  const found: FoundSigners = { signers: [], unusable: [] }
  for (const { validTo: until, certificate, isStopping, ...known } of await cloudCertificates(db, keys, accountId)) {
    const validTo = until.toISOString()
    const credential = byCertificate.get(certificate)
    if (!credential || isStopping) {
      found.unusable.push({ ...known, validTo, reason: isStopping ? 'stopping' : 'no-key' })
      continue
    }
    const shown = {
      ...known,
      certificate,
      serialNumber: readCertificate(credential.certificate).serialNumber,
      validTo,
      chain: chainWithoutRoot(credential).map(base64Of),
      algorithm: credential.algorithm,
      mostFiles: Math.min(limits.fileSigning.files, credential.mostSignatures),
      requirement: requirementOf(credential) ?? null,
      asksElsewhere: credential.authorisation.kind === 'elsewhere',
    }
    found.signers.push({ shown, credential })
  }
  return found
}

/** The hash of everything that the code confirms: the customer, the certificate, its algorithm, and the digests in their order (R202). */
export function bindingOf(owner: string, { credential }: ReadySigner, digests: readonly Uint8Array[]): string {
  const { certificate, algorithm } = credential
  const bound = [owner, hexOf(sha256(certificate)), algorithm.scheme, algorithm.digest, ...digests.map(hexOf)]
  return hexOf(sha256(Buffer.from(JSON.stringify(bound))))
}

/** What the message names, and the browser can compute too. */
export const referenceOf = (digests: readonly Uint8Array[]): string => hexOf(sha256(...digests))
