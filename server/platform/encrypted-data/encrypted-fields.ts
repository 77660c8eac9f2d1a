import { sql } from 'kysely'
import type { Locale } from '../../../contract/enums.ts'
import type { CertificateContent } from '../../../pki/asn1/certificate.ts'
import { query, type Db } from '../database/database.ts'
import { mac, type Keys } from '../encryption/keys.ts'
import { encryptionOf } from './encrypted-columns.ts'

// Encryption of the personal data in tables that several features share, bound to their rows (R83).

export const { encrypt: encryptPhone, decrypt: decryptPhone } = encryptionOf('accounts', 'phone')

/** Returns the search index of a phone number, by which the provider finds its accounts (PRV-4). */
export const phoneIndex = (keys: Keys, phone: string): Buffer => mac(keys.index, 'phone', phone).subarray(0, 16)

/** Reads the number that codes of an account go to. */
export async function readAccountPhone(db: Db, keys: Keys, accountId: string): Promise<string> {
  const { phone } = await query(db).one(sql<{ phone: Buffer }>`select phone from accounts where id = ${accountId}`)
  return decryptPhone(keys, accountId, phone)
}

/** Returns the recipient of an account's codes; `address`: the network address of the request. */
export const readRecipient = async (
  { db, keys }: { db: Db; keys: Keys },
  { accountId, locale }: { accountId: string; locale: Locale },
  address: string,
) => ({ phone: await readAccountPhone(db, keys, accountId), locale, address })

/** The number that was invited to a seal. */
export const { encrypt: encryptInvitedPhone, decrypt: decryptInvitedPhone } = encryptionOf('seal_users', 'phone')

/** The number that an account is being changed to. */
export const { encrypt: encryptNewPhone, decrypt: decryptNewPhone } = encryptionOf('phone_changes', 'phone')

export const { encrypt: encryptIdentifier, decrypt: decryptIdentifier } = encryptionOf('signatures', 'identifier_value')

/** Encryption of the name that a customer gave a passkey. */
export const { encrypt: encryptPasskeyName, decrypt: decryptPasskeyName } = encryptionOf('passkeys', 'name')

/** Returns the search index of an identifier, which reveals nothing without the key: 128 bits of a MAC. */
export const identifierIndex = (keys: Keys, value: string): Buffer =>
  mac(keys.index, 'identifier', value).subarray(0, 16)

/**
 * Finds a certificate by what names it among all certificates, its issuer and serial number (RFC 5280 §4.1.2.2). A hash
 * of the whole would not do: of an ECDSA signature there are two valid forms (R140).
 */
export const certificateIndex = (keys: Keys, certificate: CertificateContent): Buffer =>
  mac(keys.index, 'certificate', JSON.stringify(certificate.issuer), certificate.serialNumber).subarray(0, 16)

/** Returns the key by which the certificates with a serial number are found; several issuers may have one each (DSK-8). */
export const serialIndex = (keys: Keys, serialNumber: string): Buffer =>
  mac(keys.index, 'serial', serialNumber).subarray(0, 16)

/** A certificate and its chain, as base64 of their DER. */
export type Certificates = { certificate: string; chain: string[] }

const certificates = encryptionOf('signatures', 'certificates')

export const encryptCertificates = (keys: Keys, signatureId: string, { certificate, chain }: Certificates): Buffer =>
  certificates.encrypt(keys, signatureId, JSON.stringify({ certificate, chain }))

export const decryptCertificates = (keys: Keys, signatureId: string, encrypted: Buffer): Certificates =>
  JSON.parse(certificates.decrypt(keys, signatureId, encrypted)) as Certificates
