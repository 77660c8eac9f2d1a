import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { PairingStart } from '../../../contract/signatures-and-seals.ts'
import { decryptJwe, encryptJwe } from '../../../pki/jwe.ts'
import type { AppActivationPort } from '../../platform/ports.ts'

let keys: { publicKey: KeyObject; privateKey: KeyObject } | undefined
const providerKeys = () => (keys ??= generateKeyPairSync('rsa', { modulusLength: 2048 }))

/** The portal's own secrets, encrypted to a provider of the tests: the option of portals that choose no other. */
export const ownSecrets: AppActivationPort = {
  by: 'portal',
  encryptSecret: (content) => encryptJwe({ key: providerKeys().publicKey, kid: 'test' }, JSON.stringify(content)),
}

/** Decrypts a secret that the provider of the tests has fetched. */
export const decryptHandedOver = (jwe: string) =>
  JSON.parse(decryptJwe(providerKeys().privateKey, jwe)) as { id: string; secret: string }

/** Returns the response if it shows one of the portal's own secrets; throws otherwise. */
export function shownSecret(start: PairingStart) {
  if (start.kind !== 'secret') throw new Error(`Nothing of the portal’s was shown, but ${JSON.stringify(start)}`)
  return start
}

/** Returns, as text, all rows that may be about the activation of an app. */
export async function rowsThatPairingsLeave({ rows }: { rows: (text: string) => Promise<object[]> }): Promise<string> {
  const tables = ['pairings', 'audit', 'events', 'outbox', 'idempotency']
  const all = await Promise.all(tables.map((table) => rows(`select string_agg(t::text, ' ') as all from ${table} t`)))
  return JSON.stringify(all)
}
