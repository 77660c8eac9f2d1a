import { makeAgreement, type AgreementTerms } from '../agreements/agreement.ts'
import type { Authority } from '../authority/authority.ts'
import { sealForArchive } from '../authority/electronic-seal.ts'

export const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

type Terms = Omit<AgreementTerms, 'number' | 'concludedAt'> & { id: string; notBefore: Date }

/** The sealed agreement on a signature or seal of the demonstration, numbered by its year and id, and not concluded after its certificate begins. */
export async function sealedAgreement(authority: Authority, now: Date, { id, ...terms }: Terms) {
  const number = `TEST/${terms.notBefore.getUTCFullYear()}/${id.replace(/^demo-/, '').toUpperCase()}`
  const concludedAt = terms.notBefore < now ? terms.notBefore : now
  const agreement = await makeAgreement({ number, concludedAt, ...terms })
  return sealForArchive(agreement, authority, { reason: number, at: now })
}
