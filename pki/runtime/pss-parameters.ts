import { AsnProp, AsnPropTypes } from '@peculiar/asn1-schema'
import { AlgorithmIdentifier } from '@peculiar/asn1-x509'

/** The digests of ETSI TS 119 312 §5.2: their names by object identifier. */
export const digestNames: ReadonlyMap<string, string> = new Map([
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
  ['2.16.840.1.101.3.4.2.8', 'sha3-256'],
  ['2.16.840.1.101.3.4.2.9', 'sha3-384'],
  ['2.16.840.1.101.3.4.2.10', 'sha3-512'],
])

export const idRsaPss = '1.2.840.113549.1.1.10'

/** RFC 4055 §3.1. */
export class PssParameters {
  hashAlgorithm?: AlgorithmIdentifier
  maskGenAlgorithm?: AlgorithmIdentifier
  saltLength = 20
  trailerField = 1
}
AsnProp({ type: AlgorithmIdentifier, context: 0, optional: true })(PssParameters.prototype, 'hashAlgorithm')
AsnProp({ type: AlgorithmIdentifier, context: 1, optional: true })(PssParameters.prototype, 'maskGenAlgorithm')
AsnProp({ type: AsnPropTypes.Integer, context: 2, defaultValue: 20 })(PssParameters.prototype, 'saltLength')
AsnProp({ type: AsnPropTypes.Integer, context: 3, defaultValue: 1 })(PssParameters.prototype, 'trailerField')

export const idMgf1 = '1.2.840.113549.1.1.8'
