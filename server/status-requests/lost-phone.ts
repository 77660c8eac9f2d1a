import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import * as calls from '../../contract/lost-phone.ts'
import type { SignatureProduct } from '../../contract/signatures.ts'
import { statusesBefore } from '../../contract/status-requests.ts'
import { readPersonalData, fitsDocument } from '../personal-data/personal-data-store.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { canonicalLogin } from '../platform/authentication/canonical-login.ts'
import { removeDevices } from '../platform/authentication/devices.ts'
import {
  findLink,
  makeLink,
  spendLink,
  voidLinks,
  type LinkPurpose,
  chargeLinkMail,
  findSource,
} from '../platform/authentication/links.ts'
import { endAllSessions, findSession } from '../platform/authentication/session.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { checkBot } from '../platform/http/bot-check.ts'
import { handler, type BoundAudit } from '../platform/http/http.ts'
import type { LostPhoneRequest } from '../platform/messages/message.ts'
import { enqueue, enqueueBulk } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import { charge, settle, type LimitKey } from '../platform/rate-limits/rate-limits.ts'
import { fellowLossMail, lossReportedMail, lostPhoneMail, numbersSpentMail } from './lost-phone-mails.ts'
import { addStatusRequest } from './status-request-store.ts'
import { announceRequest } from './status-requests.ts'

/** The only links that these calls take (R220). */
const purposes = ['lost-phone'] as const satisfies LinkPurpose[]
const { numbers } = limits.lostPhone

// The suspension of all own signatures by a link to the mailbox and the number of the identity document (STP-7).

export const requestLostPhoneLink = handler(
  calls.requestLostPhoneLink,
  async ({ body, address, cookies, limit }, portal) => {
    const source = await findSource(portal.db, cookies.device, address)
    await limit('too-many-attempts', ['lost-phone-address', source.key])
    await checkBot(portal, body.botProof, 'lost-phone', address)
    // As for a reset, only the outbox checks whether the account exists (R222).
    const { ok: wanted } = await charge(portal.db, portal.keys, [
      'lost-phone-account',
      canonicalLogin(body.login),
      source.key,
    ])
    const { knownTo } = source
    await portal.db
      .transaction()
      .execute((tx) => enqueue(tx, portal.keys, { channel: 'lost-phone', login: body.login, address, wanted, knownTo }))
  },
)

/** Finds the account of a login or an e-mail address, and locks it until the transaction ends. */
const lockNamed = (tx: Tx, key: string): Promise<{ id: string; email: string; locale: Locale } | undefined> =>
  query(tx).first(sql<{ id: string; email: string; locale: Locale }>`
    select id, email, locale from accounts where login_key = ${key} or email_key = ${key} for no key update`)

/** Locks the account before its sessions and links, as everywhere. */
async function lockAccount(tx: Tx, id: string): Promise<Addressee> {
  return query(tx).one(sql<Addressee>`
    select email, locale from accounts where id = ${id} for no key update`)
}

type Addressee = { email: string; locale: Locale }

type Suspendable = { id: string; product: SignatureProduct; organisation: string | null; validTo: Date }

/** Lists the customer's own signatures that can be suspended now, and those of `again`; `addStatusRequest` decides about each again. */
async function listSuspendable(db: Db, accountId: string, again: readonly string[] = []): Promise<Suspendable[]> {
  return query(db).all(sql<Suspendable>`
    select s.id, s.product, s.organisation, s.valid_to from signatures s
    where s.account_id = ${accountId} and s.valid_to > portal_now()
      and (s.status = any(${statusesBefore('suspend')}::text[]) or s.id = any(${again}::uuid[]))
      and not exists (select from status_requests q where q.signature_id = s.id and q.state = 'requested')
    order by s.valid_to, s.id`)
}

/** Counts the customer's own signatures that are suspended, or will be by a request that is open. */
async function countSuspended(db: Db, accountId: string): Promise<number> {
  const { count } = await query(db).one(sql<{ count: number }>`
    select count(*)::int as count from signatures s
    where s.account_id = ${accountId} and s.valid_to > portal_now()
      and (s.status = 'suspended'
        or exists (select from status_requests q where q.signature_id = s.id and q.state = 'requested' and q.change = 'suspend'))`)
  return count
}

type OfSignature = { signature: string; request?: string }

/**
 * Leaves the end of suspensions that the customer requested earlier to the provider too (R224), and ends the open
 * requests to end them. Returns the certificates of both, with the requests that were open. It locks requests before
 * certificates, as decisions do, and waits for those that are under way: the next statements see them.
 */
async function keepSuspended(tx: Tx, accountId: string): Promise<{ kept: OfSignature[]; resumptions: OfSignature[] }> {
  const open = await query(tx).all(sql<OfSignature>`
    update status_requests set reason = 'phone-lost'
    where account_id = ${accountId} and signature_id is not null and state = 'requested' and change = 'suspend' and reason <> 'phone-lost'
    returning id as request, signature_id as signature`)
  const resumptions = await query(tx).all(sql<OfSignature>`
    update status_requests set state = 'replaced', decided_at = portal_now()
    where account_id = ${accountId} and signature_id is not null and state = 'requested' and change = 'resume'
    returning id as request, signature_id as signature`)
  const done = await query(tx).all(sql<OfSignature>`
    update signatures set own_suspension = false where account_id = ${accountId} and own_suspension returning id as signature`)
  return { kept: [...open, ...done], resumptions }
}

/** Lists the other active Administrators of the valid seals that the customer can use, each once, with the organisations. */
async function listFellowAdministrators(
  db: Db,
  accountId: string,
): Promise<(Addressee & { organisations: string[] })[]> {
  return query(db).all(sql<Addressee & { organisations: string[] }>`
    select a.email, a.locale, array_agg(distinct s.organisation) as organisations
    from seal_users own join seals s on s.id = own.seal_id
      join seal_users u on u.seal_id = s.id and u.status = 'active' and u.role = 'admin' and u.account_id <> own.account_id
      join accounts a on a.id = u.account_id
    where own.account_id = ${accountId} and own.status = 'active' and s.status = 'good' and s.valid_to > portal_now()
    group by a.id`)
}

/** Lists the organisations of the valid seals that the customer can use, by name. */
async function listOrganisationsOfSeals(db: Db, accountId: string): Promise<string[]> {
  const rows = await query(db).all(sql<{ organisation: string }>`
    select s.organisation from seal_users u join seals s on s.id = u.seal_id
    where u.account_id = ${accountId} and u.status = 'active' and s.status = 'good' and s.valid_to > portal_now()
    group by s.organisation order by s.organisation collate "pl-x-icu"`)
  return rows.map(({ organisation }) => organisation)
}

export const checkLostPhoneLink = handler(calls.checkLostPhoneLink, async ({ body, orFail }, { db }) => {
  const { accountId, expiresAt } = orFail(await findGoodLink(db, body.token))
  const { length: certificates } = await listSuspendable(db, accountId)
  return { certificates, suspended: await countSuspended(db, accountId), expiresAt }
})

export const suspendAfterLoss = handler(
  calls.suspendAfterLoss,
  async ({ body, cookies, fail, orFail, limit, setCookies, transaction }, portal) => {
    const { accountId } = orFail(await findGoodLink(portal.db, body.token))
    const limitKey: LimitKey = ['lost-phone-document', accountId]
    const [left] = await limit('too-many-attempts', limitKey)
    const known = await readPersonalData(portal.db, portal.keys, accountId)
    if (!fitsDocument(portal.keys, body.documentNumber, known)) {
      await transaction(async (tx, audit) => {
        await audit('lost-phone-document-refused', { left }, accountId)
        if (left) return
        const { email, locale } = await lockAccount(tx, accountId)
        const mail = numbersSpentMail(portal.settings, locale, await countSuspended(tx, accountId))
        await enqueue(tx, portal.keys, { channel: 'mail', to: email, ...mail })
      })
      if (!left) throw fail('too-many-attempts', { retryAfter: numbers.window })
      const isShown = numbers.limit - left >= limits.code.entriesLeftShownFrom
      throw fail('lost-phone-number-wrong', isShown ? { entriesLeft: left } : {})
    }
    const done = await transaction(async (tx, audit) => {
      const { email, locale } = await lockAccount(tx, accountId)
      await endAllSessions(tx, accountId)
      await removeDevices(tx, accountId)
      if (!(await spendLink(tx, body.token, purposes))) {
        orFail(await findGoodLink(tx, body.token))
        throw fail('link-used')
      }
      await voidLinks(tx, [accountId], purposes)
      await audit('lost-phone-confirmed', {}, accountId)
      const requested = await suspendAll(tx, portal, accountId, audit)
      const seals = await listOrganisationsOfSeals(tx, accountId)
      const reported = lossReportedMail(portal.settings, locale, { requested, seals })
      await enqueue(tx, portal.keys, { channel: 'mail', to: email, ...reported })
      const fellows = await listFellowAdministrators(tx, accountId)
      await enqueueBulk(
        tx,
        portal.keys,
        fellows.map((to) => ({
          channel: 'mail',
          to: to.email,
          ...fellowLossMail(portal.settings, to.locale, to.organisations),
        })),
      )
      return { requested, seals }
    }).finally(() => settle(portal.db, portal.keys, { refund: limitKey }))
    // A session of the customer's in this browser has ended too; one of somebody else's goes on (R224).
    const hasEndedSession =
      cookies.token !== undefined && !(await findSession(portal.db, portal.settings, cookies.token, false))
    if (hasEndedSession) setCookies({ token: null })
    return { ...done, hasEndedSession }
  },
)

async function findGoodLink(db: Db, token: string) {
  const link = await findLink(db, token, purposes)
  if (!link) return { refused: 'link-unknown' as const }
  if (link.state === 'good') return link
  return { refused: link.state === 'used' ? ('link-used' as const) : ('link-expired' as const) }
}

async function suspendAll(tx: Tx, portal: Portal, accountId: string, audit: BoundAudit) {
  const { kept, resumptions } = await keepSuspended(tx, accountId)
  for (const details of kept) await audit('suspension-kept', details, accountId)
  for (const details of resumptions) await audit('status-request-replaced', details, accountId)
  const again = resumptions.map(({ signature }) => signature)
  const requested = []
  for (const { id, product, organisation, validTo } of await listSuspendable(tx, accountId, again)) {
    const request = { id: randomUUIDv7(), change: 'suspend', reason: 'phone-lost' } as const
    const row = await addStatusRequest(tx, accountId, { kind: 'signature', id }, request)
    if (!row) continue
    await announceRequest(tx, portal, row, audit)
    requested.push({ product, organisation, validTo, deadline: row.deadline })
  }
  return requested
}

/**
 * Answers a request for the link, from the outbox. The link is sent also while no reset link is (R116): the number of the document is
 * needed in addition, and an owner whose telephone number was changed may want the suspension.
 */
export async function sendLostPhoneLink(portal: Portal, request: LostPhoneRequest): Promise<void> {
  const { keys, settings } = portal
  await portal.db.transaction().execute(async (tx) => {
    const account = await lockNamed(tx, canonicalLogin(request.login))
    const isSent = account && (await chargeLinkMail(tx, keys, 'lost-phone', account.id, request))
    await addAuditEntry(tx, {
      action: 'lost-phone-link-requested',
      accountId: account?.id ?? null,
      actor: 'customer',
      address: request.address,
      details: { sent: Boolean(isSent) },
    })
    if (!account || !isSent) return
    const { id, email, locale } = account
    const known = await readPersonalData(tx, keys, id)
    const seals = await listOrganisationsOfSeals(tx, id)
    const certificates = (await listSuspendable(tx, id)).length + (await countSuspended(tx, id))
    const link = known && certificates ? await makeLink(tx, id, 'lost-phone', { keepsOlder: true }) : undefined
    const mail = lostPhoneMail(settings, locale, { token: link?.token, certificates, hasSeals: seals.length > 0 })
    await enqueue(tx, keys, { channel: 'mail', to: email, ...mail }, link?.expiresAt)
  })
}
