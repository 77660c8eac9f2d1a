import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { clientScopes } from '../../contract/provider/client-keys.ts'
import { putVoucherCodes } from '../../contract/provider/provider-vouchers.ts'
import { openRenewal, readRenewal, type Renewal } from '../../contract/renewal.ts'
import { portalClient, type PortalClient } from '../../provider/portal-client.ts'
import { hashClientKey } from '../../server/platform/authentication/authenticate.ts'
import type { openPortal } from './open-portal.ts'

/** Opens a client of the provider API of a test portal, with a key for all scopes. */
export async function openProviderClient({
  origin,
  owner,
}: Pick<Awaited<ReturnType<typeof openPortal>>, 'origin' | 'owner'>): Promise<PortalClient & { clientKey: string }> {
  const clientKey = `sygnet_${randomBytes(32).toString('base64url')}`
  await owner.query(`insert into provider_keys (key_hash, name, scopes, per_second) values ($1, 'e2e', $2, 1000)`, [
    hashClientKey(clientKey),
    clientScopes,
  ])
  return { ...portalClient({ url: origin, clientKey }), clientKey }
}

/** Creates a code with which a customer renews a signature. */
export async function createRenewalCode(provider: PortalClient, signature: string): Promise<string> {
  const expiresAt = new Date(Date.now() + 1e9).toISOString()
  const order = { id: crypto.randomUUID(), kind: 'renewal' as const, signature, expiresAt }
  const { codes } = await provider.call(putVoucherCodes, { body: { codes: [order] } })
  return codes[0]!.code
}

/** Calls the portal as a screen does, with the session of the page. */
export const request = <T>(page: Page, path: string, body?: object) =>
  page.evaluate(
    async ([address, json]) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }
      const init = json ? { method: 'POST', headers, body: json } : {}
      const answer = await fetch(address, init)
      if (!answer.ok) throw new Error(await answer.text())
      return (await answer.json()) as unknown
    },
    [path, body && JSON.stringify(body)] as const,
  ) as Promise<T>

export const pathOf = (endpoint: { path: string }, uid: string) => endpoint.path.replace(':uid', uid)
export const readRenewalOf = (page: Page, uid: string) => request<Renewal>(page, pathOf(readRenewal, uid))

/** Opens a renewal of a signature, in its first step, for the customer of the page. */
export const openRenewalOf = async (page: Page, provider: PortalClient, signature: string) =>
  request<Renewal>(page, openRenewal.path, { code: await createRenewalCode(provider, signature) })
