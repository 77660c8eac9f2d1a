import type { FastifyInstance } from 'fastify'
import { getSeal, putSeal, putSealAgreement } from '../../contract/provider-seals.ts'
import type { CertificateContent } from '../../pki/certificate.ts'
import { record } from '../audit.ts'
import { Failed } from '../failure.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import { readOrFail, storeDocument } from './provider-files.ts'
import { findSealId, findSealState, storeSeal, storeSealAgreement, type SealHolder } from './provider-seal-queries.ts'

export function serveProviderSeals(app: FastifyInstance, portal: Portal): void {
  const { db } = portal

  serve(app, portal, putSeal, async ({ params, body, client, address }) => {
    const read = readOrFail(body.certificate)
    body.chain.forEach(readOrFail)
    const holder = holderOf(read)
    return db.transaction().execute(async (tx) => {
      const id = await storeSeal(tx, params.seal, body, holder, read)
      await record(tx, {
        act: 'seal-stored',
        accountId: null,
        actor: 'provider',
        address,
        details: { client: client.id, seal: id },
      })
      return (await findSealState(tx, params.seal))!
    })
  })

  serve(app, portal, getSeal, async ({ params, fail }) => {
    const state = await findSealState(db, params.seal)
    if (!state) throw fail('not-found')
    return state
  })

  serve(app, portal, putSealAgreement, async ({ params, upload, client, address, fail }) => {
    const id = await findSealId(db, params.seal)
    if (!id) throw fail('not-found')
    const key = `agreements/${crypto.randomUUID()}`
    const { bytes, sha256 } = await storeDocument(portal, key, upload)
    // The file stands before the row names it; the one it replaces goes once no row names it any more.
    const replaced = await db.transaction().execute(async (tx) => {
      const before = await storeSealAgreement(tx, id, { key, bytes, sha256 })
      await record(tx, {
        act: 'agreement-stored',
        accountId: null,
        actor: 'provider',
        address,
        details: { client: client.id, seal: id, sha256 },
      })
      return before
    })
    if (replaced) await portal.ports.documents.remove(replaced)
    return { sha256, bytes }
  })
}

/** ETSI EN 319 412-3 §4.2.1: a seal's subject has all three; a natural person's certificate is no seal's. */
function holderOf({ subject }: CertificateContent): SealHolder {
  const attribute = (wanted: string) => subject.find(({ name }) => name === wanted)?.value
  const [name, organisation, identifier] = [attribute('CN'), attribute('O'), attribute('organizationIdentifier')]
  if (!name || !organisation || !identifier || attribute('SN') || attribute('GN'))
    throw new Failed('certificate-unreadable')
  return { name, organisation, identifier }
}
