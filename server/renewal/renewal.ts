import type { FastifyInstance } from 'fastify'
import {
  fixParameters,
  listOpenRenewals,
  openRenewal,
  readRenewability,
  readRenewal,
  saveParameters,
  type RenewalParameters,
} from '../../contract/renewal.ts'
import { documentFits } from '../../contract/personal-data.ts'
import { acceptShortening, confirmPersonalData, enterIdentityDocument, finishRenewal } from '../../contract/renewal.ts'
import { isCurable, stopsOf, type RenewalReason } from '../../contract/renewal-rules.ts'
import type { FieldProblem } from '../../contract/errors.ts'
import { record } from '../audit.ts'
import type { Tx } from '../db.ts'
import { Failed } from '../failure.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import { endOverdue } from '../renewal-moves.ts'
import { findRenewal, sealOf, type RenewalRow } from '../renewals.ts'
import {
  acceptCode,
  enterCodeOfProvider,
  refusedCode,
  spendCodeOfProvider,
  type EnteredCode,
} from '../voucher-codes.ts'
import {
  dropRenewal,
  findOfCode,
  findOfSignature,
  findRenewable,
  insertRenewal,
  listWaiting,
  wasUsedInVain,
} from './renewal-queries.ts'
import { renewalMoving, recordOn } from './renewal-moving.ts'
import { drawTerms, judge, problemsOf, sha256Of, stopsNow } from './renewal-terms.ts'
import { renewalOf } from './renewal-view.ts'

/** The renewal up to its agreement: code, parameters, personal data (REN-1 … REN-6). */
export function serveRenewal(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal
  const { moving, reread } = renewalMoving(portal)

  serve(app, portal, readRenewability, async ({ params, session: { accountId, now }, fail }) => {
    const one = await findRenewable(db, accountId, params.id)
    if (!one) throw fail('not-found')
    const open = await findOfSignature(db, accountId, params.id)
    // Only cloud signatures are renewed here; the others are as if it were always too early.
    const reasons: RenewalReason[] =
      one.product === 'app'
        ? stopsOf({ ...one, identifier: { type: 'ECN', country: null } }, null, { now, matches: true })
        : ['TOO_EARLY']
    const needed: RenewalReason[] = open ? [] : ['CODE_REQUIRED']
    return { uid: open?.id ?? null, reasons: !open && reasons.length ? reasons : needed }
  })

  serve(app, portal, listOpenRenewals, async ({ session: { accountId } }) => ({
    items: (await listWaiting(db, accountId)).map((one) => ({
      ...one,
      certificateValidTo: one.certificateValidTo.toISOString(),
      endsAt: one.endsAt.toISOString(),
      validFrom: one.validFrom?.toISOString() ?? null,
    })),
  }))

  serve(app, portal, openRenewal, async ({ body, session: { accountId }, address, fail }) => {
    const by = { accountId, address }
    const entered = await enterCodeOfProvider(portal, by, body.code)
    if (entered.kind !== 'renewal') throw await refusedCode(portal, by)
    await endOverdue(db, portal.ports.documents, entered.signatureId)
    const found = await db.transaction().execute(async (tx) => {
      const id = await openOrFind(tx, entered, by)
      // Right or wrong, the code was one of the customer's: only a code that opens nothing was a wrong entry.
      if (id) await acceptCode(tx, portal, by)
      return id
    })
    if (!found) throw await refusedCode(portal, by)
    if (typeof found === 'object') throw fail('renewal-refused', found)
    return reread(accountId, found)
  })

  serve(app, portal, readRenewal, ({ params, session: { accountId } }) => reread(accountId, params.uid))

  serve(app, portal, saveParameters, async ({ params, body, session: { accountId } }) => {
    const { state, version } = body.expected
    try {
      return await moving(accountId, params.uid, body.expected, 'parameters', {
        from: ['parameters'],
        changes: (row) => ({ parameters: parametersOf(row, body.parameters) }),
      })
    } catch (error) {
      // The same once more, because the answer was lost and the browser repeats a PUT (HTT-1). Looked at afterwards, since the
      // first one may have been under way still.
      const row = error instanceof Failed ? await findRenewal(db, keys, accountId, params.uid) : undefined
      const isRepeated =
        row?.state === 'parameters' &&
        state === 'parameters' &&
        row.version === version + 1 &&
        JSON.stringify(row.parameters) === JSON.stringify(body.parameters)
      if (isRepeated) return renewalOf(row)
      throw error
    }
  })

  serve(app, portal, fixParameters, ({ params, body, session: { accountId }, address, fail }) =>
    moving(accountId, params.uid, body.expected, 'personal-data', {
      from: ['parameters'],
      changes: (row) => ({
        parameters: parametersOf(row, body.parameters),
        parameters_sha256: sha256Of(JSON.stringify(body.parameters)),
        shortened_to: body.shortenedTo && new Date(body.shortenedTo),
      }),
      async after(tx, row) {
        const judged = judge(row, row.parameters!)
        if ('reason' in judged) throw fail('renewal-refused', judged)
        const isPaid = (await spendCodeOfProvider(tx, row.codeId)) || (await wasUsedInVain(tx, row.owner, row.codeId))
        if (!isPaid) throw fail('voucher-refused')
        await recordOn(tx, row, 'renewal-parameters-fixed', address, {
          parameters: sha256Of(JSON.stringify(row.parameters)),
        })
      },
    }),
  )

  serve(app, portal, enterIdentityDocument, ({ params, body, session: { accountId }, address, fail }) =>
    moving(accountId, params.uid, body.expected, body.expected.state, {
      from: ['parameters', 'personal-data'],
      changes: (row) => {
        const nationality = row.person.identification?.nationality ?? 'PL'
        if (!documentFits(body.document.type, nationality, body.document.number))
          throw fail('invalid-input', {
            fields: [{ name: 'document.number', problem: 'format' satisfies FieldProblem }],
          })
        return {
          identity: sealOf(keys, 'identity', row.id, JSON.stringify(body.document)),
          identity_state: 'asked',
        }
      },
      after: (tx, row) => recordOn(tx, row, 'renewal-document-entered', address),
    }),
  )

  serve(app, portal, acceptShortening, ({ params, body, session: { accountId }, address, fail }) =>
    moving(accountId, params.uid, body.expected, 'personal-data', {
      from: ['personal-data'],
      changes: () => ({ shortened_to: new Date(body.shortenedTo) }),
      async after(tx, row) {
        const judged = judge(row, row.parameters!)
        if ('reason' in judged) throw fail('renewal-refused', judged)
        await recordOn(tx, row, 'renewal-shortening-accepted', address)
      },
    }),
  )

  serve(app, portal, confirmPersonalData, ({ params, body, session: { accountId }, address, fail }) =>
    moving(accountId, params.uid, body.expected, 'signing', {
      from: ['personal-data'],
      changes: (row) => {
        const judged = judge(row, row.parameters!)
        if ('reason' in judged) throw fail('renewal-refused', judged)
        const { text, sha256 } = drawTerms(row, judged)
        return { terms: sealOf(keys, 'terms', row.id, text), terms_sha256: sha256, signing_failed: false }
      },
      after: (tx, row) => recordOn(tx, row, 'renewal-data-confirmed', address, { terms: row.termsSha256! }),
    }),
  )

  serve(app, portal, finishRenewal, ({ params, body, session: { accountId }, address }) =>
    moving(accountId, params.uid, body.expected, 'finished', {
      from: ['issued'],
      after: (tx, row) => recordOn(tx, row, 'renewal-finished', address),
    }),
  )

  /** Parameters to be stored, if the portal knows nothing against their fields. */
  function parametersOf(row: RenewalRow, parameters: RenewalParameters): Buffer {
    const fields = problemsOf(row, parameters)
    if (fields.length) throw new Failed('invalid-input', { fields })
    return sealOf(keys, 'parameters', row.id, JSON.stringify(parameters))
  }

  /** What a code opens or has opened; the rule that stands against it; undefined for a code that opens nothing (R31). */
  async function openOrFind(
    tx: Tx,
    { id: codeId, usedAt, signatureId }: Extract<EnteredCode, { kind: 'renewal' }>,
    { accountId: owner, address }: { accountId: string; address: string },
  ): Promise<string | { reason: string } | undefined> {
    const known = (await findOfCode(tx, owner, codeId)) ?? (await findOfSignature(tx, owner, signatureId))
    if (known) return known.id
    if (usedAt && !(await wasUsedInVain(tx, owner, codeId))) return undefined
    const signature = await findRenewable(tx, owner, signatureId)
    if (signature?.product !== 'app') return undefined
    const id = await insertRenewal(tx, { owner, signatureId, codeId })
    // Another request has opened it meanwhile.
    if (!id) return (await findOfSignature(tx, owner, signatureId))?.id
    const row = (await findRenewal(tx, keys, owner, id))!
    const stop = stopsNow(row).find((reason) => !isCurable(reason))
    if (stop) {
      await dropRenewal(tx, id)
      return { reason: stop }
    }
    await record(tx, {
      act: 'renewal-opened',
      accountId: owner,
      actor: 'customer',
      address,
      details: { renewal: id, signature: signatureId },
    })
    return id
  }
}
