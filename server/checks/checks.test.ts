import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { derToPem } from '../../pki/asn1/certificate.ts'
import { issuing as otherIssuing } from '../../pki/testing/pades-authorities.ts'
import { listDraft, operator, signedList, stranger } from '../../pki/testing/trusted-list-drafts.ts'
import { serveAuthority } from '../../provider/authority/authority-http.ts'
import { openAuthority } from '../../provider/authority/authority.ts'
import { openStaffProvider, staffAcr, staffGroups } from '../../provider/staff-login/staff-provider.ts'
import { listenOnLoopback } from '../adapters/loopback/loopback-server.ts'
import { demonstrationBrand } from '../platform/brand/brand.ts'
import { readConfiguration, type Configuration } from '../platform/configuration/configuration.ts'
import { folderOfFile } from '../testing/open-portal.ts'
import { operatorEnvironment, freePort } from '../testing/processes.ts'
import { openSigning } from '../testing/signing.ts'
import { runCheck } from './check.ts'
import { deskCheck } from './checks.ts'
import { signingChecks } from './signing-checks.ts'

const folder = folderOfFile()
const brand = join(folder, 'brand.json')
writeFileSync(brand, JSON.stringify(demonstrationBrand))

/** The authority as its certificates name it: OCSP and lists over HTTP. */
const pki = http.createServer().listen(0, '127.0.0.1')
await once(pki, 'listening')
const host = `127.0.0.1:${(pki.address() as AddressInfo).port}`
const authority = await openAuthority({ directory: folder, baseUrl: `http://${host}/pki`, now: () => new Date() })
const app = Fastify()
await app.register(async (scope) => serveAuthority(scope, { authority }), { prefix: '/pki' })
await app.ready()
let isAway = false
pki.on('request', (request, response) => {
  if (isAway) response.writeHead(503).end()
  else app.routing(request, response)
})
const signing = await openSigning(authority)
afterAll(async () => {
  await signing.close()
  await app.close()
  pki.closeAllConnections()
  pki.close()
})

/** Returns the findings with an anchor, by the names of their checks. */
async function findings(anchor: Uint8Array, more: Record<string, string> = {}) {
  const anchors = join(folder, 'anchors.pem')
  writeFileSync(anchors, derToPem(anchor))
  const configuration = readConfiguration({
    ...operatorEnvironment(),
    BRAND_FILE: brand,
    TSA_URL: signing.tsa.url,
    TSA_LOGIN: signing.tsa.login,
    TSA_PASSWORD: signing.tsa.password,
    SIGNATURE_ANCHORS_FILE: anchors,
    REVOCATION_HOSTS: host,
    ...more,
  })
  const found: Record<string, string> = {}
  for (const { name, run } of signingChecks(configuration)) {
    const { status, text } = await run()
    found[name] = `${status}: ${text}`
  }
  return found
}

test('OPS-17 the authorities are asked about the certificate of the timestamp authority; what is missing is a warning with its cause', async () => {
  expect(await findings(authority.certificates.root)).toEqual({
    timestamps: 'ok: The timestamp authority returns a timestamp.',
    'trust anchors': 'ok: No certificate in SIGNATURE_ANCHORS_FILE has expired.',
    revocation: 'ok: OCSP or a revocation list proves the certificate of the timestamp authority.',
  })
  isAway = true
  expect((await findings(authority.certificates.root))['revocation']).toMatch(
    /^warning: HTTP 503 from the authority that vouches for TSA_URL/,
  )
  isAway = false
  expect((await findings(otherIssuing.certificate))['revocation']).toMatch(
    /^warning: The certificate of the timestamp authority leads to no anchor of SIGNATURE_ANCHORS_FILE/,
  )
})

test('OPS-17 CHK-11 the list of lists is fetched and verified, and a country that it does not name is a warning', async () => {
  const time = new Date()
  const list = listDraft(time, {
    type: 'listOfLists',
    territory: 'EU',
    services: [],
    pointers: [{ territory: 'PL', url: 'https://lists.example/pl.xml', certificates: [operator.certificate] }],
  })
  let answer = signedList(list)
  await using lists = await listenOnLoopback((_, response) => response.end(answer))
  const finding = async (countries: string, signer = operator) => {
    const certificates = join(folder, 'lists.pem')
    writeFileSync(certificates, derToPem(signer.certificate))
    const found = await findings(authority.certificates.root, {
      TRUSTED_LISTS_URL: `${lists.url}/lotl.xml`,
      TRUSTED_LISTS_CERTIFICATES_FILE: certificates,
      TRUSTED_LISTS_COUNTRIES: countries,
    })
    return found['trusted lists']
  }
  expect(await finding('pl')).toBe('ok: The list of lists has the number 7 and names 1 countries.')
  expect(await finding('PL, DE')).toBe('warning: The list of lists names no list of DE: check TRUSTED_LISTS_COUNTRIES.')
  expect(await finding('PL', stranger)).toMatch(
    /^failed: The list of lists is signed with another certificate .*TRUSTED_LISTS_CERTIFICATES_FILE\.$/,
  )
  answer = ''
  expect(await finding('PL')).toMatch(/^failed: The list of lists was refused \(not-xml/)
})

test('OPS-17 a timestamp authority that answers something else is named with what to check', async () => {
  signing.tamperBy(() => ({ status: 200, body: 'no token' }))
  expect((await findings(authority.certificates.root))['timestamps']).toBe(
    'failed: HTTP 200 from the timestamp authority, without a usable answer: check TSA_URL.',
  )
  signing.tamperBy()
})

/** Returns the finding of the check of a desk with this provider. */
async function find(issuer: string, acr: string[] = []) {
  const provider = { issuer, clientId: 'sygnet-desk', clientSecret: 'hidden-secret', groups: staffGroups, acr }
  const desk = { port: 3002, host: '127.0.0.1', url: 'https://desk.example', provider }
  const [check] = deskCheck({ desk } as Configuration)
  const { status, text } = await runCheck(check!)
  return `${status}: ${text}`
}

/** Starts a provider that publishes these metadata. */
async function publish(over: (origin: string) => object) {
  let origin = ''
  const server = await listenOnLoopback((_, response) => {
    const endpoints = { authorization_endpoint: `${origin}/auth`, token_endpoint: `${origin}/token` }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ issuer: origin, ...endpoints, jwks_uri: `${origin}/keys`, ...over(origin) }))
  })
  origin = new URL(server.url).origin
  return { origin, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

test('DSK-30 OPS-17 a provider with what the desk needs is ok, and a demonstration has no check', async () => {
  const { issuer, close } = await openStaffProvider('https://desk.example')
  try {
    expect(await find(issuer, [staffAcr])).toBe('ok: The OpenID provider of the desk has what is needed.')
    expect(await find(issuer, ['phr'])).toBe(
      'failed: DESK_ISSUER cannot be used: the OpenID provider has none of the contexts of DESK_ACR.',
    )
  } finally {
    await close()
  }
  await using silent = await publish(() => ({}))
  expect(await find(silent.origin, ['phr'])).toMatch(/^ok: /)
  expect(deskCheck({} as Configuration)).toEqual([])
})

test('DSK-30 OPS-17 what the metadata lack, another issuer, and a provider that does not answer are one sentence each', async () => {
  const cases: [over: (origin: string) => object, text: string][] = [
    [() => ({ response_types_supported: ['id_token'] }), 'has no authorization code flow'],
    [() => ({ code_challenge_methods_supported: ['plain'] }), 'has no PKCE with S256'],
    [() => ({ token_endpoint_auth_methods_supported: ['none'] }), 'takes no client_secret_basic'],
    [() => ({ issuer: 'https://other.example' }), 'calls itself https://other.example'],
  ]
  for (const [over, text] of cases) {
    await using server = await publish(over)
    expect(await find(server.origin)).toBe(`failed: DESK_ISSUER cannot be used: the OpenID provider ${text}.`)
  }
  await using refusing = await listenOnLoopback((_request, response) => response.writeHead(404).end())
  expect(await find(refusing.url)).toBe(
    'failed: HTTP 404 from the OpenID provider, without a usable answer: check DESK_ISSUER.',
  )
  expect(await find(`http://127.0.0.1:${await freePort()}`)).toMatch(
    /^failed: No connection to the OpenID provider \(ECONNREFUSED\): check DESK_ISSUER/,
  )
})
