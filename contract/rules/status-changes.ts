import {
  certificateMoves,
  CertificateStatus,
  statusAfter,
  StatusChange,
  type OpenStatusRequest,
} from '../signatures-and-seals.ts'

/** A certificate as far as its status can be changed. */
export type ChangeableCertificate = {
  status: CertificateStatus
  hasEnded: boolean
  /** Whether its suspension was requested here. Only the provider ends its own one. */
  ownSuspension: boolean
  request: OpenStatusRequest | null
}

/** The statuses from which a change is possible. */
export const statusesBefore = (change: StatusChange): CertificateStatus[] =>
  CertificateStatus.options.filter((status) => certificateMoves[status].includes(statusAfter[change]))

/** What can be requested now (STP-1, STP-2): a revocation replaces any other open request, and nothing replaces a revocation. */
export function changesOf({ status, hasEnded, ownSuspension, request }: ChangeableCertificate): StatusChange[] {
  if (hasEnded) return []
  return StatusChange.options.filter(
    (change) =>
      statusesBefore(change).includes(status) &&
      (change !== 'resume' || ownSuspension) &&
      (!request || (change === 'revoke' && request.change !== 'revoke')),
  )
}
