import type { TrustedListProblem } from '../../../pki/trusted-lists/xml.ts'

/** Describes for the operator what is wrong with a list, and what to do. `detail` is about the list alone. */
export function listProblem(
  territory: string,
  code: TrustedListProblem | 'too-costly' | 'older' | 'unreachable',
  detail: string,
): string {
  const isOfLists = territory === 'EU'
  const list = isOfLists ? 'The list of lists' : `The trusted list of ${territory}`
  switch (code) {
    case 'unreachable':
      return `${list} was not fetched (${detail}): check ${isOfLists ? 'TRUSTED_LISTS_URL' : 'that the nodes reach its address'}, and the firewall.`
    case 'other-signer':
      return isOfLists
        ? `${list} is signed with another certificate (${detail}): put the certificates that the Official Journal names now into TRUSTED_LISTS_CERTIFICATES_FILE.`
        : `${list} is signed with a certificate that the list of lists does not name (${detail}): its country has to correct it.`
    case 'older':
      return `${list} is older than the stored one, or another one with its number (${detail}): check who answers at its address.`
    case 'expired':
      return `${list} has expired (${detail}): its operator has to publish a new one.`
    case 'other-list':
      return isOfLists
        ? `What is at TRUSTED_LISTS_URL is no list of lists (${detail}): correct the address.`
        : `${list} is not at its address (${detail}): its country has to correct it.`
    default:
      return `${list} was refused (${code}, ${detail}): the stored one stays; check who answers at its address.`
  }
}
