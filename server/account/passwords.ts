import type { FastifyInstance } from 'fastify'
import { changePassword, requestPasswordReset } from '../../contract/account.ts'
import { deviceOf } from '../../contract/device.ts'
import { checkPasswordLink, sendLinkAgain, setPassword } from '../../contract/password-link.ts'
import { limits } from '../../contract/limits.ts'
import { record } from '../audit.ts'
import { checkBot } from '../bot-check.ts'
import { clear, refund, spend, type Budget } from '../budgets.ts'
import { canonicalLogin } from '../canonical.ts'
import type { Tx } from '../db.ts'
import { forgetDevices, ownerOfDevice, rememberDevice } from '../devices.ts'
import { Failed } from '../failure.ts'
import { serve } from '../http.ts'
import { findLink, spendLink, voidLinks } from '../links.ts'
import { maskEmail } from '../masks.ts'
import { networkOf } from '../network.ts'
import { enqueue } from '../outbox.ts'
import { hasPasskeys } from '../passkey-challenges.ts'
import type { Portal } from '../portal.ts'
import { confirmRegistration } from '../registrations.ts'
import { endAllSessions, startPending } from '../session.ts'
import { passwordChangedMail } from './account-mails.ts'
import { getAccount, replacePassword, type Account } from './account-queries.ts'
import { isGuessable } from './guessable-password.ts'
import { describeInvited } from './invited-customer.ts'
import { forgetTries } from './sign-in-tries.ts'

const resetsPerAccount: Budget = { name: 'reset-account', ...limits.reset.perAccount }
const resetsPerAddress: Budget = { name: 'reset-address', ...limits.reset.perAddress }
/** Guessing the current password inside a session is guessing all the same (R16). */
const currentPassword: Budget = { name: 'current-password', ...limits.signIn.pause, locks: true }

export function servePasswords(app: FastifyInstance, portal: Portal): void {
  const { db, keys, settings } = portal

  serve(app, portal, requestPasswordReset, async ({ body, address, device, fail }) => {
    const from = await placeOf(device, address)
    const perAddress = await spend(db, keys, resetsPerAddress, from.place)
    if (!perAddress.ok) throw fail('too-many-attempts', { retryAfter: perAddress.retryAfter })
    await checkBot(portal, body.botProof, 'password-reset', address)
    // Nothing here looks whether the account exists: that is left to the outbox, so neither answer nor time tells (PWD-1, R14, R15).
    await askForLink(body.email, address, from)
  })

  /** By what requests are counted: a device that is known to somebody, or else its network (R119). */
  async function placeOf(device: string | undefined, address: string) {
    const known = await ownerOfDevice(db, device)
    return { place: known?.device ?? networkOf(address), knownTo: known?.accountId }
  }

  /** The outbox sends it, if the account has not had its share; what is answered does not depend on that. */
  async function askForLink(
    email: string,
    address: string,
    { place, knownTo }: Awaited<ReturnType<typeof placeOf>>,
    registration?: string,
  ) {
    const { ok: wanted } = await spend(db, keys, resetsPerAccount, canonicalLogin(email), place)
    await db
      .transaction()
      .execute((tx) => enqueue(tx, keys, { channel: 'password-link', email, address, wanted, knownTo, registration }))
  }

  /** A link and whose it is. Another link of the e-mail may end a registration, this one with it, between the two looks. */
  async function openLink(token: string) {
    const link = await findLink(db, token)
    const account = link && (await getAccount(db, link.accountId))
    if (!link || !account) throw new Failed('link-unknown')
    return { link, account }
  }

  serve(app, portal, sendLinkAgain, async ({ body, address, device, fail }) => {
    const from = await placeOf(device, address)
    const perAddress = await spend(db, keys, resetsPerAddress, from.place)
    if (!perAddress.ok) throw fail('too-many-attempts', { retryAfter: perAddress.retryAfter })
    // To where the account's mail goes now: who only holds an old mail learns neither link nor address (R11).
    const { id, email, unconfirmed } = (await openLink(body.token)).account
    await askForLink(email, address, from, unconfirmed ? id : undefined)
    return { to: maskEmail(email) }
  })

  serve(app, portal, checkPasswordLink, async ({ body, fail }) => {
    const { link, account } = await openLink(body.token)
    if (link.state !== 'good') throw fail(link.state === 'used' ? 'link-used' : 'link-expired')
    const { purpose, expiresAt } = link
    const invited = purpose === 'set-up' ? await describeInvited(portal, account) : null
    const confirmsPhone = !account.phoneConfirmed
    return { purpose, login: account.login, expiresAt: expiresAt.toISOString(), confirmsPhone, invited }
  })

  serve(app, portal, setPassword, async ({ body, address, userAgent, device, fail, setToken, setDevice }) => {
    const { link, account } = await openLink(body.token)
    if (link.state !== 'good') throw fail(link.state === 'used' ? 'link-used' : 'link-expired')
    const hash = await newHash(account, body.password.newPassword, 'password.newPassword')
    const { token, known } = await db.transaction().execute(async (tx) => {
      if (!(await putPassword(tx, account, hash, address, body.token))) throw fail('link-used')
      await record(tx, {
        act: 'password-set',
        accountId: account.id,
        actor: 'customer',
        address,
        details: { by: link.purpose, unblocked: account.blockedFor !== null },
      })
      // A request that ended in a new password was none of a flood's.
      await refund(tx, keys, [resetsPerAddress, networkOf(address)])
      const remembered = await rememberDevice(tx, device, account.id)
      if (account.phoneConfirmed) return { token: null, known: remembered }
      // The number is confirmed next, without typing the password again (REG-6).
      const own = { id: account.id, passwordHash: hash }
      const pending = await startPending(tx, own, { address, device: deviceOf(userAgent), known: true })
      return { token: pending?.token ?? null, known: remembered }
    })
    setToken(token)
    setDevice(known)
  })

  serve(app, portal, changePassword, async ({ body, session, address, device, fail, setToken, setDevice }) => {
    const account = (await getAccount(db, session.accountId))!
    const paid = await spend(db, keys, currentPassword, account.id)
    if (!paid.ok) throw fail('too-many-attempts', { retryAfter: paid.retryAfter })
    const right = await portal.hasher
      .verify(account.passwordHash, body.currentPassword)
      .catch(async (error: unknown) => {
        await refund(db, keys, [currentPassword, account.id])
        throw error
      })
    if (!right) throw fail('current-password-wrong')
    await clear(db, keys, [currentPassword, account.id])
    const hash = await newHash(account, body.newPassword, 'newPassword')
    const known = await db.transaction().execute(async (tx) => {
      if (!(await putPassword(tx, account, hash, address))) throw fail('current-password-wrong')
      await record(tx, { act: 'password-changed', accountId: account.id, actor: 'customer', address })
      return rememberDevice(tx, device, account.id)
    })
    setToken(null)
    setDevice(known)
  })

  /** Refuses what is easily guessed, at the field named (PWD-6), and the current password and the remembered ones (PWD-5). */
  async function newHash(account: Account, password: string, name: string) {
    if (isGuessable(password, account, settings.brand.product))
      throw new Failed('invalid-input', { fields: [{ name, problem: 'password-guessable' }] })
    for (const earlier of [account.passwordHash, ...account.earlierHashes])
      if (earlier && (await portal.hasher.verify(earlier, password))) throw new Failed('password-used-before')
    return portal.hasher.hash(password)
  }

  /**
   * A new password ends everything that the old one opened, in one transaction (R9, R11): false, and to be rolled back,
   * when another request was first. Rows are locked in the order of every act: account, sessions, budgets, links.
   */
  async function putPassword(
    tx: Tx,
    account: Account,
    hash: string,
    address: string,
    linkToken?: string,
  ): Promise<boolean> {
    if (account.unconfirmed && !(await confirmRegistration(tx, account))) return false
    if (!(await replacePassword(tx, account, hash))) return false
    await endAllSessions(tx, account.id)
    await forgetDevices(tx, account.id)
    await forgetTries(tx, keys, account, address)
    if (linkToken !== undefined && !(await spendLink(tx, linkToken))) return false
    await voidLinks(tx, account.id)
    const mail = passwordChangedMail(settings, account.locale, await hasPasskeys(tx, account.id))
    await enqueue(tx, keys, { channel: 'mail', to: account.email, ...mail })
    return true
  }
}
