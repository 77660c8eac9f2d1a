import { putCustomer } from '../../contract/provider-api.ts'
import { finishSignIn } from '../account/sign-in-finish.ts'
import { deviceCookie } from '../devices.ts'
import { sessionCookie, startByPasskey } from '../session.ts'
import { goodPassword, openBrowser, type Person, type TestBrowser } from './browser.ts'
import { somebody, type TestPortal } from './portal-nodes.ts'

/** Customers for tests that are about something else than their way in: no link, no password form and no code cost them time. */

/** The hash of the password that they all have, under the pepper of each portal. */
const hashes = new WeakMap<TestPortal['portal']['hasher'], Promise<string>>()

/** A customer put by the provider, who has a password; the invitation's mail is due. */
export async function addCustomer(portal: TestPortal, over: Parameters<typeof somebody>[0] = {}): Promise<Person> {
  const { hasher } = portal.portal
  const person = somebody(over)
  const id = `c-${crypto.randomUUID()}`
  const { status, problem } = await openBrowser(portal).call(putCustomer, { params: { customer: id }, body: person })
  if (status >= 300) throw new Error(`The customer was not taken: ${JSON.stringify(problem)}`)
  const hash = hashes.get(hasher) ?? hasher.hash(goodPassword)
  hashes.set(hasher, hash)
  await portal.owner.query('update accounts set password_hash = $2 where provider_id = $1', [id, await hash])
  return { ...person, id, password: goodPassword }
}

/** Signs a customer in by what either second factor ends in. */
export async function letIn(
  portal: TestPortal,
  { id }: Pick<Person, 'id'>,
  browser = openBrowser(portal),
): Promise<TestBrowser> {
  const { db, settings } = portal.portal
  const { rows } = await portal.owner.query<{ id: string }>('select id from accounts where provider_id = $1', [id])
  const address = '198.51.100.7'
  await db.transaction().execute(async (tx) => {
    const session = await startByPasskey(tx, settings, rows[0]!.id, {
      address,
      device: { browser: null, system: null },
    })
    const caller = {
      session: session!,
      address,
      userAgent: '',
      device: browser.device?.split('=')[1],
      setToken: (token: string | null) => void (browser.cookie = `${sessionCookie}=${token}`),
      setDevice: (token: string) => void (browser.device = `${deviceCookie}=${token}`),
    }
    await finishSignIn(tx, settings, caller, 'sms', async () => true)
  })
  return browser
}
