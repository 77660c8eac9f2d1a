import type { FastifyInstance } from 'fastify'
import { getSignature, putAgreement, putSignature } from '../../contract/provider-api.ts'
import { record } from '../audit.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import { readOrFail, storeDocument } from './provider-files.ts'
import { findForAgreement, findState, storeAgreement, storeSignature } from './provider-signature-queries.ts'

export function serveProviderSignatures(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal

  serve(app, portal, putSignature, async ({ params, body, client, address, fail }) => {
    const read = readOrFail(body.certificate)
    body.chain.forEach(readOrFail)
    return db.transaction().execute(async (tx) => {
      const stored = await storeSignature(tx, keys, params.signature, body, read)
      if (!stored) throw fail('not-found')
      await record(tx, {
        act: 'signature-stored',
        accountId: stored.owner,
        actor: 'provider',
        address,
        details: { client: client.id, signature: stored.id },
      })
      return (await findState(tx, keys, params.signature))!
    })
  })

  serve(app, portal, getSignature, async ({ params, fail }) => {
    const state = await findState(db, keys, params.signature)
    if (!state) throw fail('not-found')
    return state
  })

  serve(app, portal, putAgreement, async ({ params, upload, client, address, fail }) => {
    const signature = await findForAgreement(db, params.signature)
    if (!signature) throw fail('not-found')
    const key = `agreements/${crypto.randomUUID()}`
    const { bytes, sha256 } = await storeDocument(portal, key, upload)
    // The file stands before the row names it; the one it replaces goes once no row names it any more.
    const replaced = await db.transaction().execute(async (tx) => {
      const before = await storeAgreement(tx, signature.id, { key, bytes, sha256 })
      await record(tx, {
        act: 'agreement-stored',
        accountId: signature.owner,
        actor: 'provider',
        address,
        details: { client: client.id, signature: signature.id, sha256 },
      })
      return before
    })
    if (replaced) await portal.ports.documents.remove(replaced)
    return { sha256, bytes }
  })
}
