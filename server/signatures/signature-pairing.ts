import type { FastifyInstance } from 'fastify'
import { confirmPairing, readPairing, startPairing } from '../../contract/signatures.ts'
import { readActivation, startActivation } from '../pairing/app-activation.ts'
import { confirmPairingCode } from '../pairing/app-pairing.ts'
import { findPairing, type Paired } from '../pairing/pairing-store.ts'
import { serve } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { signatureOf } from './signatures.ts'
import { findSignature } from './signature-store.ts'

/** Pairing of a signing app with a signature (SIG-3). */
export function servePairing(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal
  const pairedWith = (id: string): Paired => ({ kind: 'signature', id })
  const product = { pl: 'podpis', en: 'signature' }

  serve(app, portal, startPairing, ({ params, session, fail, transaction, found }) =>
    transaction(async (tx, audit) => {
      const row = found(await findSignature(tx, keys, session.accountId, params.id))
      if (!signatureOf(row, session.now).pairable) throw fail('pairing-not-possible')
      const showing = {
        paired: pairedWith(row.id),
        details: { signature: row.id },
        label: { person: row.name, product: product[session.locale] },
      }
      return found(await startActivation(portal, { tx, audit, now: session.now, ...showing }))
    }),
  )

  serve(app, portal, readPairing, async ({ params, session, found }) => {
    const row = found(await findSignature(db, keys, session.accountId, params.id))
    return readActivation(db, pairedWith(row.id))
  })

  serve(app, portal, confirmPairing, async ({ params, body, session, fail, transaction, found }) => {
    const row = found(await findSignature(db, keys, session.accountId, params.id))
    const paired = pairedWith(row.id)
    const pairing = signatureOf(row, session.now).pairable ? await findPairing(db, paired) : undefined
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
    return signatureOf(found(await findSignature(db, keys, session.accountId, row.id)), session.now)
  })
}
