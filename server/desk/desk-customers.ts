import type { FastifyInstance } from 'fastify'
import {
  endSessionsAtDesk,
  readDeskCustomer,
  searchDesk,
  sendLinkAtDesk,
  unblockAtDesk,
  unmaskDeskCustomer,
  type DeskCustomer,
} from '../../contract/desk/desk-customers.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import { recognise } from '../../contract/rules/desk-search.ts'
import { maskNumber } from '../../contract/rules/masks.ts'
import { addAuditEntries } from '../platform/audit/audit.ts'
import { unblockAccount } from '../platform/authentication/account-block.ts'
import { staffDetails } from '../platform/authentication/authenticate.ts'
import { endAllSessions } from '../platform/authentication/session.ts'
import { serve } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { readPersonalData } from '../personal-data/personal-data-store.ts'
import { sendPasswordLink } from '../registration/password-link.ts'
import { findDeskRow, lockDeskRow, signInsOf, type DeskRow } from './desk-customer-store.ts'
import { productsOf } from './desk-products.ts'
import { proposalsOf } from './desk-proposal-store.ts'
import { findAtDesk } from './desk-search-store.ts'
import { lookUpsOf } from './staff-limits.ts'
import { masked, maskedProposal } from './masked-identity.ts'
import { obstaclesOf } from './sign-in-obstacles.ts'

/** DSK-8 to DSK-11: customers at the desk. Each call is an audit entry with the name of the person. */
export function serveDeskCustomers(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal

  const charge = lookUpsOf(portal)

  serve(app, portal, searchDesk, async ({ body, staff, address, fail, transaction }) => {
    await charge(staff, fail)
    const size = deskLimits.found
    const found = new Map<string, DeskRow>()
    const queries = recognise(body.text)
    for (const query of queries) for (const row of await findAtDesk(db, keys, query, size)) found.set(row.id, row)
    const shown = [...found.values()].slice(0, size)
    const details = { ...staffDetails(staff), by: queries.map(({ kind }) => kind).join(), found: shown.length }
    const entry = { action: 'desk-searched', actor: 'staff', address, details } as const
    const about = shown.length ? shown.map(({ id }) => id) : [null]
    await transaction((tx) =>
      addAuditEntries(
        tx,
        about.map((accountId) => ({ ...entry, accountId })),
      ),
    )
    return { items: shown.map(masked), more: found.size > size }
  })

  serve(app, portal, readDeskCustomer, async ({ params, staff, fail, found, transaction }) => {
    await charge(staff, fail)
    const reply = found(await customerNow(portal, params.id))
    await transaction((_, audit) => audit('desk-customer-read', {}, reply.account))
    return reply
  })

  serve(app, portal, unmaskDeskCustomer, async ({ params, body, staff, fail, found, transaction }) => {
    await charge(staff, fail)
    const row = found(await findDeskRow(db, keys, params.id))
    const identification = await readPersonalData(db, keys, row.id)
    await transaction((_, audit) => audit('desk-customer-unmasked', { reason: body.reason }, row.id))
    const { firstName, surname, login, email, phone } = row
    const identificationNumber = identification?.identificationNumber ?? null
    return { name: `${firstName} ${surname}`, login, email, phone, identificationNumber }
  })

  serve(app, portal, unblockAtDesk, async ({ params, staff, address, fail, found, transaction }) => {
    await charge(staff, fail)
    const by = { actor: 'staff', address, details: staffDetails(staff) } as const
    await transaction(async (tx, audit) => {
      const { id: accountId } = found(await lockDeskRow(tx, keys, params.id))
      const isUnblocked = await unblockAccount(tx, keys, { accountId }, by)
      await audit(isUnblocked ? 'desk-customer-read' : 'desk-wrong-codes-reset', {}, accountId)
    })
    return found(await customerNow(portal, params.id))
  })

  serve(app, portal, endSessionsAtDesk, async ({ params, staff, fail, found, transaction }) => {
    await charge(staff, fail)
    await transaction(async (tx, audit) => {
      const { id } = found(await lockDeskRow(tx, keys, params.id))
      await audit('desk-sessions-ended', { sessions: await endAllSessions(tx, id) }, id)
    })
    return found(await customerNow(portal, params.id))
  })

  serve(app, portal, sendLinkAtDesk, async ({ params, staff, fail, limit, found, transaction }) => {
    await charge(staff, fail)
    await transaction(async (tx, audit) => {
      const row = found(await lockDeskRow(tx, keys, params.id))
      // A registration has its own link, and a changed address waits (R116).
      if (!row.isConfirmed || row.resetsFrom) throw fail('resend-too-early')
      await limit('resend-too-early', ['desk-links', row.id], tx)
      await sendPasswordLink(tx, portal, row, row.hasPassword ? 'reset' : 'set-up', { keepsOlder: true })
      await audit('desk-password-link-sent', {}, row.id)
    })
    return found(await customerNow(portal, params.id))
  })
}

/** What the desk shows of a customer now; undefined for one who does not exist, or was erased. */
export async function customerNow(portal: Portal, id: string): Promise<DeskCustomer | undefined> {
  const { db, keys } = portal
  const row = await findDeskRow(db, keys, id)
  if (!row) return undefined
  const identification = await readPersonalData(db, keys, row.id)
  const { sessions, lastSignIn } = await signInsOf(db, row.id)
  return {
    ...masked(row),
    customer: row.customer,
    locale: row.locale,
    identificationNumber: identification ? maskNumber(identification.identificationNumber) : null,
    createdAt: row.createdAt.toISOString(),
    lastSignIn: lastSignIn?.toISOString() ?? null,
    sessions,
    obstacles: await obstaclesOf(portal, row),
    products: await productsOf(portal, row.id),
    heldSince: row.heldAt?.toISOString() ?? null,
    proposals: (await proposalsOf(db, keys, row.id)).map(maskedProposal),
  }
}
