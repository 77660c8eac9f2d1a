import {
  constants,
  createHash,
  sign,
  verify,
  X509Certificate,
  type KeyObject,
  type SigningOptions,
  hash,
} from 'node:crypto'
import { SignedXml, type HashAlgorithm, type SignatureAlgorithm } from 'xml-crypto'
import { derToPem } from '../asn1/certificate.ts'
import { sameBytes } from '../bytes.ts'
import { allAt, childrenOf, firstAt, parseXml, textOf, TrustedListError } from './xml.ts'

const dsig = 'http://www.w3.org/2000/09/xmldsig#'
const dsigMore = 'http://www.w3.org/2001/04/xmldsig-more#'
const xades = 'http://uri.etsi.org/01903/v1.3.2#'
const enveloped = `${dsig}enveloped-signature`
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const inclusive = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const signedPropertiesType = 'http://uri.etsi.org/01903#SignedProperties'

type Digest = 'sha256' | 'sha384' | 'sha512'

const digests = new Map<string | null | undefined, Digest>([
  ['http://www.w3.org/2001/04/xmlenc#sha256', 'sha256'],
  [`${dsigMore}sha384`, 'sha384'],
  ['http://www.w3.org/2001/04/xmlenc#sha512', 'sha512'],
])

const hashes = Object.fromEntries(
  [...digests].map(([name, digest]) => [
    name,
    class implements HashAlgorithm {
      getAlgorithmName = () => String(name)
      getHash = (xml: string) => createHash(digest).update(xml, 'utf8').digest('base64')
    },
  ]),
)

/** The library has neither ECDSA nor SHA-384, and would accept SHA-1. */
const signatures = Object.fromEntries(
  [...digests.values()].flatMap((digest) => [
    signatureAlgorithm(`${dsigMore}rsa-${digest}`, 'rsa', digest, { padding: constants.RSA_PKCS1_PADDING }),
    signatureAlgorithm(`http://www.w3.org/2007/05/xmldsig-more#${digest}-rsa-MGF1`, 'rsa', digest, {
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    }),
    // The two numbers without ASN.1 (RFC 6931 §2.3.6).
    signatureAlgorithm(`${dsigMore}ecdsa-${digest}`, 'ec', digest, { dsaEncoding: 'ieee-p1363' }),
  ]),
)

function signatureAlgorithm(name: string, keyType: 'rsa' | 'ec', digest: Digest, options: SigningOptions) {
  const algorithm = class implements SignatureAlgorithm {
    getAlgorithmName = () => name
    getSignature = (info: unknown, key: unknown) =>
      sign(digest, Buffer.from(String(info)), { key: key as KeyObject, ...options }).toString('base64')
    verifySignature = (info: string, key: unknown, value: string) =>
      (key as KeyObject).asymmetricKeyType === keyType &&
      verify(digest, Buffer.from(info), { key: key as KeyObject, ...options }, Buffer.from(value, 'base64'))
  }
  return [name, algorithm] as const
}

/** Allows only what trusted lists use (ETSI TS 119 612 annex B): no XPath, no XSLT, nothing outside the file. */
function restrictedSignedXml(options: ConstructorParameters<typeof SignedXml>[0]) {
  const signed = new SignedXml(options)
  const { CanonicalizationAlgorithms: all } = signed
  signed.CanonicalizationAlgorithms = Object.fromEntries(
    Object.entries(all).filter(([name]) => [enveloped, exclusive, inclusive].includes(name)),
  )
  // The only one of XML signatures; each costs a search of the whole list.
  signed.idAttributes = ['Id']
  signed.HashAlgorithms = hashes
  signed.SignatureAlgorithms = signatures
  return signed
}

/** The list, its signed properties, and what some signers add; each costs a search of the whole list. */
const maxReferences = 4

export type VerifiedXml = {
  /** The list as it was signed, without its signature, in canonical XML. Nothing else in the file may be read. */
  content: string
  signer: Uint8Array
}

/**
 * Verifies the enveloped XAdES signature of a list by one of the certificates (DER) that were named for it; their own issuers and
 * validity do not count (ETSI TS 119 615 §4.1). Throws TrustedListError.
 */
export function verifyListSignature(text: string, certificates: readonly Uint8Array[]): VerifiedXml {
  const root = parseXml(text)
  const [signature, ...others] = Array.from(root.getElementsByTagNameNS(dsig, 'Signature'))
  if (!signature || others.length || signature.parentNode !== root)
    throw new TrustedListError('signature-format', 'not one signature in the root of the list')
  const info = childrenOf(signature, dsig, 'SignedInfo')
  const references = allAt(info[0], dsig, 'Reference')
  if (info.length !== 1 || references.length > maxReferences)
    throw new TrustedListError(
      'signature-format',
      `not one signed information with at most ${maxReferences} references`,
    )
  const signer = namedSigner(signature, certificates)

  const signed = restrictedSignedXml({ publicCert: new X509Certificate(signer).publicKey })
  let isValid
  try {
    signed.loadSignature(signature)
    isValid = signed.checkSignature(text)
  } catch (error) {
    throw new TrustedListError('signature-invalid', error instanceof Error ? error.message.slice(0, 200) : 'failed')
  }
  if (!isValid) throw new TrustedListError('signature-invalid', 'a digest is another one')

  // From here on only what the library returns as signed is read.
  const [list, properties] = readContents(signed)
  requireSameSigner(properties, signer)
  return { content: list, signer }
}

/** Finds the signer among the named certificates; KeyInfo only selects one of them. */
function namedSigner(signature: Element, certificates: readonly Uint8Array[]): Uint8Array {
  const own = allAt(signature, dsig, 'KeyInfo', 'X509Data', 'X509Certificate').map((element) =>
    Buffer.from(textOf(element), 'base64'),
  )
  const named = certificates.find((certificate) => own.some((der) => sameBytes(der, certificate)))
  if (!named) throw new TrustedListError('other-signer', 'signed with a certificate that was not named for it')
  return named
}

/** Returns the list, which is the whole file without its signature, and the signed properties. */
function readContents(signed: SignedXml): [string, Element] {
  const found = signed.getReferences().map(({ uri, transforms, signedReference = '' }) => {
    const root = parseXml(signedReference)
    return { isWhole: uri === '' && transforms[0] === enveloped, root, signedReference }
  })
  const list = found.find(({ isWhole }) => isWhole)
  const properties = found.find(({ root }) => root.namespaceURI === xades && root.localName === 'SignedProperties')
  if (!list) throw new TrustedListError('signature-format', 'the whole list is not signed')
  if (!properties) throw new TrustedListError('signature-format', 'the signed properties are not signed')
  return [list.signedReference, properties.root]
}

/** Requires the signed properties to name the signer's certificate by its digest (XAdES, ETSI EN 319 132-1 §5.2.2). */
function requireSameSigner(properties: Element, signer: Uint8Array) {
  const signatureProperties = firstAt(properties, xades, 'SignedSignatureProperties')
  const named = ['SigningCertificateV2', 'SigningCertificate']
    .flatMap((name) => allAt(signatureProperties, xades, name, 'Cert', 'CertDigest'))
    .map((element) => ({
      digest: digests.get(firstAt(element, dsig, 'DigestMethod')?.getAttribute('Algorithm')),
      value: Buffer.from(textOf(firstAt(element, dsig, 'DigestValue')), 'base64'),
    }))
  if (!named.some(({ digest, value }) => digest && sameBytes(createHash(digest).update(signer).digest(), value)))
    throw new TrustedListError('other-signer', 'the signed properties name another certificate')
}

/** Adds an enveloped XAdES signature of level B-B to the end of a list. */
export function signList(
  text: string,
  { certificate, privateKey, at }: { certificate: Uint8Array; privateKey: KeyObject; at: Date },
): string {
  const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
  const kind = privateKey.asymmetricKeyType === 'ec' ? 'ecdsa' : 'rsa'
  const properties = `<xades:QualifyingProperties xmlns:xades="${xades}" Target="#signature"><xades:SignedProperties Id="signed-properties"><xades:SignedSignatureProperties><xades:SigningTime>${at.toISOString().replace(/\.\d+Z$/, 'Z')}</xades:SigningTime><xades:SigningCertificateV2><xades:Cert><xades:CertDigest><ds:DigestMethod xmlns:ds="${dsig}" Algorithm="${sha256}"/><ds:DigestValue xmlns:ds="${dsig}">${hash('sha256', certificate, 'base64')}</ds:DigestValue></xades:CertDigest></xades:Cert></xades:SigningCertificateV2></xades:SignedSignatureProperties><xades:SignedDataObjectProperties><xades:DataObjectFormat ObjectReference="#list"><xades:MimeType>text/xml</xades:MimeType></xades:DataObjectFormat></xades:SignedDataObjectProperties></xades:SignedProperties></xades:QualifyingProperties>`
  const signed = restrictedSignedXml({
    privateKey,
    publicCert: derToPem(certificate),
    signatureAlgorithm: `${dsigMore}${kind}-sha256`,
    canonicalizationAlgorithm: exclusive,
    objects: [{ content: properties }],
  })
  signed.addReference({
    id: 'list',
    xpath: '/*',
    isEmptyUri: true,
    transforms: [enveloped, exclusive],
    digestAlgorithm: sha256,
  })
  signed.addReference({
    xpath: `//*[@Id='signed-properties']`,
    type: signedPropertiesType,
    transforms: [exclusive],
    digestAlgorithm: sha256,
  })
  signed.computeSignature(text, { prefix: 'ds', attrs: { Id: 'signature' } })
  return signed.getSignedXml()
}
