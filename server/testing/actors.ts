import { signOut } from '../../contract/account.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { clientScopes } from '../../contract/provider/client-keys.ts'
import { blockCustomer } from '../../contract/provider/provider-api.ts'
import { openBrowser, passPassword, type Person, type TestBrowser } from './browser.ts'
import type { TestPortal } from './portal-nodes.ts'
import type { TestProvider } from './provider.ts'
import { addCustomer, signInDirectly } from './samples/ready-customers.ts'
import { giveObjects, type Objects } from './samples/sample-objects.ts'
import { issueClientKey, revokeClientKey } from '../client-keys/client-keys.ts'

/** A caller of the API; `opens` is the access that it has, and undefined for a caller that is always refused. */
export type Actor = { name: string; browser: TestBrowser; key?: string; opens?: Endpoint['access'] }

export type Owner = { person: Person; browser: TestBrowser; objects: Objects }

/** A signed-in customer with one object of every kind. */
export async function makeOwner(portal: TestPortal, provider: TestProvider): Promise<Owner> {
  const person = await addCustomer(portal)
  const browser = await signInDirectly(portal, person)
  return { person, browser, objects: await giveObjects(portal, provider, person, browser) }
}

/** The eight actors of R34. */
export async function makeActors(portal: TestPortal, customer: TestBrowser): Promise<Actor[]> {
  const anonymous = () => openBrowser(portal)
  const guessing = anonymous()
  guessing.cookie = `__Host-sygnet=${'A'.repeat(43)}`
  const { browser: pending } = await passPassword(portal, await addCustomer(portal))
  const signedOut = await signInDirectly(portal, await addCustomer(portal))
  const { cookie } = signedOut
  await signedOut.call(signOut)
  signedOut.cookie = cookie
  const blockedCustomer = await addCustomer(portal)
  const blocked = await signInDirectly(portal, blockedCustomer)
  await anonymous().call(blockCustomer, { params: { customer: blockedCustomer.id } })
  const name = `revoked ${crypto.randomUUID()}`
  const revoked = await issueClientKey(portal.ownerDb, { name, scopes: clientScopes })
  await revokeClientKey(portal.ownerDb, name)
  return [
    { name: 'anonymous', browser: anonymous(), opens: 'open' },
    { name: 'made-up cookie', browser: guessing },
    { name: 'pending', browser: pending, opens: 'pending' },
    { name: 'customer', browser: customer, opens: 'customer' },
    { name: 'signed out', browser: signedOut },
    { name: 'blocked', browser: blocked },
    { name: 'provider', browser: anonymous(), key: portal.clientKey, opens: 'provider' },
    { name: 'revoked key', browser: anonymous(), key: revoked.key },
  ]
}
