import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { confirmPairing, startPairing } from '../../contract/signatures.ts'
import { limits } from '../../contract/limits.ts'
import { toBase32, matchTotp, otpauthUri } from '../../pki/totp.ts'
import { record } from '../audit.ts'
import { clear, spend, type Budget } from '../budgets.ts'
import { serve } from '../http.ts'
import { seal, unseal } from '../keys.ts'
import type { Portal } from '../portal.ts'
import { signatureOf } from './signatures.ts'
import { confirmStep, findPairing, findSignature, storePairing } from './signature-queries.ts'

/** Codes of the app are short, so guessing them has a budget of its own. */
const wrongCodes: Budget = { name: 'pairing-code', ...limits.pairing.wrong, locks: true }

/** Pairing of a signing app with a signature (SIG-3). The secret is sealed at rest and shown to nobody twice. */
export function servePairing(app: FastifyInstance, portal: Portal): void {
  const { db, keys, settings } = portal
  const place = (signature: string) => `pairing ${signature}`

  serve(app, portal, startPairing, async ({ params, session, address, tx, fail }) => {
    const row = await findSignature(tx, keys, session.accountId, params.id)
    if (!row) throw fail('not-found')
    if (!signatureOf(row, session.now).pairable) throw fail('pairing-not-possible')
    const secret = randomBytes(limits.pairing.secretBits / 8)
    await storePairing(tx, row.id, seal(keys, place(row.id), secret.toString('base64')))
    await record(tx, {
      act: 'pairing-started',
      accountId: session.accountId,
      actor: 'customer',
      address,
      details: { signature: row.id },
    })
    return {
      uri: otpauthUri({ issuer: settings.brand.product, login: session.login, secret }),
      key: toBase32(secret),
      visibleUntil: new Date(session.now.getTime() + limits.pairing.visible * 1000).toISOString(),
      now: session.now.toISOString(),
    }
  })

  serve(app, portal, confirmPairing, async ({ params, body, session, address, fail }) => {
    const row = await findSignature(db, keys, session.accountId, params.id)
    if (!row) throw fail('not-found')
    const pairing = signatureOf(row, session.now).pairable ? await findPairing(db, row.id) : undefined
    if (!pairing) throw fail('pairing-not-possible')
    const paid = await spend(db, keys, wrongCodes, row.id)
    if (!paid.ok) throw fail('too-many-attempts', { retryAfter: paid.retryAfter })
    const secret = Buffer.from(unseal(keys, place(row.id), pairing.secret), 'base64')
    const step = matchTotp(secret, body.code, session.now, Number(pairing.lastStep))
    const confirmed = await db.transaction().execute(async (tx) => {
      const taken = step !== undefined && (await confirmStep(tx, row.id, pairing.secret, step))
      await record(tx, {
        act: taken ? 'pairing-confirmed' : 'pairing-refused',
        accountId: session.accountId,
        actor: 'customer',
        address,
        details: { signature: row.id },
      })
      return taken
    })
    if (!confirmed) throw fail('pairing-code-wrong', paid.left <= 2 ? { entriesLeft: paid.left } : {})
    await clear(db, keys, [wrongCodes, row.id])
    return signatureOf((await findSignature(db, keys, session.accountId, row.id))!, session.now)
  })
}
