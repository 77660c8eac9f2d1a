import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DeskRole } from '../../contract/desk/desk-permissions.ts'
import { finishDeskSignIn, startDeskSignIn } from '../../contract/desk/desk-session.ts'
import type { Endpoint, Input, Reply } from '../../contract/endpoint.ts'
import type { Problem } from '../../contract/errors.ts'
import { openStaffProvider, staffAcr, staffGroups } from '../../provider/staff-login/staff-provider.ts'
import { staffSignInByOidc, type OidcClient } from '../adapters/staff-sign-in-oidc.ts'
import { buildDesk } from '../desk/desk-app.ts'
import { staffCookie, startStaffSession } from '../platform/authentication/staff-session.ts'
import { requestOf } from './browser.ts'
import { now, patientTimeouts, type TestPortal } from './portal-nodes.ts'
import { freePort } from './processes.ts'

export type TestDesk = Awaited<ReturnType<typeof openDesk>>

/** Opens the desk of a test's portal, with a real OpenID provider that is closed with the portal. */
export async function openDesk(portal: TestPortal, over: Partial<OidcClient> = {}) {
  const origin = `http://127.0.0.1:${await freePort()}`
  const { close, ...client } = await openStaffProvider(origin)
  portal.cleanup.defer(close)
  const signIn = staffSignInByOidc({
    ...client,
    groups: staffGroups,
    acr: [staffAcr],
    redirectUrl: `${origin}/desk/callback`,
    ...over,
  })
  const { host, port, hostname } = new URL(origin)
  const directory = mkdtempSync(join(tmpdir(), 'desk-'))
  portal.cleanup.defer(() => rmSync(directory, { recursive: true }))
  const app = await buildDesk(
    portal.portal,
    signIn,
    {
      publicUrl: origin,
      hosts: [host],
      directory,
      ownerDb: portal.ownerDb,
    },
    { timeouts: patientTimeouts },
  )
  portal.cleanup.defer(() => {
    app.server.closeAllConnections()
    return app.close()
  })
  await app.listen({ port: Number(port), host: hostname })
  return { origin, app, client, directory }
}

type Visit = Omit<RequestInit, 'headers'> & { headers?: Record<string, string | undefined> }

/** A browser as the desk and the provider see it: it keeps the cookies of each origin, and follows no redirect by itself. */
export type StaffBrowser = ReturnType<typeof openStaffBrowser>

export function openStaffBrowser({ origin }: TestDesk) {
  const own = new Map<string, string>()
  const jars = new Map([[origin, own]])

  /** Sends a request as from a page of the desk, unless `init` has other headers; a header that is undefined is left out. */
  async function visit(address: string | URL, init: Visit = {}): Promise<Response> {
    const url = new URL(address, origin)
    const jar = jars.get(url.origin) ?? new Map<string, string>()
    jars.set(url.origin, jar)
    const response = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: Object.entries({
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        'sec-fetch-site': url.origin === origin ? 'same-origin' : 'cross-site',
        ...init.headers,
      }).filter((header): header is [string, string] => header[1] !== undefined),
    })
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';')
      const name = pair.slice(0, pair.indexOf('='))
      if (/Max-Age=0|Expires=Thu, 01 Jan 1970/i.test(set)) jar.delete(name)
      else jar.set(name, pair.slice(name.length + 1))
    }
    return response
  }

  /** Sends what `fill` of calls.ts has made of an endpoint. */
  const send = (
    { method }: Endpoint,
    { path, body }: { path: string; body?: unknown },
    headers: Record<string, string> = {},
  ) =>
    visit(path, {
      method,
      headers: { origin, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })

  async function call<E extends Endpoint>(
    endpoint: E,
    input: Partial<Input<E>> = {},
    headers: Record<string, string> = {},
  ) {
    const response = await send(endpoint, requestOf(endpoint, input), headers)
    const text = await response.text()
    const parsed: unknown = text.startsWith('{') ? JSON.parse(text) : undefined
    return { status: response.status, body: parsed as Reply<E>, problem: parsed as Problem, headers: response.headers }
  }

  return {
    call,
    visit,
    send,
    /** Chooses a person at the provider, where the sign-in leads; returns the address to which the browser is sent back. */
    choose: (address: string, person: string) => choose(visit, { address, origin }, person),
    /** The cookies of the desk, by name. */
    cookies: own,
    async signIn(person: string) {
      const { body } = await call(startDeskSignIn)
      const back = await choose(visit, { address: body.url, origin }, person)
      return call(finishDeskSignIn, { body: { answer: back.search.slice(1) } })
    },
  }
}

async function choose(
  visit: (address: URL, init?: Visit) => Promise<Response>,
  { address, origin }: { address: string; origin: string },
  person: string,
): Promise<URL> {
  let next = new URL(address)
  for (let step = 0; step < 8 && next.origin !== origin; step++) {
    const isChoice = next.pathname.startsWith('/sign-in/')
    const response = await visit(next, isChoice ? { method: 'POST', body: new URLSearchParams({ person }) } : undefined)
    next = new URL(response.headers.get('location') ?? 'missing:', next)
  }
  return next
}

/** Signs in a member of the staff with these roles, without the provider. */
export async function letStaffIn(
  { db }: TestPortal,
  desk: TestDesk,
  { subject, roles, authenticatedAt }: { subject: string; roles: DeskRole[]; authenticatedAt?: Date | null },
): Promise<StaffBrowser> {
  const browser = openStaffBrowser(desk)
  const from = { address: '198.51.100.9', device: { browser: null, system: null } }
  // By default just now, by the portal's clock.
  const at = authenticatedAt === undefined ? await now(db) : authenticatedAt
  const claims = { subject, name: subject, roles, providerSession: null, authenticatedAt: at }
  const { token } = await db.transaction().execute((tx) => startStaffSession(tx, claims, from))
  browser.cookies.set(staffCookie, token)
  return browser
}

export async function signInStaff(desk: TestDesk, person: string): Promise<StaffBrowser> {
  const browser = openStaffBrowser(desk)
  const { status } = await browser.signIn(person)
  if (status !== 200) throw new Error(`${person} could not sign in: ${status}`)
  return browser
}

/** Returns the staff's actions on an account, in order. */
export async function readStaffEntries({ owner }: TestPortal, account: string) {
  const { rows } = await owner.query<{ act: string; details: Record<string, unknown> }>(
    `select act, details from audit where account_id = $1 and actor = 'staff' order by id`,
    [account],
  )
  return rows
}

/** Uncounts what members of the staff did in other tests. */
export const uncountStaff = ({ owner }: TestPortal) => owner.query(`delete from rate_limits where name like 'desk-%'`)
