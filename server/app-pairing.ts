import { randomBytes } from 'node:crypto'
import type { PairingSecret } from '../contract/pairing.ts'
import { limits } from '../contract/limits.ts'
import { matchTotp, otpauthUri, toBase32 } from '../pki/totp.ts'
import { record } from './audit.ts'
import { clear, spend, type Budget } from './budgets.ts'
import type { Tx } from './db.ts'
import { Failed } from './failure.ts'
import { seal, unseal } from './keys.ts'
import type { Portal } from './portal.ts'
import type { LiveSession } from './session.ts'

/**
 * The one mechanism for pairing a signing app, with a signature and with a seal (SIG-3, SEA-1). The secret is sealed at
 * rest for its place, and shown to nobody twice.
 */

/** Codes of the app are short, so guessing them has a budget of its own. */
const wrongCodes: Budget = { name: 'pairing-code', ...limits.pairing.wrong, locks: true }

/** A new secret: sealed, to be stored, and as the customer is shown it. */
export function drawPairing(
  { keys, settings }: Portal,
  { login, now }: LiveSession,
  place: string,
): { sealed: Buffer; shown: PairingSecret } {
  const secret = randomBytes(limits.pairing.secretBits / 8)
  return {
    sealed: seal(keys, place, secret.toString('base64')),
    shown: {
      uri: otpauthUri({ issuer: settings.brand.product, login, secret }),
      key: toBase32(secret),
      visibleUntil: new Date(now.getTime() + limits.pairing.visible * 1000).toISOString(),
      now: now.toISOString(),
    },
  }
}

type Proof = {
  code: string
  session: LiveSession
  address: string
  /** What the secret is sealed for, and whose wrong codes are counted together. */
  place: string
  counted: string
  pairing: { secret: Buffer; lastStep: string }
  /** Goes into the record. */
  details: { [name: string]: string }
  /** Takes a time step for the secret it was checked with; false when it, or a newer one, was taken before. */
  take: (tx: Tx, step: number) => Promise<boolean>
}

/** Proves a pairing with one code of the app; throws what is wrong with it. */
export async function provePairing({ db, keys }: Portal, proof: Proof): Promise<void> {
  const { code, session, address, place, counted, pairing, details, take } = proof
  const paid = await spend(db, keys, wrongCodes, counted)
  if (!paid.ok) throw new Failed('too-many-attempts', { retryAfter: paid.retryAfter })
  const secret = Buffer.from(unseal(keys, place, pairing.secret), 'base64')
  const step = matchTotp(secret, code, session.now, Number(pairing.lastStep))
  const confirmed = await db.transaction().execute(async (tx) => {
    const taken = step !== undefined && (await take(tx, step))
    await record(tx, {
      act: taken ? 'pairing-confirmed' : 'pairing-refused',
      accountId: session.accountId,
      actor: 'customer',
      address,
      details,
    })
    return taken
  })
  if (!confirmed) throw new Failed('pairing-code-wrong', paid.left <= 2 ? { entriesLeft: paid.left } : {})
  await clear(db, keys, [wrongCodes, counted])
}
