import type { SigningObstacle } from '../../contract/rules/renewal-rules.ts'
import { signsRemotely } from '../platform/pdf/remote-signing.ts'
import type { Portal } from '../platform/portal.ts'
import type { SigningCredential } from '../platform/ports.ts'
import type { RenewalRow } from './renewal-row-store.ts'

/**
 * The key that signs the agreement: that of the certificate to be renewed. Otherwise the reason why there is none now, which is checked
 * before the renewal code is used up and before an SMS code is sent (REN-12). It calls the service, so it must not run within a transaction.
 */
export async function signingKeyOf(
  { ports }: Portal,
  { person, signature }: RenewalRow,
): Promise<{ credential: SigningCredential } | { obstacle: SigningObstacle }> {
  const found = signsRemotely(ports) && (await ports.remoteSigning?.credentials(person.customer))
  if (!found || found === 'unreachable') return { obstacle: 'SIGNING_UNAVAILABLE' }
  const credential = found.find(({ certificate }) => signature.certificate.der.equals(certificate))
  return credential ? { credential } : { obstacle: 'SIGNING_KEY_MISSING' }
}
