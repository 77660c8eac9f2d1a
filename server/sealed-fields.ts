import type { Db } from './db.ts'
import { mac, seal, unseal, type Keys } from './keys.ts'

/** The personal data of tables that several features share, sealed for their rows (R83). */

export const sealPhone = (keys: Keys, accountId: string, phone: string): Buffer =>
  seal(keys, `accounts.phone ${accountId}`, phone)

export const openPhone = (keys: Keys, accountId: string, sealed: Buffer): string =>
  unseal(keys, `accounts.phone ${accountId}`, sealed)

/** The number that codes of an account go to. */
export async function phoneOf(db: Db, keys: Keys, accountId: string): Promise<string> {
  const { phone } = await db
    .selectFrom('accounts')
    .select('phone')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return openPhone(keys, accountId, phone)
}

/** Whether a number is the one that an account has, and confirmed (R115). */
export async function hasConfirmed(db: Db, keys: Keys, accountId: string, phone: string): Promise<boolean> {
  const { phone: own } =
    (await db
      .selectFrom('accounts')
      .select('phone')
      .where('id', '=', accountId)
      .where('phone_confirmed', '=', true)
      .executeTakeFirst()) ?? {}
  return own !== undefined && openPhone(keys, accountId, own) === phone
}

/** The number that was invited to a seal. */
export const sealInvitedPhone = (keys: Keys, sealUserId: string, phone: string): Buffer =>
  seal(keys, `seal_users.phone ${sealUserId}`, phone)

export const openInvitedPhone = (keys: Keys, sealUserId: string, sealed: Buffer): string =>
  unseal(keys, `seal_users.phone ${sealUserId}`, sealed)

/** The number that an account is being changed to. */
export const sealNewPhone = (keys: Keys, changeId: string, phone: string): Buffer =>
  seal(keys, `phone_changes.phone ${changeId}`, phone)

export const openNewPhone = (keys: Keys, changeId: string, sealed: Buffer): string =>
  unseal(keys, `phone_changes.phone ${changeId}`, sealed)

export const sealIdentifier = (keys: Keys, signatureId: string, value: string): Buffer =>
  seal(keys, `signatures.identifier_value ${signatureId}`, value)

export const openIdentifier = (keys: Keys, signatureId: string, sealed: Buffer): string =>
  unseal(keys, `signatures.identifier_value ${signatureId}`, sealed)

/** The same for the same number, and telling nothing of it without the key: 128 bits of a MAC. */
export const identifierIndex = (keys: Keys, value: string): Buffer =>
  mac(keys.index, 'identifier', value).subarray(0, 16)

/** The certificate and those above it, as base64 of their DER. */
export type Certificates = { certificate: string; chain: string[] }

export const sealCertificates = (keys: Keys, signatureId: string, { certificate, chain }: Certificates): Buffer =>
  seal(keys, `signatures.certificates ${signatureId}`, JSON.stringify({ certificate, chain }))

export const openCertificates = (keys: Keys, signatureId: string, sealed: Buffer): Certificates =>
  JSON.parse(unseal(keys, `signatures.certificates ${signatureId}`, sealed)) as Certificates
