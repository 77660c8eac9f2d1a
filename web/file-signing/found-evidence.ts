import type { Reply } from '../../contract/endpoint.ts'
import type { listTrustedAuthorities, readRevocationData } from '../../contract/file-check.ts'
import { fromBase64 } from '../../pki/bytes.ts'
import type { CertificateChain } from '../../pki/pades/pades-report.ts'
import { anchorsOf, type Evidence } from './signed-file.ts'

/** Replies of the portal as they came: their JSON, in which revocation lists can be megabytes. */
export type EvidenceReplies = { authorities: Blob; revocations: readonly Blob[] }

/** Evidence as blobs, which workers share. */
export type FoundEvidence = Pick<Evidence, 'anchors'> & { ocsps: readonly Blob[]; crls: readonly Blob[] }

/** Returns the evidence in the replies; of the authorities only those that are in the chains, or that issued the ends of the chains. */
export async function readFoundEvidence(
  { authorities, revocations }: EvidenceReplies,
  chains: readonly CertificateChain[],
): Promise<FoundEvidence> {
  const { authorities: trusted } = (await readJson(authorities)) as Reply<typeof listTrustedAuthorities>
  const found = (await Promise.all(revocations.map(readJson))) as Reply<typeof readRevocationData>[]
  const blobsOf = (all: readonly string[]) => [...new Set(all)].flatMap(derIn).map((der) => new Blob([der]))
  return {
    anchors: anchorsOf(
      chains,
      trusted.flatMap(({ certificate }) => derIn(certificate)),
    ),
    ocsps: blobsOf(found.flatMap(({ ocsps }) => ocsps)),
    crls: blobsOf(found.flatMap(({ crls }) => crls)),
  }
}

const readJson = async (reply: Blob): Promise<unknown> => JSON.parse(await reply.text())

const derIn = (base64: string) => fromBase64(base64) ?? []

export async function readEvidence({ anchors, ocsps, crls }: FoundEvidence): Promise<Evidence> {
  const read = (all: readonly Blob[]) => Promise.all(all.map(async (blob) => new Uint8Array(await blob.arrayBuffer())))
  return { anchors, ocsps: await read(ocsps), crls: await read(crls) }
}
