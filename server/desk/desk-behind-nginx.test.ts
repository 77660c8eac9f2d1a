import { tmpdir } from 'node:os'
import { once } from 'node:events'
import https from 'node:https'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { has } from '../../pki/testing/peer-programs.ts'
import { openStaffProvider, staffGroups } from '../../provider/staff-login/staff-provider.ts'
import { staffSignInByOidc } from '../adapters/staff-sign-in-oidc.ts'
import { staffCookie, startStaffSession } from '../platform/authentication/staff-session.ts'
import { startNginx } from '../testing/proxies.ts'
import { openPortal } from '../testing/open-portal.ts'
import { buildDesk } from './desk-app.ts'
import { freePort } from '../testing/processes.ts'

const name = 'desk.provider.example'
const portal = await openPortal()

describe.skipIf(!has('nginx') || !has('openssl'))('the desk behind nginx (skipped where it is missing)', () => {
  let nginx: Awaited<ReturnType<typeof startNginx>>
  const start = (node: string, edit: (text: string) => string) => {
    const { host } = new URL(portal.origin)
    return startNginx([host, host], { desk: [node, node], edit })
  }
  let node: string
  beforeAll(async () => {
    ;(portal.portal.settings.hosts as string[]).push('portal.example')
    const { close, ...client } = await openStaffProvider(`https://${name}`)
    portal.cleanup.defer(close)
    const redirectUrl = `https://${name}/desk/callback`
    const signIn = staffSignInByOidc({ ...client, groups: staffGroups, acr: [], redirectUrl })
    const app = await buildDesk(portal.portal, signIn, {
      publicUrl: `https://${name}`,
      hosts: [name],
      directory: tmpdir(),
      ownerDb: portal.ownerDb,
    })
    portal.cleanup.defer(() => app.close())
    const port = await freePort()
    await app.listen({ port, host: '127.0.0.1' })
    node = `127.0.0.1:${port}`
    nginx = await start(node, (content) => content.replace('10.20.0.0/16', '127.0.0.1'))
  })
  afterAll(() => nginx[Symbol.asyncDispose]())

  async function send(method: string, path: string, headers: Record<string, string> = {}, by = nginx) {
    const tls = { ...by.tls, servername: name }
    const options = { method, ...tls, agent: false, headers: { host: name, ...headers } }
    const request = https.request(by.origin + path, options)
    const answered = once(request, 'response')
    request.end()
    const [response] = (await answered) as [IncomingMessage]
    return { status: response.statusCode!, headers: response.headers, body: await text(response) }
  }

  test('DSK-1 R236 the example of the desk serves its pages and calls on the host of the desk, and nothing of the customers', async () => {
    expect((await send('GET', '/desk')).status).toBe(200)
    expect((await send('GET', '/login')).status).toBe(404)
    const from = { address: '198.51.100.9', device: { browser: null, system: null } }
    const claims = { subject: 's', name: 's', roles: ['reader' as const], providerSession: null, authenticatedAt: null }
    const { token } = await portal.db.transaction().execute((tx) => startStaffSession(tx, claims, from))
    const cookie = { cookie: `${staffCookie}=${token}`, 'sec-fetch-site': 'same-origin' }
    expect((await send('GET', '/desk/api/session', cookie)).status).toBe(200)
    expect((await send('POST', '/desk/api/sign-out', { ...cookie, origin: 'https://portal.example' })).status).toBe(403)
    expect((await send('POST', '/desk/api/sign-out', { ...cookie, origin: `https://${name}` })).status).toBe(200)
    expect((await send('GET', '/desk', { host: 'portal.example' })).status).toBe(404)
  })

  test('DSK-1 other networks than those of the example get no answer of a node', async () => {
    expect((await send('POST', '/desk/back-channel-logout')).body).toContain('<!doctype html>')
    await using closed = await start(node, (content) => content)
    const page = await send('GET', '/desk', {}, closed)
    expect([page.status, page.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
    const call = await send('GET', '/desk/api/session', {}, closed)
    expect([call.status, JSON.parse(call.body)]).toEqual([400, expect.objectContaining({ code: 'malformed-request' })])
  })
})
