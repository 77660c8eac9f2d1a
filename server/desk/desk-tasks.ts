import { sql } from 'kysely'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import * as calls from '../../contract/desk/desk-tasks.ts'
import type { DeskTask } from '../../contract/desk/desk-tasks.ts'
import { Identification, type IdentityDocument } from '../../contract/identification.ts'
import { renewalNumber } from '../../contract/rules/access-code.ts'
import { holderMismatch, isDocumentValid } from '../../contract/rules/renewal-rules.ts'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import { type DocumentCaseRow, findOwnDocumentCase } from '../documents/document-case-store.ts'
import { cancelLockedCase, refuseLockedCase } from '../documents/provider-document-moves.ts'
import { lockCase } from '../documents/provider-document-store.ts'
import { putPersonalData } from '../personal-data/personal-data-store.ts'
import type { Refusal } from '../platform/api-error.ts'
import { lockNames } from '../platform/authentication/account-names.ts'
import { type Tx, type Db, query } from '../platform/database/database.ts'
import type { BoundAudit } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { isCurrentDocument, judgeDocument } from '../renewal/provider-renewals.ts'
import { findRenewal, type RenewalRow, tasks } from '../renewal/renewal-store.ts'
import { refusedFor } from '../renewal/renewal-terms.ts'
import { isOpenState } from '../renewal/renewal-view.ts'
import { holderOf } from '../signatures/provider-signature-store.ts'
import { findDeskCase } from './desk-cases.ts'
import { listDeskRows, findDeskRow, lockDeskRow } from './desk-customer-store.ts'
import { masked } from './masked-identity.ts'
import { lookUpHandler } from './staff-limits.ts'

type TaskRow = {
  kind: DeskTask['kind']
  id: string
  owner: string
  document: string | null
  since: Date
  /** The moment to the microsecond. */
  position: string
}
type TaskPosition = { since: string; id: string }

/** Position before the first task. */
const start: TaskPosition = { since: '-infinity', id: '00000000-0000-0000-0000-000000000000' }

/**
 * Lists what waits for the provider, the oldest first. Reads a page of each kind along its index, `renewals_waiting_for_identity` or
 * `document_cases_waiting_for_check`; the oldest of both are the page.
 */
async function listTasks(
  db: Db,
  { after, size }: { after: TaskPosition | undefined; size: number },
): Promise<TaskRow[]> {
  const { since, id } = after ?? start
  const page = (alias: 'r' | 'c') => {
    const [moment, row, owner] = ['updated_at', 'id', 'account_id'].map((column) => sql.ref(`${alias}.${column}`))
    return sql`(${moment}, ${row}) > (${since}::timestamptz, ${id}::uuid) and not exists (select from erasures e where e.account_id = ${owner})
      order by ${moment}, ${row} limit ${size + 1}`
  }
  return query(db).all(sql<TaskRow>`
    select *, since::text as position from (
      (select 'identity' as kind, r.id, r.account_id as owner, null as document, r.updated_at as since
      from renewals r where ${tasks.identity} and ${page('r')})
      union all
      (select 'upload', c.id, c.account_id, c.document, c.updated_at
      from document_cases c where c.status = 'subscriber-uploaded' and ${page('c')})
    ) task
    order by since, id limit ${size + 1}`)
}

// The provider's tasks that a person can do by hand, by the rules of the provider API (DSK-38).

export const listDeskTasks = lookUpHandler(
  calls.listDeskTasks,
  async ({ query: { cursor }, page, transaction }, { db, keys }) => {
    const size = deskLimits.tasks
    const { rows, next } = await page(
      { list: 'desk tasks', cursor, size },
      (after: TaskPosition | undefined) => listTasks(db, { after, size }),
      ({ position, id }) => ({ since: position, id }),
    )
    const owners = await listDeskRows(db, keys, [...new Set(rows.map(({ owner }) => owner))])
    const customers = new Map(owners.map((row) => [row.id, masked(row)]))
    await transaction(async (_, audit) => {
      for (const { id } of owners.length ? owners : [{ id: null }]) await audit('desk-tasks-read', {}, id)
    })
    const items = rows.flatMap(({ kind, id, owner, document, since }) => {
      const customer = customers.get(owner)
      const number = document ?? renewalNumber(id)
      return customer ? { kind, case: id, number, since, customer } : []
    })
    return { items, next }
  },
)

export const unmaskIdentityDocument = lookUpHandler(
  calls.unmaskIdentityDocument,
  async ({ params, body, fail, orNotFound, transaction }, { db, keys }) => {
    orNotFound(await findDeskRow(db, keys, params.id))
    const { identity, person, state, signature } = orNotFound(await findRenewal(db, keys, params.id, params.renewal))
    if (identity?.state !== 'asked' || !isOpenState(state)) throw fail('state-passed', { current: state })
    const { identification } = person
    const details = { renewal: params.renewal, reason: body.reason }
    await transaction((_, audit) => audit('desk-identity-unmasked', details, params.id))
    return {
      name: [person.firstName, person.secondName, person.surname].filter(Boolean).join(' '),
      certificate: `${signature.name}, ${signature.identifier.value}`,
      identificationNumber: identification?.identificationNumber ?? null,
      document: identity.document,
      filed: identification?.document ?? null,
    }
  },
)

export const judgeIdentityAtDesk = lookUpHandler(
  calls.judgeIdentityAtDesk,
  async ({ params, body, orFail, orNotFound, transaction }, portal) => {
    await transaction(async (tx, audit) => {
      // The provider's own system puts no other identification of the customer meanwhile.
      await lockNames(tx)
      orNotFound(await lockDeskRow(tx, portal.keys, params.id))
      const row = orNotFound(await findRenewal(tx, portal.keys, params.id, params.renewal))
      const isNew = isCurrentDocument(row, body) && row.identity?.state === 'asked'
      const judged = isNew && body.verdict === 'confirmed' ? orFail(withDocument(row, body.document)) : undefined
      orFail(await judgeDocument(tx, portal, row, body, audit))
      if (judged) {
        // Where the provider's own system judges, it has put the customer before (REN-6).
        const changed = await putPersonalData(tx, portal.keys, new Map([[row.accountId, judged.identification]]))
        if (changed.size) await audit('customer-updated', {}, row.accountId)
      }
      await audit('desk-case-read', { renewal: row.id }, row.accountId)
    })
    return orNotFound(await findDeskCase(portal, params.id, { kind: 'renewal', case: params.renewal }))
  },
)

/** Locks the customer's case after the account, so that it waits for an erasure of the account. */
async function lockDocument(tx: Tx, { keys }: Portal, { id, document }: { id: string; document: string }) {
  const owner = await lockDeskRow(tx, keys, id)
  const own = owner && (await findOwnDocumentCase(tx, owner.id, document))
  const locked = own && (await lockCase(tx, own.providerId))
  return locked?.id === document ? locked : undefined
}

/** Audits the reading of the case, which the reply shows even if nothing has changed (R237). */
const auditReading = (audit: BoundAudit, { id, accountId }: DocumentCaseRow) =>
  audit('desk-case-read', { documentCase: id }, accountId)

export const refuseUploadAtDesk = lookUpHandler(
  calls.refuseUploadAtDesk,
  async ({ params, body, fail, orFail, orNotFound, transaction }, portal) => {
    await transaction(async (tx, audit) => {
      const row = orNotFound(await lockDocument(tx, portal, params))
      if (row.refusal && row.refusal.reason !== body.reason) throw fail('state-passed', { current: row.status })
      orFail(await refuseLockedCase(tx, portal, row, { ...body, note: null }, audit))
      await auditReading(audit, row)
    })
    return orNotFound(await findDeskCase(portal, params.id, { kind: 'document', case: params.document }))
  },
)

export const cancelDocumentAtDesk = lookUpHandler(
  calls.cancelDocumentAtDesk,
  async ({ params, orFail, orNotFound, transaction }, portal) => {
    await transaction(async (tx, audit) => {
      const row = orNotFound(await lockDocument(tx, portal, params))
      orFail(await cancelLockedCase(tx, portal, row, audit))
      await auditReading(audit, row)
    })
    return orNotFound(await findDeskCase(portal, params.id, { kind: 'document', case: params.document }))
  },
)

/**
 * Returns the customer's identification with a confirmed document, or the reason against it. A document whose number identifies the
 * customer cannot change that number here: that would be another identity, which only the provider's own system sets. Nor does the document
 * end a mismatch of the certificate with the customer.
 */
function withDocument(
  { signature, person, now }: RenewalRow,
  document: IdentityDocument,
): { identification: Identification } | Refusal<'renewal-refused'> {
  const known = person.identification
  if (!isDocumentValid(document.validTo, now)) return refusedFor('DOC_EXPIRED')
  const identifies =
    (known?.identifierType === 'IDC' && document.type === 'DO') ||
    (known?.identifierType === 'PAS' && document.type === 'PA')
  if (identifies && known.identificationNumber !== document.number) return refusedFor('DATA_MISMATCH')
  const { success, data } = Identification.safeParse({ ...known, document })
  if (
    !success ||
    holderMismatch(holderOf(readCertificate(signature.certificate.der), signature.identifier.type), person, data)
  )
    return refusedFor('DATA_MISMATCH')
  return { identification: data }
}
