import { randomUUIDv7 } from 'node:crypto'
import { limits } from '../../contract/limits.ts'
import * as calls from '../../contract/lost-phone.ts'
import { findPersonalData, fitsDocument } from '../personal-data/personal-data-store.ts'
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
import { type Db, type Tx } from '../platform/database/database.ts'
import { checkBot } from '../platform/http/bot-check.ts'
import { handler, type BoundAudit } from '../platform/http/http.ts'
import type { LostPhoneRequest } from '../platform/messages/message.ts'
import { enqueue, enqueueBulk } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import { charge, settle, type LimitKey } from '../platform/rate-limits/rate-limits.ts'
import { fellowLossMail, lossReportedMail, lostPhoneMail, numbersSpentMail } from './lost-phone-mails.ts'
import {
  lockAccountByName,
  lockAddressee,
  listSuspendable,
  countSuspended,
  keepSuspended,
  listFellowAdministrators,
  listOrganisationsOfSeals,
} from './lost-phone-store.ts'
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
    const known = await findPersonalData(portal.db, portal.keys, accountId)
    if (!fitsDocument(portal.keys, body.documentNumber, known)) {
      await transaction(async (tx, audit) => {
        await audit('lost-phone-document-refused', { left }, accountId)
        if (left) return
        const { email, locale } = await lockAddressee(tx, accountId)
        const mail = numbersSpentMail(portal.settings, locale, await countSuspended(tx, accountId))
        await enqueue(tx, portal.keys, { channel: 'mail', to: email, ...mail })
      })
      if (!left) throw fail('too-many-attempts', { retryAfter: numbers.window })
      const isShown = numbers.limit - left >= limits.code.entriesLeftShownFrom
      throw fail('lost-phone-number-wrong', isShown ? { entriesLeft: left } : {})
    }
    const done = await transaction(async (tx, audit) => {
      const { email, locale } = await lockAddressee(tx, accountId)
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
    const account = await lockAccountByName(tx, canonicalLogin(request.login))
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
    const known = await findPersonalData(tx, keys, id)
    const seals = await listOrganisationsOfSeals(tx, id)
    const certificates = (await listSuspendable(tx, id)).length + (await countSuspended(tx, id))
    const link = known && certificates ? await makeLink(tx, id, 'lost-phone', { keepsOlder: true }) : undefined
    const mail = lostPhoneMail(settings, locale, { token: link?.token, certificates, hasSeals: seals.length > 0 })
    await enqueue(tx, keys, { channel: 'mail', to: email, ...mail }, link?.expiresAt)
  })
}
