import { ContentInfo } from '@peculiar/asn1-cms'
import * as asn1 from '@peculiar/asn1-schema'
import { AlgorithmIdentifier, Extensions, GeneralName } from '@peculiar/asn1-x509'

/** The structures of RFC 3161, declared as in qc-statements.ts. Integers that may be large are stored as octets. */
export const idTstInfo = '1.2.840.113549.1.9.16.1.4'

/** The digest to be timestamped, §2.4.1. */
export class MessageImprint {
  hashAlgorithm = new AlgorithmIdentifier()
  hashedMessage = new asn1.OctetString()
}
asn1.AsnProp({ type: AlgorithmIdentifier })(MessageImprint.prototype, 'hashAlgorithm')
asn1.AsnProp({ type: asn1.OctetString })(MessageImprint.prototype, 'hashedMessage')

const integer = { type: asn1.AsnPropTypes.Integer, converter: asn1.AsnIntegerArrayBufferConverter }

export class TimeStampReq {
  version = 1
  messageImprint = new MessageImprint()
  reqPolicy?: string
  nonce?: ArrayBuffer
  certReq = false
  extensions?: Extensions
}
asn1.AsnProp({ type: asn1.AsnPropTypes.Integer })(TimeStampReq.prototype, 'version')
asn1.AsnProp({ type: MessageImprint })(TimeStampReq.prototype, 'messageImprint')
asn1.AsnProp({ type: asn1.AsnPropTypes.ObjectIdentifier, optional: true })(TimeStampReq.prototype, 'reqPolicy')
asn1.AsnProp({ ...integer, optional: true })(TimeStampReq.prototype, 'nonce')
asn1.AsnProp({ type: asn1.AsnPropTypes.Boolean, defaultValue: false })(TimeStampReq.prototype, 'certReq')
asn1.AsnProp({ type: Extensions, context: 0, implicit: true, optional: true })(TimeStampReq.prototype, 'extensions')

/** Our own tokens have only seconds. */
class Accuracy {
  seconds?: number
  millis?: number
  micros?: number
}
asn1.AsnProp({ type: asn1.AsnPropTypes.Integer, optional: true })(Accuracy.prototype, 'seconds')
asn1.AsnProp({ type: asn1.AsnPropTypes.Integer, context: 0, implicit: true, optional: true })(
  Accuracy.prototype,
  'millis',
)
asn1.AsnProp({ type: asn1.AsnPropTypes.Integer, context: 1, implicit: true, optional: true })(
  Accuracy.prototype,
  'micros',
)

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
asn1.AsnProp({ type: asn1.AsnPropTypes.Integer })(TstInfo.prototype, 'version')
asn1.AsnProp({ type: asn1.AsnPropTypes.ObjectIdentifier })(TstInfo.prototype, 'policy')
asn1.AsnProp({ type: MessageImprint })(TstInfo.prototype, 'messageImprint')
asn1.AsnProp(integer)(TstInfo.prototype, 'serialNumber')
asn1.AsnProp({ type: asn1.AsnPropTypes.GeneralizedTime })(TstInfo.prototype, 'genTime')
asn1.AsnProp({ type: Accuracy, optional: true })(TstInfo.prototype, 'accuracy')
asn1.AsnProp({ type: asn1.AsnPropTypes.Boolean, defaultValue: false })(TstInfo.prototype, 'ordering')
asn1.AsnProp({ ...integer, optional: true })(TstInfo.prototype, 'nonce')
asn1.AsnProp({ type: GeneralName, context: 0, optional: true })(TstInfo.prototype, 'tsa')
asn1.AsnProp({ type: Extensions, context: 1, implicit: true, optional: true })(TstInfo.prototype, 'extensions')

export class FreeText extends asn1.AsnArray<string> {}
asn1.AsnType({ type: asn1.AsnTypeTypes.Sequence, itemType: asn1.AsnPropTypes.Utf8String })(FreeText)

export class PkiStatusInfo {
  status = 0
  statusString?: FreeText
  failInfo?: asn1.BitString
}
asn1.AsnProp({ type: asn1.AsnPropTypes.Integer })(PkiStatusInfo.prototype, 'status')
asn1.AsnProp({ type: FreeText, optional: true })(PkiStatusInfo.prototype, 'statusString')
asn1.AsnProp({ type: asn1.BitString, optional: true })(PkiStatusInfo.prototype, 'failInfo')

export class TimeStampResp {
  status = new PkiStatusInfo()
  timeStampToken?: ContentInfo
}
asn1.AsnProp({ type: PkiStatusInfo })(TimeStampResp.prototype, 'status')
asn1.AsnProp({ type: ContentInfo, optional: true })(TimeStampResp.prototype, 'timeStampToken')
