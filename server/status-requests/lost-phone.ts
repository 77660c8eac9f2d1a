import { randomUUIDv7 } from 'node:crypto'
import { limits } from '../../contract/limits.ts'
import * as calls from '../../contract/lost-phone.ts'
import { ApiError } from '../platform/api-error.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { canonicalLogin } from '../platform/authentication/canonical-login.ts'
import { deleteDevices } from '../platform/authentication/devices.ts'
import {
  findLink,
  makeLink,
  spendLink,
  voidLinks,
  type LinkPurpose,
  chargeLinkMail,
  sourceOf,
} from '../platform/authentication/links.ts'
import { endAllSessions, findSession } from '../platform/authentication/session.ts'
import { type Db, type Tx } from '../platform/database/database.ts'
import { checkBot } from '../platform/http/bot-check.ts'
import { handler, type BoundAudit } from '../platform/http/http.ts'
import type { LostPhoneRequest } from '../platform/messages/message.ts'
import { enqueue, enqueueBulk } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import { charge, settle, type LimitKey } from '../platform/rate-limits/rate-limits.ts'
import { readPersonalData, fitsDocument } from '../personal-data/personal-data-store.ts'
import { fellowLossMail, lossReportedMail, lostPhoneMail, numbersSpentMail } from './lost-phone-mails.ts'
import {
  countSuspended,
  keepSuspended,
  listFellowAdministrators,
  listOrganisationsOfSeals,
  listSuspendable,
  lockAccount,
  lockNamed,
} from './lost-phone-store.ts'
import { insertRequest } from './status-request-store.ts'
import { announceRequest } from './status-requests.ts'

/** The only links that these calls take (R220). */
const purposes = ['lost-phone'] as const satisfies LinkPurpose[]
const { numbers } = limits.lostPhone

// STP-7: the suspension of all own signatures by a link to the mailbox and the number of the identity document.

export const requestLostPhoneLink = handler(
  calls.requestLostPhoneLink,
  async ({ body, address, device, limit }, portal) => {
    const source = await sourceOf(portal.db, device, address)
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

export const checkLostPhoneLink = handler(calls.checkLostPhoneLink, async ({ body }, { db }) => {
  const { accountId, expiresAt } = await findGoodLink(db, body.token)
  const { length: certificates } = await listSuspendable(db, accountId)
  return { certificates, suspended: await countSuspended(db, accountId), expiresAt }
})

export const suspendAfterLoss = handler(
  calls.suspendAfterLoss,
  async ({ body, token, fail, limit, setToken, transaction }, portal) => {
    const { accountId } = await findGoodLink(portal.db, body.token)
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
      await deleteDevices(tx, accountId)
      if (!(await spendLink(tx, body.token, purposes))) {
        await findGoodLink(tx, body.token)
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
    const sessionEnded = token !== undefined && !(await findSession(portal.db, portal.settings, token, false))
    if (sessionEnded) setToken(null)
    return { ...done, sessionEnded }
  },
)

async function findGoodLink(db: Db, token: string) {
  const link = await findLink(db, token, purposes)
  if (!link) throw new ApiError('link-unknown')
  if (link.state !== 'good') throw new ApiError(link.state === 'used' ? 'link-used' : 'link-expired')
  return link
}

async function suspendAll(tx: Tx, portal: Portal, accountId: string, audit: BoundAudit) {
  const { kept, resumptions } = await keepSuspended(tx, accountId)
  for (const details of kept) await audit('suspension-kept', details, accountId)
  for (const details of resumptions) await audit('status-request-replaced', details, accountId)
  const again = resumptions.map(({ signature }) => signature)
  const requested = []
  for (const { id, product, organisation, validTo } of await listSuspendable(tx, accountId, again)) {
    const request = { id: randomUUIDv7(), change: 'suspend', reason: 'phone-lost' } as const
    const row = await insertRequest(tx, accountId, { kind: 'signature', id }, request)
    if (!row) continue
    await announceRequest(tx, portal, row, audit)
    requested.push({ product, organisation, validTo, deadline: row.deadline })
  }
  return requested
}

/**
 * The outbox's answer to a request for the link. It is sent also while no reset link is (R116): the number of the document is needed in
 * addition, and an owner whose telephone number was changed may want the suspension.
 */
export async function answerLostPhone(portal: Portal, request: LostPhoneRequest): Promise<void> {
  const { keys, settings } = portal
  await portal.db.transaction().execute(async (tx) => {
    const account = await lockNamed(tx, canonicalLogin(request.login))
    const sent = account && (await chargeLinkMail(tx, keys, 'lost-phone', account.id, request))
    await addAuditEntry(tx, {
      action: 'lost-phone-link-requested',
      accountId: account?.id ?? null,
      actor: 'customer',
      address: request.address,
      details: { sent: Boolean(sent) },
    })
    if (!account || !sent) return
    const { id, email, locale } = account
    const known = await readPersonalData(tx, keys, id)
    const seals = await listOrganisationsOfSeals(tx, id)
    const certificates = (await listSuspendable(tx, id)).length + (await countSuspended(tx, id))
    const link = known && certificates ? await makeLink(tx, id, 'lost-phone', { keepsOlder: true }) : undefined
    const mail = lostPhoneMail(settings, locale, { token: link?.token, certificates, hasSeals: seals.length > 0 })
    await enqueue(tx, keys, { channel: 'mail', to: email, ...mail }, link?.expiresAt)
  })
}
