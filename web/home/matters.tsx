import type { summariseDocuments } from '../../contract/documents.ts'
import type { Reply } from '../../contract/endpoint.ts'
import type { Locale } from '../../contract/enums.ts'
import type { listOpenRenewals } from '../../contract/renewal.ts'
import type { summariseSeals } from '../../contract/seals.ts'
import type { summariseSignatures } from '../../contract/signatures.ts'
import type { summariseTimestamps } from '../../contract/timestamps.ts'
import { documentMatters } from './document-matters.tsx'
import type { Matter } from './matter.ts'
import { packageMatter } from './package-matter.tsx'
import { renewalMatter } from './renewal-matter.tsx'
import { invitationMatter, sealMatter } from './seal-matters.tsx'
import { furtherSignatures, signatureMatter } from './signature-matter.tsx'

/** What is known; undefined what cannot be read just now. */
export type Summaries = {
  signatures: Reply<typeof summariseSignatures> | undefined
  seals: Reply<typeof summariseSeals> | undefined
  timestamps: Reply<typeof summariseTimestamps> | undefined
  documents: Reply<typeof summariseDocuments> | undefined
  renewals: Reply<typeof listOpenRenewals> | undefined
}

/** Everything that waits, the most urgent first (ux 8.2). */
export function mattersOf(
  { signatures, seals, timestamps, documents, renewals }: Summaries,
  locale: Locale,
  now: string,
): Matter[] {
  /** The renewal that is under way says of both its signatures what is next; of a suspended one there is more to say. */
  const isToldOf = ({ id, reason }: { id: string; reason: string | null }) =>
    reason !== 'suspended' && !!renewals?.items.some(({ signature, issued }) => signature === id || issued === id)
  return [
    ...(renewals?.items ?? []).map((renewal) => renewalMatter(renewal, locale, now)),
    ...(documents ? documentMatters(documents, locale) : []),
    ...(signatures?.attention ?? [])
      .filter((one) => !isToldOf(one))
      .map((signature) => signatureMatter(signature, locale, now)),
    ...(signatures?.further
      ? [furtherSignatures(signatures.further, signatures.attention.at(-1)!.validTo, locale)]
      : []),
    ...(seals?.invitations ?? []).map((invitation) => invitationMatter(invitation, locale)),
    ...(seals?.attention ?? []).map((seal) => sealMatter(seal, locale, now)),
    ...(timestamps?.attention ?? []).map((one) => packageMatter(one, locale)),
  ].toSorted((one, other) => one.rank - other.rank || (one.end < other.end ? -1 : 1))
}
