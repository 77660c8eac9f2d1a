/** Certificates whose issuer Node does not know. */
const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])
const unknownHost = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EDNS'])
const noConnection = new Set([
  'timeout',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EABORT',
  'ECONNECTION',
  'ESOCKET',
])

/**
 * Returns, for the operator, the reason why a service could not be called and what to do. `fault`: as `faultOf` returns it, so nothing
 * about a person (R86). `address`: the setting or text that names the address of the service.
 */
export function serviceFault(service: string, fault: string, address: string): string {
  if (untrusted.has(fault))
    return `The certificate of ${service} is not trusted (${fault}): set NODE_EXTRA_CA_CERTS to the file of its issuer.`
  if (fault === 'CERT_HAS_EXPIRED') return `The certificate of ${service} has expired (${fault}): renew it there.`
  if (fault === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `The certificate of ${service} is for another name (${fault}): use a name of the certificate in ${address}.`
  if (fault.startsWith('ERR_SSL_') || fault === 'ETLS' || fault === 'EPROTO')
    return `TLS with ${service} failed (${fault}): check the scheme and the port in ${address}.`
  if (unknownHost.has(fault)) return `The host of ${service} was not found (${fault}): check ${address} and the DNS.`
  if (noConnection.has(fault))
    return `No connection to ${service} (${fault}): check ${address}, the firewall, and whether the service runs.`
  return `The call to ${service} failed (${fault}): check ${address}.`
}
