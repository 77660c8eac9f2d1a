import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { downloadSignedAgreement } from '../../contract/provider/provider-renewals.ts'
import { derToPem } from '../../pki/asn1/certificate.ts'
import { has, run, testFolder } from '../../pki/testing/peer-programs.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import {
  agreed,
  openRenewalPortal,
  signed,
  type RenewalPortal,
  type Renewing,
} from '../testing/samples/sample-renewals.ts'
import { openSigning, signBy, type TestSigning } from '../testing/signing.ts'

let setup: RenewalPortal
let signing: TestSigning
beforeAll(async () => {
  setup = await openRenewalPortal()
  signing = await openSigning(setup.provider.authority, setup.keys)
})
afterAll(async () => {
  await signing.close()
  await setup.close()
})

/** An agreement as the provider fetches it, signed by its customer. */
async function signedAgreement() {
  const renewing = await setup.makeRenewable()
  const ready = await agreed(setup, renewing)
  expect((await signed(setup, renewing, ready)).state).toBe('signed')
  const before = await readings(renewing)
  const response = await fetch(setup.portal.origin + downloadSignedAgreement.path.replace(':renewal', ready.uid), {
    headers: { authorization: `Bearer ${setup.portal.clientKey}` },
  })
  // R172: the reading names the customer.
  expect(await readings(renewing)).toEqual([...before, 'renewals/:renewal/signed'])
  return Buffer.from(await response.arrayBuffer())
}

const readings = async ({ person: { login } }: Renewing) =>
  (await auditEntries(setup.portal, { login, action: 'data-read' })).map(({ details }) => details['read'])

/** The newest signature of a PDF that is not a timestamp, as DER, and the bytes that it covers (ISO 32000-2 §12.8.1). */
function newestSignature(pdf: Buffer) {
  const text = pdf.toString('latin1')
  const ranges = text
    .matchAll(/\/ETSI\.CAdES\.detached[^]{0,2000}?\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g)
    .toArray()
  const [from, length, again, rest] = ranges.at(-1)!.slice(1).map(Number) as [number, number, number, number]
  expect(from).toBe(0)
  return {
    cms: Buffer.from(text.slice(length + 1, again - 1), 'hex'),
    covered: Buffer.concat([pdf.subarray(0, length), pdf.subarray(again, again + rest)]),
  }
}

async function verifiedByOpenssl({ cms, covered }: { cms: Buffer; covered: Buffer }) {
  const folder = testFolder()
  const pathOf = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  return run('openssl', [
    'cms',
    '-verify',
    '-cades',
    '-binary',
    '-inform',
    'DER',
    '-in',
    pathOf('signature.der', cms),
    '-content',
    pathOf('covered.bin', covered),
    '-CAfile',
    pathOf('root.pem', derToPem(setup.provider.authority.certificates.root)),
    '-purpose',
    'any',
    '-out',
    join(folder, 'out.bin'),
  ])
}

test.skipIf(!has('openssl')).each([
  ['the signing port', false],
  ['the CSC v2 client over HTTP', true],
])(
  'REN-7 openssl (skipped where it is missing) verifies as CAdES what a customer signed by %s, and no changed bytes',
  async (_, byHttp) => {
    if (byHttp) await signBy(setup.portal, signing, setup.provider)
    const before = { orders: setup.service.orders.length, asked: signing.requests.length }
    const signature = newestSignature(await signedAgreement())
    // The signature was made by the configured service.
    expect(setup.service.orders.length > before.orders).toBe(!byHttp)
    expect(signing.requests.slice(before.asked).filter(({ path }) => path === 'signatures/signHash')).toHaveLength(
      byHttp ? 1 : 0,
    )
    expect(await verifiedByOpenssl(signature)).toEqual({ code: 0, output: expect.stringContaining('successful') })
    const covered = Buffer.from(signature.covered)
    covered[1000]! ^= 1
    const changed = await verifiedByOpenssl({ ...signature, covered })
    expect(changed.code).not.toBe(0)
    expect(changed.output).toContain('verification failure')
  },
)

test.skipIf(!has('pdfsig'))(
  'REN-7 pdfsig (skipped where it is missing) finds the provider’s seal and the customer’s signature valid',
  async () => {
    const path = join(testFolder(), 'agreement.pdf')
    writeFileSync(path, await signedAgreement())
    const { output } = await run('pdfsig', ['-nocert', path])
    // pdfsig lists the archive timestamp after them and does not validate it.
    expect(output.match(/Signature Validation: .*/g)!.slice(0, 2)).toEqual([
      'Signature Validation: Signature is Valid.',
      'Signature Validation: Signature is Valid.',
    ])
    expect(output).toContain('ETSI.CAdES.detached')
  },
)
