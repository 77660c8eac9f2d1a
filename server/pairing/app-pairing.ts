import { randomBytes } from 'node:crypto'
import type { Endpoint, Given } from '../../contract/endpoint.ts'
import { limits } from '../../contract/limits.ts'
import type { PairingStart } from '../../contract/signatures-and-seals.ts'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import { matchTotp, otpauthUri, toBase32 } from '../../pki/totp.ts'
import type { Refusal } from '../platform/api-error.ts'
import type { Db } from '../platform/database/database.ts'
import { encryptionOf } from '../platform/encrypted-data/encrypted-columns.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import type { Call } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { charge, settle } from '../platform/rate-limits/rate-limits.ts'
import { findPairedCertificate } from './activation-target-store.ts'
import { confirmStep, type Paired, type StoredPairing } from './pairing-store.ts'

// Pairs a signing app with a signature or a seal by a secret of the portal's own (SIG-3, SEA-1, APP-4). The secret is encrypted
// at rest, and shown only once.

/** The name under which an app shows the secret, such as „Anna Nowak – podpis”. */
export type AppLabel = { person: string; product: string }

const secretOf = ({ kind }: Paired) => encryptionOf(kind === 'signature' ? 'pairings' : 'seal_pairings', 'secret')

/** Creates a secret, encrypted for the database and in the form that the customer sees. */
export async function createPairing(
  db: Db,
  { keys, settings }: Portal,
  { paired, now, label: { person, product } }: { paired: Paired; now: Date; label: AppLabel },
): Promise<{ encrypted: Buffer; shown: Given<typeof PairingStart> }> {
  const secret = randomBytes(limits.pairing.secretBits / 8)
  const { serialNumber } = readCertificate(await findPairedCertificate(db, keys, paired))
  // The customer finds the end of the serial number in the details of the certificate.
  const account = [shortened(person), shortened(product), serialNumber.slice(-8)].join(' – ')
  return {
    encrypted: secretOf(paired).encrypt(keys, paired.id, secret.toString('base64')),
    shown: {
      kind: 'secret',
      uri: otpauthUri({ issuer: settings.brand.product, account, secret }),
      key: toBase32(secret),
      visibleUntil: new Date(now.getTime() + limits.pairing.visible * 1000),
      now,
    },
  }
}

/** Shortens a name, because longer names make a QR code that phones do not read from a screen. */
const shortened = (name: string) => {
  const letters = [...name]
  return letters.length > 40 ? `${letters.slice(0, 39).join('')}…` : name
}

/** Decrypts the secret of a paired app, for the provider (APP-4). */
export const decryptSecret = (keys: Keys, paired: Paired, encrypted: Buffer): Buffer =>
  Buffer.from(secretOf(paired).decrypt(keys, paired.id, encrypted), 'base64')

type Confirmation = {
  code: string
  now: Date
  transaction: Call<Endpoint>['transaction']
  /** The object whose wrong codes are counted together. */
  paired: Paired
  pairing: StoredPairing
  /** The details of the audit entry. */
  details: { [name: string]: string }
}

/** Confirms a pairing by one code of the app. */
export async function confirmPairingCode(
  { db, keys }: Portal,
  { code, now, transaction, paired, pairing, details }: Confirmation,
): Promise<Refusal<'too-many-attempts' | 'pairing-code-wrong'> | undefined> {
  const charged = await charge(db, keys, ['pairing-code', paired.id])
  if (!charged.ok) return { refused: 'too-many-attempts', data: { retryAfter: charged.retryAfter } }
  const [left] = charged.left
  const secret = decryptSecret(keys, paired, pairing.secret)
  const step = matchTotp(secret, code, now, Number(pairing.lastStep))
  const isConfirmed = await transaction(async (tx, audit) => {
    const isAccepted = step !== undefined && (await confirmStep(tx, paired, pairing.secret, step))
    await audit(isAccepted ? 'pairing-confirmed' : 'pairing-refused', details)
    return isAccepted
  })
  if (!isConfirmed) return { refused: 'pairing-code-wrong', data: left <= 2 ? { entriesLeft: left } : {} }
  await settle(db, keys, { clear: ['pairing-code', paired.id] })
  return undefined
}
