import type { IdentifierType } from '../../contract/enums.ts'
import { commonName } from '../../contract/rules/renewal-rules.ts'
import type { CertificateContent } from '../../pki/asn1/certificate.ts'
import { attributeOf, identifierIn } from '../platform/files/filed-certificate.ts'

/** Whom a certificate states, for the rule that says whose it is (PRV-2). */
export function holderOf(content: CertificateContent, type: IdentifierType) {
  const [name, givenName, surname] = ['CN', 'GN', 'SN'].map((wanted) => attributeOf(content, wanted) ?? '')
  const identifier = { ...identifierIn(attributeOf(content, 'serialNumber') ?? ''), type }
  return { identifier, names: [name!, commonName({ givenName: givenName!, surname: surname! })] }
}
