import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { derToPem } from '../../pki/asn1/certificate.ts'
import { issuing as otherIssuing } from '../../pki/testing/pades-authorities.ts'
import { openAuthority } from '../../provider/authority/authority.ts'
import { authorityHttp } from '../../provider/authority/authority-http.ts'
import { demonstrationBrand } from '../platform/brand/brand.ts'
import { readConfiguration } from '../platform/configuration/configuration.ts'
import { operatorEnvironment } from '../testing/operator-environment.ts'
import { openSigning } from '../testing/signing.ts'
import { signingChecks } from './signing-checks.ts'

const folder = mkdtempSync(join(tmpdir(), 'sygnet-checks-'))
const brand = join(folder, 'brand.json')
writeFileSync(brand, JSON.stringify(demonstrationBrand))

/** The authority as its certificates name it: OCSP and lists over HTTP. */
const pki = http.createServer().listen(0, '127.0.0.1')
await once(pki, 'listening')
const host = `127.0.0.1:${(pki.address() as AddressInfo).port}`
const authority = await openAuthority({ directory: folder, baseUrl: `http://${host}/pki`, now: () => new Date() })
const app = Fastify()
await app.register(async (scope) => authorityHttp(scope, { authority }), { prefix: '/pki' })
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
  rmSync(folder, { recursive: true })
})

/** The findings with an anchor, by the names of their checks. */
async function findings(anchor: Uint8Array) {
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

test('OPS-17 a timestamp authority that answers something else is named with what to check', async () => {
  signing.tamperBy(() => ({ status: 200, body: 'no token' }))
  expect((await findings(authority.certificates.root))['timestamps']).toBe(
    'failed: HTTP 200 from the timestamp authority, without a usable answer: check TSA_URL.',
  )
  signing.tamperBy()
})
