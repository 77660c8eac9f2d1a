/** RFC 5280 §5.3.1: unlike a revocation, `certificateHold` can end. */
export const isSuspended = ({ status, reason }: { status: string; reason?: string | undefined }) =>
  status === 'revoked' && reason === 'certificateHold'
