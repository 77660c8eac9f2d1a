import type { FastifyInstance } from 'fastify'
import { Readable } from 'node:stream'
import { limits } from '../../contract/limits.ts'
import {
  downloadSignedAgreement,
  getProviderRenewal,
  judgeIdentity,
  listProviderRenewals,
  putRenewalAgreement,
  reportIssued,
  reportNotIssued,
  type ProviderRenewal,
} from '../../contract/provider-renewals.ts'
import { openStates, type RenewalState } from '../../contract/renewal.ts'
import type { Act } from '../../contract/acts.ts'
import { record } from '../audit.ts'
import type { Db, Tx } from '../db.ts'
import { makeCursor, readCursor } from '../cursor.ts'
import { readArriving } from '../document-files.ts'
import { Failed } from '../failure.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import { tellOfRenewal } from '../renewal-mails.ts'
import { moveRenewal } from '../renewal-moves.ts'
import { findAnyRenewal, listForProvider, type RenewalRow } from '../renewals.ts'
import { fitsTerms, findIssued } from './provider-renewal-queries.ts'

/**
 * What the provider does for renewals: judges identity documents, makes agreements, issues. Said twice or late, it is done
 * once or not at all (R55, R60); the state is its answer to whatever got lost.
 */
export function serveProviderRenewals(app: FastifyInstance, portal: Portal): void {
  const { db, keys, ports } = portal

  async function stateFrom(id: string): Promise<ProviderRenewal> {
    const row = await findAnyRenewal(db, keys, id)
    if (!row) throw new Failed('not-found')
    return stateOf(row)
  }

  const passed = ({ state }: RenewalRow) => new Failed('state-passed', { current: state })

  async function find(tx: Db, id: string): Promise<RenewalRow> {
    const row = await findAnyRenewal(tx, keys, id)
    if (!row) throw new Failed('not-found')
    return row
  }

  const recordOn = (
    tx: Tx,
    { id, owner }: RenewalRow,
    act: Act,
    by: { client: { id: string }; address: string },
    details: { [name: string]: string } = {},
  ) =>
    record(tx, {
      act,
      accountId: owner,
      actor: 'provider',
      address: by.address,
      details: { client: by.client.id, renewal: id, ...details },
    })

  serve(app, portal, listProviderRenewals, async ({ query: { task, cursor }, client }) => {
    const size = limits.list.sizes[2]
    const list = `renewals ${task ?? 'all'}`
    const [after] = cursor === undefined ? [] : readCursor(keys, list, client.id, cursor)
    const rows = await listForProvider(db, keys, { task, after: after === undefined ? undefined : String(after), size })
    const last = rows[size - 1]
    const next = rows.length > size && last ? makeCursor(keys, list, client.id, [last.id]) : null
    return { items: rows.slice(0, size).map(stateOf), next }
  })

  serve(app, portal, getProviderRenewal, ({ params }) => stateFrom(params.renewal))

  serve(app, portal, judgeIdentity, async ({ params, body, client, address }) => {
    await db.transaction().execute(async (tx) => {
      const row = await find(tx, params.renewal)
      const isMeant = JSON.stringify(row.identity?.document) === JSON.stringify(body.document)
      if (isMeant && row.identity?.state === body.verdict) return
      const isOpen = (openStates as readonly RenewalState[]).includes(row.state)
      if (!isMeant || row.identity?.state !== 'asked' || !isOpen) throw passed(row)
      if (!(await moveRenewal(tx, row.id, row, row.state, { identity_state: body.verdict })))
        throw passed(await find(tx, row.id))
      await recordOn(tx, row, 'renewal-document-judged', { client, address }, { verdict: body.verdict })
      await tellOfRenewal(tx, portal, row, body.verdict === 'confirmed' ? 'document-confirmed' : 'document-refused')
    })
    return stateFrom(params.renewal)
  })

  serve(app, portal, putRenewalAgreement, async ({ params, upload, client, address }) => {
    const before = await find(db, params.renewal)
    const fits = (row: RenewalRow) => row.state === 'signing' && row.termsSha256 === params.terms
    if (!fits(before)) throw passed(before)
    const pdf = await readArriving(portal, upload)
    const key = `agreements/${crypto.randomUUID()}`
    const stored = await ports.documents.write(key, Readable.from([pdf]), limits.http.pdfBytes)
    const dropped = await db
      .transaction()
      .execute(async (tx) => {
        const row = await find(tx, params.renewal)
        // The same once more: what stands may be in the middle of being signed.
        if (row.termsSha256 === params.terms && row.agreement?.sha256 === stored.sha256) return key
        const agreement = { agreement_key: key, agreement_bytes: stored.bytes, agreement_sha256: stored.sha256 }
        if (!fits(row) || !(await moveRenewal(tx, row.id, row, 'signing', agreement))) throw passed(row)
        await recordOn(
          tx,
          row,
          'renewal-agreement-stored',
          { client, address },
          {
            terms: params.terms,
            agreement: stored.sha256,
            ...(row.agreement ? { was: row.agreement.sha256 } : {}),
          },
        )
        return row.agreement?.key
      })
      .catch(async (error: unknown) => {
        await ports.documents.remove(key)
        throw error
      })
    if (dropped) await ports.documents.remove(dropped)
    return stateFrom(params.renewal)
  })

  serve(app, portal, downloadSignedAgreement, async ({ params, fail }) => {
    const { signed } = await find(db, params.renewal)
    const file = signed && (await ports.documents.read(signed.key))
    if (!file) throw fail('document-not-ready')
    return { name: 'agreement.pdf', type: 'application/pdf', ...file }
  })

  serve(app, portal, reportIssued, async ({ params, body, client, address, fail }) => {
    await db.transaction().execute(async (tx) => {
      const row = await find(tx, params.renewal)
      if (row.issued?.providerId === body.signature) return
      if (row.state !== 'signed') throw passed(row)
      const issued = await findIssued(tx, keys, row.owner, body.signature)
      if (!issued || issued.id === row.signature.id || !fitsTerms(row, issued)) throw fail('certificate-differs')
      if (!(await moveRenewal(tx, row.id, row, 'issued', { issued_signature: issued.id })))
        throw passed(await find(tx, row.id))
      await recordOn(tx, row, 'renewal-issued', { client, address }, { signature: issued.id })
      await tellOfRenewal(tx, portal, row, 'issued')
    })
    return stateFrom(params.renewal)
  })

  serve(app, portal, reportNotIssued, async ({ params, body, client, address }) => {
    await db.transaction().execute(async (tx) => {
      const row = await find(tx, params.renewal)
      if (row.state === 'failed') return
      const note = body.note && JSON.stringify(body.note)
      if (!(await moveRenewal(tx, row.id, { state: 'signed', version: row.version }, 'failed', { note })))
        throw passed(await find(tx, row.id))
      await recordOn(tx, row, 'renewal-failed', { client, address })
      await tellOfRenewal(tx, portal, row, 'failed')
    })
    return stateFrom(params.renewal)
  })
}

const stateOf = (row: RenewalRow): ProviderRenewal => ({
  renewal: row.id,
  customer: row.person.customer,
  renews: row.signature.providerId,
  state: row.state,
  identity: row.identity,
  terms: row.terms,
  termsSha256: row.termsSha256,
  agreement: row.agreement && { sha256: row.agreement.sha256, bytes: row.agreement.bytes },
  signed: row.signed && { sha256: row.signed.sha256, bytes: row.signed.bytes },
  signedAt: row.signedAt?.toISOString() ?? null,
  issued: row.issued?.providerId ?? null,
  openedAt: row.openedAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})
