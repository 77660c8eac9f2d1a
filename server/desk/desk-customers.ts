import type { FastifyInstance } from 'fastify'
import {
  endSessionsAtDesk,
  readDeskCustomer,
  searchDesk,
  sendLinkAtDesk,
  unblockAtDesk,
  unmaskDeskCustomer,
  type DeskCustomer,
  type MaskedIdentity,
} from '../../contract/desk/desk-customers.ts'
import { deskLimits } from '../../contract/desk/desk-bounds.ts'
import { recognise } from '../../contract/rules/desk-search.ts'
import { maskNumber } from '../../contract/rules/masks.ts'
import { raiseAlarm } from '../platform/audit/alarms.ts'
import { unblockAccount } from '../platform/authentication/account-block.ts'
import { staffDetails } from '../platform/authentication/authenticate.ts'
import { endAllSessions } from '../platform/authentication/session.ts'
import type { StaffSession } from '../platform/authentication/staff-session.ts'
import { serve } from '../platform/http/http.ts'
import { maskEmail, maskPhone } from '../platform/messages/masks.ts'
import type { Portal } from '../platform/portal.ts'
import { chargeAttempt, type RateLimit } from '../platform/rate-limits/rate-limits.ts'
import { readPersonalData } from '../personal-data/personal-data-store.ts'
import { sendPasswordLink } from '../registration/password-link.ts'
import { deskRows, lockDeskRow, signInsOf, type DeskRow } from './desk-customer-store.ts'
import { findAtDesk } from './desk-search-store.ts'
import { obstaclesOf } from './sign-in-obstacles.ts'

/** What one person looks up in an hour; an action counts too, because it returns the customer (R237). */
const lookUps: RateLimit = { name: 'desk-look-ups', ...deskLimits.lookUps }
/** A link for one customer, whoever presses. */
const links: RateLimit = { name: 'desk-links', limit: 1, window: deskLimits.linkAgain }

/** DSK-8 to DSK-11: customers at the desk. Each call is an audit entry with the name of the person. */
export function serveDeskCustomers(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal

  /** Counts what somebody looks up, before it is read; who looks up as much as is allowed raises an alarm. */
  async function charge({ subject }: StaffSession, fail: (code: 'too-many-requests', data: object) => Error) {
    const charged = await chargeAttempt(db, keys, lookUps, subject)
    if (!charged.ok || !charged.left) raiseAlarm(portal, { name: 'staff-reads-many', about: subject })
    if (!charged.ok) throw fail('too-many-requests', { retryAfter: charged.retryAfter })
  }

  serve(app, portal, searchDesk, async ({ body, staff, fail, transaction }) => {
    await charge(staff, fail)
    const size = deskLimits.found
    const found = new Map<string, DeskRow>()
    const queries = recognise(body.text)
    for (const query of queries) for (const row of await findAtDesk(db, keys, query, size)) found.set(row.id, row)
    const rows = [...found.values()]
    await transaction(async (_, audit) => {
      const details = { by: queries.map(({ kind }) => kind).join(), found: rows.length }
      for (const owner of rows.length ? rows.map(({ id }) => id) : [null]) await audit('desk-searched', details, owner)
    })
    return { items: rows.slice(0, size).map(masked), more: rows.length > size }
  })

  const rowOf = async (id: string) => (await deskRows(db, keys, [id]))[0]

  serve(app, portal, readDeskCustomer, async ({ params, staff, fail, found, transaction }) => {
    await charge(staff, fail)
    const row = found(await rowOf(params.id))
    const reply = await customerReply(portal, row)
    await transaction((_, audit) => audit('desk-customer-read', {}, row.id))
    return reply
  })

  serve(app, portal, unmaskDeskCustomer, async ({ params, body, staff, fail, found, transaction }) => {
    await charge(staff, fail)
    const row = found(await rowOf(params.id))
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
      if (!isUnblocked) await audit('desk-wrong-codes-reset', {}, accountId)
    })
    return customerReply(portal, found(await rowOf(params.id)))
  })

  serve(app, portal, endSessionsAtDesk, async ({ params, staff, fail, found, transaction }) => {
    await charge(staff, fail)
    await transaction(async (tx, audit) => {
      const { id } = found(await lockDeskRow(tx, keys, params.id))
      await audit('desk-sessions-ended', { sessions: await endAllSessions(tx, id) }, id)
    })
    return customerReply(portal, found(await rowOf(params.id)))
  })

  serve(app, portal, sendLinkAtDesk, async ({ params, staff, fail, found, transaction }) => {
    await charge(staff, fail)
    await transaction(async (tx, audit) => {
      const row = found(await lockDeskRow(tx, keys, params.id))
      // A registration has its own link, and a changed address waits (R116).
      if (!row.isConfirmed || row.resetsFrom) throw fail('resend-too-early')
      const charged = await chargeAttempt(tx, keys, links, row.id)
      if (!charged.ok) throw fail('resend-too-early', { retryAfter: charged.retryAfter })
      await sendPasswordLink(tx, portal, row, row.hasPassword ? 'reset' : 'set-up', { keepsOlder: true })
      await audit('desk-password-link-sent', {}, row.id)
    })
    return customerReply(portal, found(await rowOf(params.id)))
  })
}

async function customerReply(portal: Portal, row: DeskRow): Promise<DeskCustomer> {
  const { db, keys } = portal
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
  }
}

/** R235: whole data leave the server by the call with a reason only. */
const masked = (row: DeskRow): MaskedIdentity => ({
  account: row.id,
  name: `${row.firstName} ${initial(row.surname)}•••`,
  login: row.login.includes('@') ? maskEmail(row.login) : `${[...row.login].slice(0, 2).join('')}•••`,
  email: maskEmail(row.email),
  phone: maskPhone(row.phone),
  state: stateOf(row),
})

const initial = (name: string) => [...name][0] ?? ''

function stateOf({ blockedAt, hasPassword, isConfirmed }: DeskRow) {
  if (blockedAt) return 'blocked'
  if (!isConfirmed) return 'registered'
  return hasPassword ? 'active' : 'invited'
}
