import * as calls from '../../contract/signatures.ts'
import { readActivation, startActivation } from '../pairing/app-activation.ts'
import { confirmPairingCode } from '../pairing/app-pairing.ts'
import { findPairing, type Paired } from '../pairing/pairing-store.ts'
import { handler } from '../platform/http/http.ts'
import { signatureOf } from './signatures.ts'
import { findSignature } from './signature-store.ts'

// Pairing of a signing app with a signature (SIG-3).

const pairedWith = (id: string): Paired => ({ kind: 'signature', id })
const productName = { pl: 'podpis', en: 'signature' }

export const startPairing = handler(calls.startPairing, ({ params, session, fail, transaction, found }, portal) =>
  transaction(async (tx, audit) => {
    const row = found(await findSignature(tx, portal.keys, session.accountId, params.id))
    if (!signatureOf(row, session.now).pairable) throw fail('pairing-not-possible')
    const showing = {
      paired: pairedWith(row.id),
      details: { signature: row.id },
      label: { person: row.name, product: productName[session.locale] },
    }
    return found(await startActivation(portal, { tx, audit, now: session.now, ...showing }))
  }),
)

export const readPairing = handler(calls.readPairing, async ({ params, session, found }, { db, keys }) => {
  const row = found(await findSignature(db, keys, session.accountId, params.id))
  return readActivation(db, pairedWith(row.id))
})

export const confirmPairing = handler(
  calls.confirmPairing,
  async ({ params, body, session, fail, transaction, found }, portal) => {
    const row = found(await findSignature(portal.db, portal.keys, session.accountId, params.id))
    const paired = pairedWith(row.id)
    const pairing = signatureOf(row, session.now).pairable ? await findPairing(portal.db, paired) : undefined
    if (!pairing) throw fail('pairing-not-possible')
    const refusal = await confirmPairingCode(portal, {
      code: body.code,
      now: session.now,
      transaction,
      paired,
      pairing,
      details: { signature: row.id },
    })
    if (refusal) throw fail(refusal.refused, refusal.data)
    return signatureOf(found(await findSignature(portal.db, portal.keys, session.accountId, row.id)), session.now)
  },
)
