import type { FastifyInstance } from 'fastify'
import { confirmPairing, startPairing } from '../../contract/signatures.ts'
import { drawPairing, provePairing } from '../app-pairing.ts'
import { record } from '../audit.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import { signatureOf } from './signatures.ts'
import { confirmStep, findPairing, findSignature, storePairing } from './signature-queries.ts'

/** Pairing of a signing app with a signature (SIG-3). */
export function servePairing(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal
  const place = (signature: string) => `pairing ${signature}`

  serve(app, portal, startPairing, async ({ params, session, address, tx, fail }) => {
    const row = await findSignature(tx, keys, session.accountId, params.id)
    if (!row) throw fail('not-found')
    if (!signatureOf(row, session.now).pairable) throw fail('pairing-not-possible')
    const { sealed, shown } = drawPairing(portal, session, place(row.id))
    await storePairing(tx, row.id, sealed)
    await record(tx, {
      act: 'pairing-started',
      accountId: session.accountId,
      actor: 'customer',
      address,
      details: { signature: row.id },
    })
    return shown
  })

  serve(app, portal, confirmPairing, async ({ params, body, session, address, fail }) => {
    const row = await findSignature(db, keys, session.accountId, params.id)
    if (!row) throw fail('not-found')
    const pairing = signatureOf(row, session.now).pairable ? await findPairing(db, row.id) : undefined
    if (!pairing) throw fail('pairing-not-possible')
    await provePairing(portal, {
      code: body.code,
      session,
      address,
      place: place(row.id),
      counted: row.id,
      pairing,
      details: { signature: row.id },
      take: (tx, step) => confirmStep(tx, row.id, pairing.secret, step),
    })
    return signatureOf((await findSignature(db, keys, session.accountId, row.id))!, session.now)
  })
}
