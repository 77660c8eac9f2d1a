import { AsnArray, AsnProp, AsnPropTypes, AsnType, AsnTypeTypes } from '@peculiar/asn1-schema'

/**
 * Statements of qualified certificates, RFC 3739 §3.2.6 and ETSI EN 319 412-5. The ASN.1 library has no classes for
 * them; they are declared by its decorators, called as functions because Node strips types but not decorators.
 */
export const idQcStatements = '1.3.6.1.5.5.7.1.3'

export const qcStatementIds = {
  compliance: '0.4.0.1862.1.1',
  retentionPeriod: '0.4.0.1862.1.3',
  device: '0.4.0.1862.1.4',
  disclosures: '0.4.0.1862.1.5',
  type: '0.4.0.1862.1.6',
  semantics: '1.3.6.1.5.5.7.11.2',
} as const

/** QcType, EN 319 412-5 §4.2.3. */
export const qcTypeIds = { esign: '0.4.0.1862.1.6.1', eseal: '0.4.0.1862.1.6.2', web: '0.4.0.1862.1.6.3' } as const

/** What an identifier in the subject means, EN 319 412-1 §5. */
export const semanticsIds = { natural: '0.4.0.194121.1.1', legal: '0.4.0.194121.1.2' } as const

export class QcStatement {
  statementId = ''
  statementInfo?: ArrayBuffer
}
AsnProp({ type: AsnPropTypes.ObjectIdentifier })(QcStatement.prototype, 'statementId')
AsnProp({ type: AsnPropTypes.Any, optional: true })(QcStatement.prototype, 'statementInfo')

export class QcStatements extends AsnArray<QcStatement> {}
AsnType({ type: AsnTypeTypes.Sequence, itemType: QcStatement })(QcStatements)

export class QcType extends AsnArray<string> {}
AsnType({ type: AsnTypeTypes.Sequence, itemType: AsnPropTypes.ObjectIdentifier })(QcType)

/** A disclosure statement of the provider (PDS) in one language, EN 319 412-5 §4.3.4. */
export class PdsLocation {
  url = ''
  /** ISO 639-1. */
  language = ''
}
AsnProp({ type: AsnPropTypes.IA5String })(PdsLocation.prototype, 'url')
AsnProp({ type: AsnPropTypes.PrintableString })(PdsLocation.prototype, 'language')

export class PdsLocations extends AsnArray<PdsLocation> {}
AsnType({ type: AsnTypeTypes.Sequence, itemType: PdsLocation })(PdsLocations)

/** RFC 3739 §3.2.6.1; the name registration authorities are not used by EN 319 412-1. */
export class SemanticsInformation {
  semanticsIdentifier?: string
}
AsnProp({ type: AsnPropTypes.ObjectIdentifier, optional: true })(SemanticsInformation.prototype, 'semanticsIdentifier')
