import type { ConsentKind } from '../../contract/consents.ts'
import { parseDevice } from '../../contract/device.ts'
import type { Body } from '../../contract/endpoint.ts'
import type { Locale } from '../../contract/enums.ts'
import * as passwordLinkCalls from '../../contract/password-link.ts'
import * as passwordsCalls from '../../contract/passwords.ts'
import { currentWordings, addWordings, listMissingConsents, addConsents } from '../personal-data/consent-store.ts'
import { canonicalLogin } from '../platform/authentication/canonical-login.ts'
import { removeDevices, rememberDevice } from '../platform/authentication/devices.ts'
import {
  findLink,
  passwordPurposes,
  spendLink,
  voidLinks,
  type LinkPurpose,
  findSource,
} from '../platform/authentication/links.ts'
import { hasPasskeys } from '../platform/authentication/passkey-challenges.ts'
import { endAllSessions, startPendingSession } from '../platform/authentication/session.ts'
import { readDatabaseTime, type Tx } from '../platform/database/database.ts'
import { checkBot } from '../platform/http/bot-check.ts'
import { handler } from '../platform/http/http.ts'
import { renderMail } from '../platform/messages/mail-template.ts'
import { maskEmail } from '../platform/messages/masks.ts'
import type { LinkRequest } from '../platform/messages/message.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import { networkOf } from '../platform/observability/network.ts'
import type { Portal } from '../platform/portal.ts'
import { charge, settle } from '../platform/rate-limits/rate-limits.ts'
import type { Settings } from '../platform/settings.ts'
import { confirmRegistration } from '../registration/registrations.ts'
import { findAccountById, replacePassword, type Account } from './account-store.ts'
import { isGuessable } from './guessable-password.ts'
import { describeInvited } from './invited-customer.ts'
import { clearAttempts } from './sign-in-attempts.ts'
import { usesPasskeys } from './step-up-calls.ts'

/** Notifies the owner that the password was changed, so that a thief cannot change it unnoticed. */
function passwordChangedMail(settings: Settings, locale: Locale, keepsPasskeys: boolean) {
  const text = {
    pl: {
      subject: 'hasło zostało zmienione',
      paragraphs: [
        'Hasło do Twojego konta zostało zmienione. Wylogowaliśmy Cię ze wszystkich urządzeń.',
        ...(keepsPasskeys
          ? [
              'Klucze dostępu działają nadal, także bez hasła. Sprawdź na stronie Bezpieczeństwo, czy wszystkie są Twoje.',
            ]
          : []),
        `Jeśli to nie Ty, zadzwoń od razu: ${settings.brand.phone}.`,
      ],
    },
    en: {
      subject: 'your password was changed',
      paragraphs: [
        'The password for your account was changed, and you were signed out everywhere.',
        ...(keepsPasskeys
          ? ['Your passkeys still work, even without the password. Check on the Security page that they’re all yours.']
          : []),
        `If this wasn’t you, call us right away: ${settings.brand.phone}.`,
      ],
    },
  }[locale]
  return renderMail(locale, settings.brand, text)
}

export const requestPasswordReset = handler(
  passwordsCalls.requestPasswordReset,
  async ({ body, address, cookies, limit }, portal) => {
    const source = await findSource(portal.db, cookies.device, address)
    await limit('too-many-attempts', ['reset-address', source.key])
    await checkBot(portal, body.botProof, 'password-reset', address)
    // Only the outbox checks whether the account exists, so neither the answer nor its time reveals it (PWD-1, R14, R15).
    await requestLink(portal, { email: body.email, address }, source)
  },
)

/** Requests a link, which the outbox sends unless the account's rate limit is reached; the answer does not depend on that. */
async function requestLink(
  { db, keys }: Portal,
  request: Pick<LinkRequest, 'email' | 'address' | 'registration'>,
  { key, knownTo }: Awaited<ReturnType<typeof findSource>>,
) {
  const { ok: wanted } = await charge(db, keys, ['reset-account', canonicalLogin(request.email), key])
  await db.transaction().execute((tx) => enqueue(tx, keys, { channel: 'password-link', ...request, wanted, knownTo }))
}

/** Finds a link and its account. Between the two reads another link of the e-mail address may end a registration, and this link with it. */
async function findLinkAndAccount({ db }: Portal, token: string) {
  const link = await findLink(db, token, passwordPurposes)
  const account = link && (await findAccountById(db, link.accountId))
  return link && account && { link, account }
}

export const sendLinkAgain = handler(
  passwordLinkCalls.sendLinkAgain,
  async ({ body, address, cookies, fail, limit }, portal) => {
    const source = await findSource(portal.db, cookies.device, address)
    await limit('too-many-attempts', ['reset-address', source.key])
    const known = await findLinkAndAccount(portal, body.token)
    if (!known) throw fail('link-unknown')
    // To the account's present address: the holder of an old mail gets neither the link nor the address (R11).
    const { id, email, unconfirmed } = known.account
    await requestLink(portal, { email, address, registration: unconfirmed ? id : undefined }, source)
    return { to: maskEmail(email) }
  },
)

export const checkPasswordLink = handler(passwordLinkCalls.checkPasswordLink, async ({ body, fail }, portal) => {
  const known = await findLinkAndAccount(portal, body.token)
  if (!known) throw fail('link-unknown')
  const { link, account } = known
  if (link.state !== 'good') throw fail(link.state === 'used' ? 'link-used' : 'link-expired')
  const { purpose, expiresAt } = link
  const invited = purpose === 'set-up' ? await describeInvited(portal, account) : null
  const confirmsPhone = !account.phoneConfirmed
  const required = await listRequiredConsents(portal, link)
  return { purpose, login: account.login, expiresAt, confirmsPhone, invited, required }
})

export const setPassword = handler(
  passwordLinkCalls.setPassword,
  async ({ body, address, cookies, fail, transaction, ...call }, portal) => {
    const known = await findLinkAndAccount(portal, body.token)
    if (!known) throw fail('link-unknown')
    const { link, account } = known
    if (link.state !== 'good') throw fail(link.state === 'used' ? 'link-used' : 'link-expired')
    const { newPassword } = body.password
    if (isGuessable(newPassword, account, portal.settings.brand.product))
      throw fail('invalid-input', { fields: [{ name: 'password.newPassword', problem: 'password-guessable' }] })
    const accepted = body.accepted ? acceptedWordings(portal, body.accepted) : []
    if (!accepted) throw fail('wording-changed')
    const required = await listRequiredConsents(portal, link)
    const missing = required.filter((wanted) => accepted.every(({ kind }) => kind !== wanted))
    if (missing.length)
      throw fail('invalid-input', {
        fields: missing.map((kind) => ({ name: `accepted.${kind}`, problem: `${kind}-required` as const })),
      })
    const hash = await hashUnused(portal, account, newPassword)
    if (!hash) throw fail('password-used-before')
    const result = await transaction(async (tx, audit) => {
      if (!(await putPassword(tx, portal, account, { hash, address, linkToken: body.token }))) throw fail('link-used')
      const asked = accepted.filter(({ kind }) => required.some((wanted) => wanted === kind))
      if (asked.length) {
        await addWordings(tx, asked)
        await addConsents(tx, account.id, await readDatabaseTime(tx), asked)
      }
      for (const { kind, version, sha256 } of asked)
        await audit('consent-given', { kind, version, wording: sha256 }, account.id)
      await audit('password-set', { by: link.purpose, unblocked: account.blockedFor !== null }, account.id)
      // A request that led to a new password does not count towards the limit.
      await settle(tx, portal.keys, { refund: ['reset-address', networkOf(address)] })
      const remembered = await rememberDevice(tx, cookies.device, account.id)
      if (account.phoneConfirmed) return { token: null, remembered }
      // The number is confirmed next, without typing the password again (REG-6).
      const own = { id: account.id, passwordHash: hash }
      const pending = await startPendingSession(tx, own, {
        address,
        device: parseDevice(call.userAgent),
        isKnown: true,
      })
      return { token: pending?.token ?? null, remembered }
    })
    call.setCookies({ token: result.token, device: result.remembered })
  },
)

export const changePassword = handler(
  passwordsCalls.changePassword,
  async ({ body, session, address, cookies, fail, limit, transaction, ...call }, portal) => {
    const account = await findAccountById(portal.db, session.accountId)
    if (!account) throw fail('current-password-wrong')
    await limit('too-many-attempts', ['current-password', account.id])
    const isRight = await portal.hasher
      .verify(account.passwordHash, body.currentPassword)
      .catch(async (error: unknown) => {
        await settle(portal.db, portal.keys, { refund: ['current-password', account.id] })
        throw error
      })
    if (!isRight) throw fail('current-password-wrong')
    await settle(portal.db, portal.keys, { clear: ['current-password', account.id] })
    if (isGuessable(body.newPassword, account, portal.settings.brand.product))
      throw fail('invalid-input', { fields: [{ name: 'newPassword', problem: 'password-guessable' }] })
    const hash = await hashUnused(portal, account, body.newPassword)
    if (!hash) throw fail('password-used-before')
    const remembered = await transaction(async (tx, audit) => {
      if (!(await putPassword(tx, portal, account, { hash, address }))) throw fail('current-password-wrong')
      await audit('password-changed', {}, account.id)
      return rememberDevice(tx, cookies.device, account.id)
    })
    call.setCookies({ token: null, device: remembered })
  },
)

/** Returns the documents to be accepted with the password of a link (REG-8). */
const listRequiredConsents = async (
  { db }: Portal,
  { purpose, accountId }: { purpose: LinkPurpose; accountId: string },
) => (purpose === 'set-up' ? listMissingConsents(db, accountId) : [])

/** Returns the current wordings that a customer has accepted; undefined if one of them was another wording. */
function acceptedWordings(
  { settings }: Portal,
  { locale, ...hashes }: Body<typeof passwordLinkCalls.setPassword>['accepted'] & {},
) {
  const shown: { [kind in ConsentKind]?: string | undefined } = hashes
  const accepted = currentWordings(settings.brand, locale).filter(({ kind }) => shown[kind] !== undefined)
  return accepted.every(({ kind, sha256 }) => shown[kind] === sha256) ? accepted : undefined
}

/** Hashes a password; undefined for the current password and the remembered ones (PWD-5). */
async function hashUnused(portal: Portal, account: Account, password: string): Promise<string | undefined> {
  for (const earlier of [account.passwordHash, ...account.earlierHashes])
    if (earlier && (await portal.hasher.verify(earlier, password))) return undefined
  return portal.hasher.hash(password)
}

/**
 * Sets a password and ends everything that the old one opened, in one transaction (R9, R11). False, and to be rolled back, when another
 * request was first. Rows are locked in the same order everywhere: account, sessions, rate limits, links.
 */
async function putPassword(
  tx: Tx,
  portal: Portal,
  account: Account,
  { hash, address, linkToken }: { hash: string; address: string; linkToken?: string },
) {
  if (account.unconfirmed && !(await confirmRegistration(tx, account))) return false
  if (!(await replacePassword(tx, account, hash))) return false
  await endAllSessions(tx, account.id)
  await removeDevices(tx, account.id)
  await clearAttempts(tx, portal.keys, account, address)
  if (linkToken !== undefined && !(await spendLink(tx, linkToken, passwordPurposes))) return false
  await voidLinks(tx, [account.id])
  const keepsPasskeys = usesPasskeys(portal) && (await hasPasskeys(tx, account.id))
  const mail = passwordChangedMail(portal.settings, account.locale, keepsPasskeys)
  await enqueue(tx, portal.keys, { channel: 'mail', to: account.email, ...mail })
  return true
}
