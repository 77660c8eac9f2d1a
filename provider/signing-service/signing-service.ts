import { readCertificate, type CertificateContent } from '../../pki/asn1/certificate.ts'
import type { SigningKey, SigningKeys } from './signing-keys.ts'

export type SigningService = {
  /** The address at which clients and browsers reach it, up to `/csc/v2`. */
  url: string
  keys: SigningKeys
  /** The only client, the portal, with a secret of 256 bits and the addresses to which its customers return. */
  client: { id: string; secret: string; redirectUris: readonly string[] }
  /** Returns the current status of a certificate at the authority. */
  statusOf: (certificate: CertificateContent) => 'valid' | 'expired' | 'revoked' | 'suspended'
  /** Returns the names, in small letters, by which the owner of a key signs in at the service's page. */
  loginsOf: (owner: string) => string[]
  sendOtp: (owner: string, otp: string) => Promise<void>
  /** Checks whether the owner has confirmed a signature by the service's own means, here its app. */
  hasConfirmed: (owner: string) => boolean
  now: () => Date
}

/** The most signatures of one authorisation. */
export const maxSignatures = 20

export type CertifiedKey = SigningKey & { certificate: Uint8Array }

/** Returns the key if a certificate was issued for it; otherwise an empty list. */
export function withCertificate(key: SigningKey | undefined): CertifiedKey[] {
  const [certificate] = key?.certificates ?? []
  return key && certificate ? [{ ...key, certificate }] : []
}

export const certificateStatus = ({ statusOf }: SigningService, { certificate }: CertifiedKey) =>
  statusOf(readCertificate(certificate))

export function usableKey(service: SigningService, id: string): CertifiedKey | undefined {
  const [key] = withCertificate(service.keys.find(id))
  return key && certificateStatus(service, key) === 'valid' ? key : undefined
}
