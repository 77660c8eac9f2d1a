import type { AuditAction } from '../../../contract/audit-actions.ts'
import { finishSignIn } from '../../account/sign-in-finish.ts'
import { addAuditEntry } from '../../platform/audit/audit.ts'
import { deviceCookie } from '../../platform/authentication/devices.ts'
import { sessionCookie, startPasskeySession } from '../../platform/authentication/session.ts'
import { readCookies, type Cookies } from '../../platform/http/cookies.ts'
import { openBrowser, type TestBrowser } from '../browser.ts'
import { findAccountId } from '../database-state.ts'
import { samplePerson, type TestPortal } from '../portal-nodes.ts'
import { goodPassword, putPerson, type Person } from '../test-customers.ts'

// Customers for tests that are not about the sign-in: without link, password form and code, which take time.

/** The hash of their common password, with the pepper of each portal. */
const hashes = new WeakMap<TestPortal['portal']['hasher'], Promise<string>>()

/** Creates a customer as the provider, with a password; the invitation mail is due. */
export async function addCustomer(portal: TestPortal, over: Parameters<typeof samplePerson>[0] = {}): Promise<Person> {
  const { hasher } = portal.portal
  const person = samplePerson(over)
  const id = `c-${crypto.randomUUID()}`
  const { status, problem } = await putPerson(portal, person, id)
  if (status >= 300) throw new Error(`The customer was not taken: ${JSON.stringify(problem)}`)
  const hash = hashes.get(hasher) ?? hasher.hash(goodPassword)
  hashes.set(hasher, hash)
  await portal.owner.query('update accounts set password_hash = $2 where provider_id = $1', [id, await hash])
  return { ...person, id, password: goodPassword }
}

/** Creates a customer as `addCustomer` does, and returns the id of the account too. */
export async function addAccount(portal: TestPortal, over: Parameters<typeof samplePerson>[0] = {}) {
  const person = await addCustomer(portal, over)
  return { person, account: await findAccountId(portal, person) }
}

/** Signs a customer in directly, by the last step of a sign-in. */
export async function signInDirectly(
  portal: TestPortal,
  { id }: Pick<Person, 'id'>,
  browser = openBrowser(portal),
): Promise<TestBrowser> {
  const { db, settings } = portal.portal
  const { rows } = await portal.owner.query<{ id: string }>('select id from accounts where provider_id = $1', [id])
  const address = '198.51.100.7'
  await db.transaction().execute(async (tx) => {
    const session = await startPasskeySession(tx, settings, rows[0]!.id, {
      address,
      device: { browser: null, system: null },
    })
    const caller = {
      session: session!,
      address,
      userAgent: '',
      cookies: readCookies({ [deviceCookie]: browser.device?.split('=')[1] }),
      setCookies: ({ token, device }: Cookies) => {
        browser.cookie = `${sessionCookie}=${token}`
        browser.device = `${deviceCookie}=${device}`
      },
      audit: (action: AuditAction, details = {}, accountId: string | null = null) =>
        addAuditEntry(tx, { action, accountId, actor: 'customer', address, details }),
    }
    await finishSignIn(tx, settings, { ...caller, factor: 'sms' }, async () => true)
  })
  return browser
}
