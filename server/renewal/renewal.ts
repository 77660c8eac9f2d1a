import { hash } from 'node:crypto'
import { documentFits } from '../../contract/identification.ts'
import * as calls from '../../contract/renewal.ts'
import type { RenewalParameters } from '../../contract/renewal.ts'
import { canBeFixedByDocument, refusalReasons, type RenewalReason } from '../../contract/rules/renewal-rules.ts'
import { ApiError, type Refusal } from '../platform/api-error.ts'
import type { Tx } from '../platform/database/database.ts'
import { handler, type BoundAudit, type Call } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { findOpenAuthorisation, requirementOf } from '../service-authorisation/service-authorisation.ts'
import { acceptEntry, enterVoucherCode, refuseEntry } from '../vouchers/code-entry.ts'
import { markCodeUsed, type UsableCode } from '../vouchers/voucher-store.ts'
import { endOverdue, moveOwnRenewal, reread } from './renewal-moves.ts'
import { renewalObjectOf, signedObjectId } from './renewal-signed-object.ts'
import {
  findRenewal,
  encryptRenewalPart,
  hasAgreement,
  type RenewalRow,
  removeRenewal,
  findOfCode,
  findOfSignature,
  findRenewable,
  addRenewal,
  listUnfinishedRenewals,
  wasUsedByExpiredRenewal,
} from './renewal-store.ts'
import {
  agreementTerms,
  judgeParameters,
  parameterProblems,
  required,
  currentRefusals,
  refusedFor,
} from './renewal-terms.ts'
import { renewalOf, findSigningKey } from './renewal-view.ts'

// The renewal up to its agreement: code, parameters, personal data (REN-1 … REN-6).

export const readRenewability = handler(
  calls.readRenewability,
  async ({ params, session: { accountId, now }, orNotFound }, { db }) => {
    const signature = orNotFound(await findRenewable(db, accountId, params.id))
    const open = await findOfSignature(db, accountId, params.id)
    // Only cloud signatures can be renewed here; for others the answer is always that it is too early.
    const reasons: RenewalReason[] =
      signature.product === 'app'
        ? refusalReasons({ ...signature, identifier: { type: 'ECN', country: null } }, null, { now, matches: true })
        : ['TOO_EARLY']
    const needed: RenewalReason[] = open ? [] : ['CODE_REQUIRED']
    return { uid: open?.id ?? null, reasons: !open && reasons.length ? reasons : needed }
  },
)

export const listOpenRenewals = handler(calls.listOpenRenewals, async ({ session: { accountId } }, { db }) => ({
  items: await listUnfinishedRenewals(db, accountId),
}))

export const openRenewal = handler(
  calls.openRenewal,
  async ({ body, session, address, orFail, transaction }, portal) => {
    const { accountId } = session
    const by = { accountId, address, transaction }
    const entered = orFail(await enterVoucherCode(portal, by, body.code))
    if (entered.kind !== 'renewal') return orFail(await refuseEntry(portal, by))
    await endOverdue(portal.db, portal.ports.documents, entered.signatureId)
    const opened = await transaction(async (tx, audit) => {
      const result = await openOrFind(tx, portal, audit, accountId, entered)
      // A code that belongs to the customer is not a wrong entry, even if a rule refuses the renewal.
      if (result) await acceptEntry(tx, portal, by)
      return result
    })
    if (!opened) return orFail(await refuseEntry(portal, by))
    const row = await findRenewal(portal.db, portal.keys, accountId, orFail(opened).id)
    if (!row) throw new Error('A renewal that was just opened is not there.')
    return renewalOf(row)
  },
)

export const readRenewal = handler(calls.readRenewal, (call, portal) => reread(portal, call))

export const saveParameters = handler(calls.saveParameters, async (call, portal) => {
  const { params, body, session, fail } = call
  try {
    return await moveOwnRenewal(portal, call, 'parameters', {
      from: ['parameters'],
      changes: (row) => {
        const fields = parameterProblems(row, body.parameters)
        if (fields.length) throw fail('invalid-input', { fields })
        return { parameters: encryptParameters(portal, row, body.parameters) }
      },
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // This is checked afterwards, because the first request may still have been running.
    const row = await findRenewal(portal.db, portal.keys, session.accountId, params.uid)
    if (row && isRepeatedSave(row, body)) return renewalOf(row)
    throw error
  }
})

/** Checks whether what is to be saved was just saved: the browser repeats a PUT whose answer was lost (HTT-1). */
const isRepeatedSave = (row: RenewalRow, { expected, parameters }: Call<typeof calls.saveParameters>['body']) =>
  row.state === 'parameters' &&
  expected.state === 'parameters' &&
  row.version === expected.version + 1 &&
  JSON.stringify(row.parameters) === JSON.stringify(parameters)

export const readSigningReadiness = handler(
  calls.readSigningReadiness,
  async ({ params, session, orNotFound }, portal) => {
    const row = orNotFound(await findRenewal(portal.db, portal.keys, session.accountId, params.uid))
    const key = await findSigningKey(portal, row)
    return {
      obstacle: 'obstacle' in key ? key.obstacle : null,
      requirement: ('credential' in key && requirementOf(key.credential)) || null,
      asksElsewhere: 'credential' in key && key.credential.authorisation.kind === 'elsewhere',
      authorisation:
        row.state === 'signing' && hasAgreement(row)
          ? await findOpenAuthorisation(portal, session, renewalObjectOf(row), signedObjectId(row))
          : null,
    }
  },
)

export const fixParameters = handler(calls.fixParameters, async (call, portal) => {
  const { params, session, body, fail, orFail, orNotFound } = call
  // No code is used up for an agreement that could not be signed (REN-12).
  const key = await findSigningKey(
    portal,
    orNotFound(await findRenewal(portal.db, portal.keys, session.accountId, params.uid)),
  )
  if ('obstacle' in key) throw fail('renewal-refused', { reason: key.obstacle })
  return moveOwnRenewal(portal, call, 'personal-data', {
    from: ['parameters'],
    changes: (row) => {
      const fields = parameterProblems(row, body.parameters)
      if (fields.length) throw fail('invalid-input', { fields })
      return {
        parameters: encryptParameters(portal, row, body.parameters),
        parametersSha256: hash('sha256', JSON.stringify(body.parameters)),
        shortenedTo: body.shortenedTo ? new Date(body.shortenedTo) : null,
      }
    },
    async after(tx, row, audit) {
      orFail(judgeParameters(row))
      const isPaid =
        (await markCodeUsed(tx, row.codeId)) || (await wasUsedByExpiredRenewal(tx, row.accountId, row.codeId))
      if (!isPaid) throw fail('voucher-refused')
      await audit('renewal-parameters-fixed', {
        renewal: row.id,
        parameters: hash('sha256', JSON.stringify(row.parameters)),
      })
    },
  })
})

export const enterIdentityDocument = handler(calls.enterIdentityDocument, (call, portal) => {
  const { document, expected } = call.body
  return moveOwnRenewal(portal, call, expected.state, {
    from: ['parameters', 'personal-data'],
    changes: (row) => {
      const nationality = row.person.identification?.nationality ?? 'PL'
      if (!documentFits(document.type, nationality, document.number))
        throw call.fail('invalid-input', { fields: [{ name: 'document.number', problem: 'document-number' }] })
      return {
        identity: encryptRenewalPart(portal.keys, 'identity', row.id, JSON.stringify(document)),
        identityState: 'asked',
      }
    },
    after: (_, row, audit) => audit('renewal-document-entered', { renewal: row.id }),
  })
})

export const acceptShortening = handler(calls.acceptShortening, (call, portal) =>
  moveOwnRenewal(portal, call, 'personal-data', {
    from: ['personal-data'],
    changes: () => ({ shortenedTo: new Date(call.body.shortenedTo) }),
    async after(_, row, audit) {
      call.orFail(judgeParameters(row))
      await audit('renewal-shortening-accepted', { renewal: row.id })
    },
  }),
)

export const confirmPersonalData = handler(calls.confirmPersonalData, (call, portal) =>
  moveOwnRenewal(portal, call, 'signing', {
    from: ['personal-data'],
    changes: (row) => {
      const { text, sha256 } = agreementTerms(row, call.orFail(judgeParameters(row)))
      return {
        terms: encryptRenewalPart(portal.keys, 'terms', row.id, text),
        termsSha256: sha256,
        signingFailed: false,
      }
    },
    after: (_, row, audit) =>
      audit('renewal-data-confirmed', { renewal: row.id, terms: required(row.termsSha256, 'terms') }),
  }),
)

export const finishRenewal = handler(calls.finishRenewal, (call, portal) =>
  moveOwnRenewal(portal, call, 'finished', {
    from: ['issued'],
    after: (_, row, audit) => audit('renewal-finished', { renewal: row.id }),
  }),
)

const encryptParameters = ({ keys }: Portal, row: RenewalRow, parameters: RenewalParameters) =>
  encryptRenewalPart(keys, 'parameters', row.id, JSON.stringify(parameters))

/**
 * Finds the renewal that a code has opened, or opens it, or returns the rule that forbids it; undefined if the code opens nothing (R31).
 */
async function openOrFind(
  tx: Tx,
  { keys }: Portal,
  audit: BoundAudit,
  accountId: string,
  { id: codeId, usedAt, signatureId }: Extract<UsableCode, { kind: 'renewal' }>,
): Promise<{ id: string } | Refusal<'renewal-refused'> | undefined> {
  const known = (await findOfCode(tx, accountId, codeId)) ?? (await findOfSignature(tx, accountId, signatureId))
  if (known) return known
  if (usedAt && !(await wasUsedByExpiredRenewal(tx, accountId, codeId))) return undefined
  const signature = await findRenewable(tx, accountId, signatureId)
  if (signature?.product !== 'app') return undefined
  const id = await addRenewal(tx, { accountId, signatureId, codeId })
  const row = id && (await findRenewal(tx, keys, accountId, id))
  // Meanwhile another request has opened it, its code was withdrawn, or its certificate was moved.
  if (!row) return findOfSignature(tx, accountId, signatureId)
  const stop = currentRefusals(row).find((reason) => !canBeFixedByDocument(reason))
  if (stop) {
    await removeRenewal(tx, row.id)
    return refusedFor(stop)
  }
  await audit('renewal-opened', { renewal: row.id, signature: signatureId })
  return row
}
