import { expect, test } from 'vitest'
import { fewInTurn } from '../../testing/breadth.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { openCalls } from '../../testing/calls.ts'
import { stateOf } from '../../testing/database-state.ts'
import { requestRaw } from '../../testing/raw-http.ts'

const portal = await openPortal()
const calls = await openCalls(portal)

test('R35 no other spelling of a path gives access that the plain one refuses', async () => {
  const { host } = new URL(portal.origin)
  const spellings = (path: string) => [
    `/${path}`,
    path.replace(/\/(?=[^/]+$)/, '//'),
    path.replace('/', '/./'),
    path.replace('/', '/x/../'),
    path.replace('/', '/%2e/'),
    path.replace(/\/(?=[^/]+$)/, '%2f'),
    path.replace(/\/(?=[^/]+$)/, '%2F'),
    path.replace(/\/(?=[^/]+$)/, '\\'),
    path.replace(/(?<=.)\/(?=[^/]+$)/, ';x/'),
    path.replace('s', '%73'),
    path.replace('i', '%69'),
    `${path}/`,
    `${path};x`,
    `${path}.json`,
    `${path}%00`,
    `${path}%20`,
    `${path}?x=/api/openapi.json`,
    `/api/openapi.json/..${path}`,
    `/api/openapi.json%2f..${path}`,
    `/assets/..${path}`,
    path.toUpperCase(),
    `http://${host}${path}`,
    `http://evil.example${path}`,
  ]
  const spoofs = `X-Original-URL: /api/openapi.json\r\nX-Rewrite-URL: /api/openapi.json\r\nX-Forwarded-User: admin\r\nX-Forwarded-For: 127.0.0.1\r\nX-User-Id: 1\r\n`
  const few = fewInTurn(5)
  const before = await stateOf(portal)
  for (const endpoint of portal.app.endpoints.filter(({ access }) => access === 'customer' || access === 'provider')) {
    const { path } = await calls.fill(endpoint)
    for (const target of few(spellings(path.split('?')[0]!))) {
      const head = `${endpoint.method} ${target} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${portal.origin}\r\nCookie: ${calls.pending.cookie}\r\nConnection: close\r\n`
      const { status, body } = await requestRaw(portal.origin, `${head}${spoofs}\r\n`)
      expect([400, 401, 404, 405, 415, 421], target).toContain(status)
      expect(body, target).not.toContain('"items"')
    }
  }
  expect(await stateOf(portal)).toEqual(before)
})
