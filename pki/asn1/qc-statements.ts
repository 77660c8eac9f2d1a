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
  psd2: '0.4.0.19495.2',
} as const

/** QcType, EN 319 412-5 §4.2.3. */
export const qcTypeIds = { esign: '0.4.0.1862.1.6.1', eseal: '0.4.0.1862.1.6.2', web: '0.4.0.1862.1.6.3' } as const

/** The roles of payment service providers under PSD2, ETSI TS 119 495 §5.1. */
export const paymentRoleIds = {
  PSP_AS: '0.4.0.19495.1.1',
  PSP_PI: '0.4.0.19495.1.2',
  PSP_AI: '0.4.0.19495.1.3',
  PSP_IC: '0.4.0.19495.1.4',
} as const
export type PaymentRole = keyof typeof paymentRoleIds

/** The semantics of the subject's identifier, EN 319 412-1 §5. */
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

/** A PKI disclosure statement (PDS) in one language, EN 319 412-5 §4.3.4. */
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

/** A role with its name, such as `PSP_AI`; the object identifier decides. */
export class RoleOfPsp {
  roleOfPspOid = ''
  roleOfPspName = ''
}
AsnProp({ type: AsnPropTypes.ObjectIdentifier })(RoleOfPsp.prototype, 'roleOfPspOid')
AsnProp({ type: AsnPropTypes.Utf8String })(RoleOfPsp.prototype, 'roleOfPspName')

/** ETSI TS 119 495 §5.1: the roles of a payment service provider and the national competent authority (NCA). */
export class Psd2QcType {
  rolesOfPsp: RoleOfPsp[] = []
  ncaName = ''
  /** The country and the abbreviation of the authority, such as `PL-PFSA`. */
  ncaId = ''
}
AsnProp({ type: RoleOfPsp, repeated: 'sequence' })(Psd2QcType.prototype, 'rolesOfPsp')
AsnProp({ type: AsnPropTypes.Utf8String })(Psd2QcType.prototype, 'ncaName')
AsnProp({ type: AsnPropTypes.Utf8String })(Psd2QcType.prototype, 'ncaId')
