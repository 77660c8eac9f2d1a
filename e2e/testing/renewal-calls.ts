import type { Page } from 'playwright-core'
import { openRenewal, readRenewal, type Renewal } from '../../contract/renewal.ts'
import type { PortalClient } from '../../provider/portal-client.ts'
import { createRenewalCode } from './provider-client.ts'

/** A call as a screen makes it, with the session of the page. */
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
export const renewalOf = (page: Page, uid: string) => request<Renewal>(page, pathOf(readRenewal, uid))

/** Opens a renewal of a signature, in its first step, for the customer of the page. */
export const openRenewalOf = async (page: Page, provider: PortalClient, signature: string) =>
  request<Renewal>(page, openRenewal.path, { code: await createRenewalCode(provider, signature) })
