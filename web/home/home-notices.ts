import type { summariseDocuments } from '../../contract/documents.ts'
import type { Reply } from '../../contract/endpoint.ts'
import type { Locale } from '../../contract/enums.ts'
import type { listOpenRenewals } from '../../contract/renewal.ts'
import type { summariseSeals } from '../../contract/seals.ts'
import type { summariseSignatures } from '../../contract/signatures.ts'
import type { summariseTimestamps } from '../../contract/timestamps.ts'
import { documentNotices } from './document-notices.tsx'
import type { HomeNotice } from './home-notice.ts'
import { packageNotice } from './package-notice.tsx'
import { renewalNotice } from './renewal-notice.tsx'
import { invitationNotice, sealNotice } from './seal-notices.tsx'
import { furtherSignatures, signatureNotice } from './signature-notice.tsx'

/** Summaries that are known; undefined: the summary could not be read. */
export type Summaries = {
  signatures: Reply<typeof summariseSignatures> | undefined
  seals: Reply<typeof summariseSeals> | undefined
  timestamps: Reply<typeof summariseTimestamps> | undefined
  documents: Reply<typeof summariseDocuments> | undefined
  renewals: Reply<typeof listOpenRenewals> | undefined
}

/** Returns all notices that wait, the most urgent first and within one rank by their end; then those of processes under way. */
export function noticesOf(
  { signatures, seals, timestamps, documents, renewals }: Summaries,
  locale: Locale,
  now: string,
): HomeNotice[] {
  /**
   * Checks whether the notice of an open renewal covers a signature. It covers both its signatures, but a suspended one has its own notice
   * too.
   */
  const hasRenewal = ({ id, reason }: { id: string; reason: string | null }) =>
    reason !== 'suspended' && !!renewals?.items.some(({ signature, issued }) => signature === id || issued === id)
  const lastNamed = signatures?.attention.at(-1)
  return [
    ...(renewals?.items ?? []).map((renewal) => renewalNotice(renewal, locale, now)),
    ...(documents ? documentNotices(documents, locale) : []),
    ...(signatures?.attention ?? [])
      .filter((entry) => !hasRenewal(entry))
      .map((signature) => signatureNotice(signature, locale, now)),
    ...(signatures?.further && lastNamed ? [furtherSignatures(signatures.further, lastNamed.validTo, locale)] : []),
    ...(seals?.invitations ?? []).map((invitation) => invitationNotice(invitation, locale)),
    ...(seals?.attention ?? []).map((seal) => sealNotice(seal, locale, now)),
    ...(timestamps?.attention ?? []).map((entry) => packageNotice(entry, locale, now)),
  ].toSorted((entry, another) => entry.rank - another.rank || (entry.end < another.end ? -1 : 1))
}
