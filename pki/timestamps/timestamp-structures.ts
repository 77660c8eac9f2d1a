import {
  AsnArray,
  AsnIntegerArrayBufferConverter,
  AsnProp,
  AsnPropTypes,
  AsnType,
  AsnTypeTypes,
  BitString,
  OctetString,
} from '@peculiar/asn1-schema'
import { AlgorithmIdentifier, Extensions, GeneralName } from '@peculiar/asn1-x509'
import { ContentInfo } from '@peculiar/asn1-cms'

/** The structures of RFC 3161, declared as in qc-statements.ts. Integers that may be large are stored as octets. */
export const idTstInfo = '1.2.840.113549.1.9.16.1.4'

/** The digest to be timestamped, §2.4.1. */
export class MessageImprint {
  hashAlgorithm = new AlgorithmIdentifier()
  hashedMessage = new OctetString()
}
AsnProp({ type: AlgorithmIdentifier })(MessageImprint.prototype, 'hashAlgorithm')
AsnProp({ type: OctetString })(MessageImprint.prototype, 'hashedMessage')

const integer = { type: AsnPropTypes.Integer, converter: AsnIntegerArrayBufferConverter }

export class TimeStampReq {
  version = 1
  messageImprint = new MessageImprint()
  reqPolicy?: string
  nonce?: ArrayBuffer
  certReq = false
  extensions?: Extensions
}
AsnProp({ type: AsnPropTypes.Integer })(TimeStampReq.prototype, 'version')
AsnProp({ type: MessageImprint })(TimeStampReq.prototype, 'messageImprint')
AsnProp({ type: AsnPropTypes.ObjectIdentifier, optional: true })(TimeStampReq.prototype, 'reqPolicy')
AsnProp({ ...integer, optional: true })(TimeStampReq.prototype, 'nonce')
AsnProp({ type: AsnPropTypes.Boolean, defaultValue: false })(TimeStampReq.prototype, 'certReq')
AsnProp({ type: Extensions, context: 0, implicit: true, optional: true })(TimeStampReq.prototype, 'extensions')

/** Our own tokens have only seconds. */
export class Accuracy {
  seconds?: number
  millis?: number
  micros?: number
}
AsnProp({ type: AsnPropTypes.Integer, optional: true })(Accuracy.prototype, 'seconds')
AsnProp({ type: AsnPropTypes.Integer, context: 0, implicit: true, optional: true })(Accuracy.prototype, 'millis')
AsnProp({ type: AsnPropTypes.Integer, context: 1, implicit: true, optional: true })(Accuracy.prototype, 'micros')

/** The content of a token, §2.4.2. */
export class TstInfo {
  version = 1
  policy = ''
  messageImprint = new MessageImprint()
  serialNumber = new ArrayBuffer(0)
  genTime = new Date(0)
  accuracy?: Accuracy
  ordering = false
  nonce?: ArrayBuffer
  tsa?: GeneralName
  extensions?: Extensions
}
AsnProp({ type: AsnPropTypes.Integer })(TstInfo.prototype, 'version')
AsnProp({ type: AsnPropTypes.ObjectIdentifier })(TstInfo.prototype, 'policy')
AsnProp({ type: MessageImprint })(TstInfo.prototype, 'messageImprint')
AsnProp(integer)(TstInfo.prototype, 'serialNumber')
AsnProp({ type: AsnPropTypes.GeneralizedTime })(TstInfo.prototype, 'genTime')
AsnProp({ type: Accuracy, optional: true })(TstInfo.prototype, 'accuracy')
AsnProp({ type: AsnPropTypes.Boolean, defaultValue: false })(TstInfo.prototype, 'ordering')
AsnProp({ ...integer, optional: true })(TstInfo.prototype, 'nonce')
AsnProp({ type: GeneralName, context: 0, optional: true })(TstInfo.prototype, 'tsa')
AsnProp({ type: Extensions, context: 1, implicit: true, optional: true })(TstInfo.prototype, 'extensions')

export class FreeText extends AsnArray<string> {}
AsnType({ type: AsnTypeTypes.Sequence, itemType: AsnPropTypes.Utf8String })(FreeText)

export class PkiStatusInfo {
  status = 0
  statusString?: FreeText
  failInfo?: BitString
}
AsnProp({ type: AsnPropTypes.Integer })(PkiStatusInfo.prototype, 'status')
AsnProp({ type: FreeText, optional: true })(PkiStatusInfo.prototype, 'statusString')
AsnProp({ type: BitString, optional: true })(PkiStatusInfo.prototype, 'failInfo')

export class TimeStampResp {
  status = new PkiStatusInfo()
  timeStampToken?: ContentInfo
}
AsnProp({ type: PkiStatusInfo })(TimeStampResp.prototype, 'status')
AsnProp({ type: ContentInfo, optional: true })(TimeStampResp.prototype, 'timeStampToken')
