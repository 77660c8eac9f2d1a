/** Checks whether a status is a suspension: unlike a revocation, `certificateHold` can end (RFC 5280 §5.3.1). */
export const isSuspended = ({ status, reason }: { status: string; reason?: string | undefined }) =>
  status === 'revoked' && reason === 'certificateHold'
