import { generateKeyPair, randomBytes, type KeyObject, createPrivateKey, createPublicKey } from 'node:crypto'
import { promisify } from 'node:util'
import { type Extension, type Name, Certificate } from '@peculiar/asn1-x509'
import * as z from 'zod/mini'
import { writeCertificate } from '../../pki/asn1/certificate-write.ts'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import { wholeSeconds, readDer } from '../../pki/asn1/der.ts'
import {
  authorityName,
  issuingExtensions,
  listOperatorExtensions,
  organisation,
  responderExtensions,
  rootExtensions,
  subscriberExtensions,
  timestampExtensions,
} from './certificate-profiles.ts'
import { subjectName, type CertificateOrder } from './subscriber.ts'

export type CertificateHolder = {
  name: Name
  /** DER. */
  certificate: Uint8Array
  privateKey: KeyObject
  publicKey: KeyObject
}

/** The stored form: the key as PKCS #8 PEM, the certificate as base64 DER. */
export const StoredHolder = z.strictObject({ key: z.string(), certificate: z.base64() })
export type StoredHolder = z.infer<typeof StoredHolder>

function certificateHolder(certificate: Uint8Array, privateKey: KeyObject): CertificateHolder {
  const name = readDer(certificate, Certificate).tbsCertificate.subject
  return { name, certificate, privateKey, publicKey: createPublicKey(privateKey) }
}

export function storeHolder({ privateKey, certificate }: CertificateHolder): StoredHolder {
  const key = privateKey.export({ format: 'pem', type: 'pkcs8' })
  return { key, certificate: Buffer.from(certificate).toString('base64') }
}

export const restoreHolder = ({ key, certificate }: StoredHolder) =>
  certificateHolder(new Uint8Array(Buffer.from(certificate, 'base64')), createPrivateKey(key))

/** The keys and certificates with which the provider signs. */
export type AuthorityKeys = Record<keyof StoredKeys, CertificateHolder>

export const StoredKeys = z.strictObject({
  root: StoredHolder,
  issuing: StoredHolder,
  responder: StoredHolder,
  seal: StoredHolder,
})
export type StoredKeys = z.infer<typeof StoredKeys>

/** The demonstration has certificates of past years, so the authority must be older than its folder. */
const yearsBefore = 10
const yearsAfter = 15

const makeRsa = () => promisify(generateKeyPair)('rsa', { modulusLength: 3072 })
const makeEc = () => promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })

/** Creates the keys and certificates of a new authority; the responder has a fast EC key, since it signs most. */
export async function makeKeys(baseUrl: string, now: Date): Promise<AuthorityKeys> {
  const keys = await Promise.all([makeRsa(), makeRsa(), makeEc(), makeRsa()])
  const [rootKey, issuingKey, responderKey, sealKey] = keys
  const validity = { notBefore: yearsFrom(now, -yearsBefore), notAfter: yearsFrom(now, yearsAfter) }
  const named = (commonName: string, publicKey: KeyObject, extensions: Extension[]): Order => ({
    subject: authorityName(commonName),
    publicKey,
    extensions,
    ...validity,
  })

  const rootOrder = named('Sygnet TEST Root CA', rootKey.publicKey, rootExtensions(rootKey.publicKey))
  const rootIssuer = { name: rootOrder.subject, privateKey: rootKey.privateKey }
  const root = certificateHolder(signOrder(rootOrder, rootIssuer).certificate, rootKey.privateKey)

  const issuingRights = issuingExtensions(issuingKey.publicKey, root.publicKey, baseUrl)
  const issuingOrder = named('Sygnet TEST Qualified CA', issuingKey.publicKey, issuingRights)
  const issuing = certificateHolder(signOrder(issuingOrder, root).certificate, issuingKey.privateKey)

  const responderRights = responderExtensions(responderKey.publicKey, issuing.publicKey, baseUrl)
  const responderOrder = named('Sygnet TEST OCSP', responderKey.publicKey, responderRights)
  const responder = certificateHolder(signOrder(responderOrder, issuing).certificate, responderKey.privateKey)

  const subject = { kind: 'organisation', commonName: 'Sygnet TEST Seal', ...organisation } as const
  const sealOrder = { subject, publicKey: sealKey.publicKey, device: false, ...validity }
  const seal = certificateHolder(signSubscriber(sealOrder, issuing, baseUrl).certificate, sealKey.privateKey)
  return { root, issuing, responder, seal }
}

/**
 * Makes the timestamping key and its certificate, which expires with its issuer. They are created separately, because older folders have
 * none.
 */
export async function makeTimestamping(issuing: CertificateHolder, baseUrl: string, now: Date) {
  const { publicKey, privateKey } = await makeRsa()
  const order = {
    subject: authorityName('Sygnet TEST Timestamps'),
    publicKey,
    extensions: timestampExtensions(publicKey, issuing.publicKey, baseUrl),
    notBefore: wholeSeconds(now),
    notAfter: readCertificate(issuing.certificate).notAfter,
  }
  return certificateHolder(signOrder(order, issuing).certificate, privateKey)
}

/** Makes the operator that publishes the trusted lists of the demonstration: independent of the authority, so self-signed. */
export async function makeListOperator(now: Date) {
  const { publicKey, privateKey } = await makeEc()
  const subject = authorityName('Sygnet TEST Trusted lists')
  const validity = { notBefore: yearsFrom(now, -1), notAfter: yearsFrom(now, yearsAfter) }
  const order = { subject, publicKey, extensions: listOperatorExtensions(publicKey), ...validity }
  return certificateHolder(signOrder(order, { name: subject, privateKey }).certificate, privateKey)
}

type Order = { subject: Name; publicKey: KeyObject; extensions: Extension[]; notBefore: Date; notAfter: Date }

function signOrder(order: Order, issuer: { name: Name; privateKey: KeyObject }) {
  const serialNumber = newSerialNumber()
  const certificate = writeCertificate({ ...order, serialNumber, issuer: issuer.name }, issuer.privateKey)
  return { serialNumber: Buffer.from(serialNumber).toString('hex').toUpperCase(), certificate }
}

/** Signs a subscriber's certificate; the serial number is hexadecimal, upper case. */
export function signSubscriber(order: CertificateOrder, issuer: CertificateHolder, baseUrl: string) {
  const extensions = subscriberExtensions(order, issuer.publicKey, baseUrl)
  return signOrder({ ...order, subject: subjectName(order.subject), extensions }, issuer)
}

/** Generates a serial number with 126 random bits, more than the 64 that EN 319 412-2 requires; positive, and always of 16 octets. */
export function newSerialNumber() {
  const bytes = new Uint8Array(randomBytes(16))
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return bytes
}

function yearsFrom(now: Date, years: number) {
  const date = wholeSeconds(now)
  date.setUTCFullYear(date.getUTCFullYear() + years)
  return date
}

export const storeKeys = (keys: AuthorityKeys) => mapRoles((role) => storeHolder(keys[role]))

export const restoreKeys = (stored: StoredKeys): AuthorityKeys => mapRoles((role) => restoreHolder(stored[role]))

function mapRoles<T>(map: (role: keyof StoredKeys) => T) {
  return { root: map('root'), issuing: map('issuing'), responder: map('responder'), seal: map('seal') }
}
