import type { FastifyInstance } from 'fastify'
import type { Readable } from 'node:stream'
import { getSignature, putAgreement, putSignature } from '../../contract/provider-api.ts'
import { limits } from '../../contract/limits.ts'
import { CertificateError, readCertificate, type CertificateContent } from '../../pki/certificate.ts'
import { record } from '../audit.ts'
import { Failed } from '../failure.ts'
import { serve } from '../http.ts'
import { DocumentTooLarge } from '../ports/ports.ts'
import type { Portal } from '../portal.ts'
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

async function storeDocument({ ports }: Portal, key: string, content: Readable) {
  try {
    return await ports.documents.write(key, content, limits.http.pdfBytes)
  } catch (error) {
    if (error instanceof DocumentTooLarge) throw new Failed('body-too-large')
    throw error
  }
}

function readOrFail(der: string): CertificateContent {
  try {
    return readCertificate(Buffer.from(der, 'base64'))
  } catch (error) {
    if (error instanceof CertificateError) throw new Failed('certificate-unreadable')
    throw error
  }
}
