import {
  putTimestampAccount,
  putTimestampPackage,
  type ProviderTimestampAccount,
  type ProviderTimestampPackage,
} from '../../../contract/provider/provider-timestamps.ts'
import { bodyOf, openBrowser } from '../browser.ts'
import { readPortalId } from '../database-state.ts'
import type { TestPortal } from '../portal-nodes.ts'

export const sampleTimestampAccount = (
  customer: string,
  over: Partial<ProviderTimestampAccount> = {},
): ProviderTimestampAccount => ({
  customer,
  login: 'tsa-01',
  authentication: 'basic',
  serverUrl: 'https://tsa.example/rfc3161',
  status: 'active',
  ...over,
})

/** Returns a one-time package of a hundred timestamps, without an end. */
export const sampleTimestampPackage = (
  account: string,
  over: Partial<ProviderTimestampPackage> = {},
): ProviderTimestampPackage => ({
  account,
  kind: 'one-time',
  status: 'active',
  size: 100,
  refillDay: null,
  startsAt: '2026-01-01T00:00:00.000Z',
  endsAt: null,
  spent: 0,
  countedFrom: null,
  ...over,
})

/** Puts an account of a customer's; answers with the provider's id and the one under which the customer sees it. */
export async function giveTimestampAccount(
  portal: TestPortal,
  customer: string,
  over: Partial<ProviderTimestampAccount> = {},
) {
  const account = `t-${crypto.randomUUID()}`
  const body = sampleTimestampAccount(customer, over)
  bodyOf(await openBrowser(portal).call(putTimestampAccount, { params: { account }, body }))
  const id = await readPortalId(portal, 'timestamp_accounts', account)
  return { id, account }
}

/** Puts a package, new or known; answers with the provider's id of it. */
export async function giveTimestampPackage(
  portal: TestPortal,
  account: string,
  over: Partial<ProviderTimestampPackage> = {},
  name = `p-${crypto.randomUUID()}`,
) {
  const body = sampleTimestampPackage(account, over)
  bodyOf(await openBrowser(portal).call(putTimestampPackage, { params: { package: name }, body }))
  return name
}

/** Gives a customer a timestamp account with a package; returns the ids under the names that the tests of access use. */
export async function giveTimestamps(portal: TestPortal, customer: string) {
  const { id, account } = await giveTimestampAccount(portal, customer)
  return {
    timestampAccount: id,
    providerTimestampAccount: account,
    providerTimestampPackage: await giveTimestampPackage(portal, account),
  }
}
