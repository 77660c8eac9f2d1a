import type { OpenStatusRequest } from '../signatures-and-seals.ts'

/** Whether a suspension or revocation waits for the provider: meanwhile the certificate signs nothing, is not renewed and pairs no app (STP-8). */
export const isBeingStopped = ({ request }: { request: OpenStatusRequest | null }): boolean =>
  request?.change === 'suspend' || request?.change === 'revoke'
