import { sql } from 'kysely'
import type { Given } from '../../contract/endpoint.ts'
import type { FileSigner, UnusableSigner } from '../../contract/file-signing.ts'
import { limits } from '../../contract/limits.ts'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import { sha256 } from '../../pki/asn1/signature-algorithm.ts'
import { base64Of, hexOf } from '../../pki/bytes.ts'
import { listCloudCertificates } from '../certificates/cloud-certificates.ts'
import { type Db, query } from '../platform/database/database.ts'
import { chainWithoutRoot } from '../platform/pdf/remote-signing.ts'
import type { Portal } from '../platform/portal.ts'
import type { SigningCredential } from '../platform/ports.ts'
import { authorisingOf } from '../service-authorisation/service-authorisation.ts'

/** Finds the provider's own id of the customer, by which the signing service knows them; null for one whom no PUT has named yet. */
export async function findProviderId(db: Db, accountId: string): Promise<string | null> {
  const row = await query(db).first(sql<{ customer: string | null }>`
    select provider_id as customer from accounts where id = ${accountId}`)
  return row?.customer ?? null
}

/** A certificate of the customer's whose key the signing service has. */
type ReadySigner = { shown: Given<typeof FileSigner>; credential: SigningCredential }

type FoundSigners = { signers: ReadySigner[]; unusable: Given<typeof UnusableSigner>[] }

/**
 * Matches the customer's certificates with the keys of the service, by the certificate itself. Undefined if the service
 * is unreachable; none where the portal has no service.
 */
export async function findFileSigners(
  { db, keys, ports }: Portal,
  accountId: string,
): Promise<FoundSigners | undefined> {
  const { remoteSigning, timestamps } = ports
  if (!remoteSigning || !timestamps) return { signers: [], unusable: [] }
  const customer = await findProviderId(db, accountId)
  const credentials = customer === null ? [] : await remoteSigning.listCredentials(customer)
  if (credentials === 'unreachable') return undefined
  const byCertificate = new Map(credentials.map((credential) => [base64Of(credential.certificate), credential]))
  const found: FoundSigners = { signers: [], unusable: [] }
  for (const { certificate, isStopping, ...known } of await listCloudCertificates(db, keys, accountId)) {
    const credential = byCertificate.get(certificate)
    if (!credential || isStopping) {
      found.unusable.push({ ...known, reason: isStopping ? 'stopping' : 'no-key' })
      continue
    }
    const shown = {
      ...known,
      certificate,
      serialNumber: readCertificate(credential.certificate).serialNumber,
      chain: chainWithoutRoot(credential).map(base64Of),
      algorithm: credential.algorithm,
      mostFiles: Math.min(limits.fileSigning.files, credential.mostSignatures),
      ...authorisingOf(credential),
    }
    found.signers.push({ shown, credential })
  }
  return found
}

/**
 * Returns the hash of everything that the code confirms: the customer, the certificate, its algorithm, and the digests in their order
 * (R202).
 */
export function bindingOf(accountId: string, { credential }: ReadySigner, digests: readonly Uint8Array[]): string {
  const { certificate, algorithm } = credential
  const bound = [accountId, hexOf(sha256(certificate)), algorithm.scheme, algorithm.digest, ...digests.map(hexOf)]
  return hexOf(sha256(Buffer.from(JSON.stringify(bound))))
}

/** Returns the reference that the message names and that the browser can compute too. */
export const referenceOf = (digests: readonly Uint8Array[]): string => hexOf(sha256(...digests))
