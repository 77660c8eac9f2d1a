import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { issuedFile } from './pades-issued.ts'
import { pemToDer } from '../asn1/certificate.ts'
import { validatePdf } from './pades-validate.ts'
import { decryptPdf } from '../pdf/pdf-rewrite.ts'
import { problemsOf } from '../testing/signed-contract.ts'

/** Changed documents with their verdicts, signed with keys of tests. */
const folder = `${import.meta.dirname}/../samples/changed/`

type Sample = {
  name: string
  expected: 'accept' | 'pending' | 'accept-or-pending' | 'reject' | 'reject-or-pending' | 'accept-or-reject'
  issued?: string
  password?: string
  received?: string
}
const { files: samples } = JSON.parse(readFileSync(`${folder}manifest.json`, 'utf8')) as { files: Sample[] }

/** Samples about messages and persons, which other tests cover. */
const ofCertificates = new Set([
  'n120-attrs-not-der-order.pdf',
  'n153-plain-digits-foreign.pdf',
  'n216-attribute-certificate.pdf',
])

const taken: Record<Sample['expected'], string[]> = {
  accept: ['accepted'],
  pending: ['pending'],
  'accept-or-pending': ['accepted', 'pending'],
  reject: ['refused'],
  'reject-or-pending': ['refused', 'pending'],
  'accept-or-reject': ['accepted', 'refused', 'pending'],
}

const bytesOfFile = (name: string) => new Uint8Array(readFileSync(`${folder}${name}`))

async function reportOn({ name, issued = '00-issued.pdf', password, received = '2026-11-21T12:00:00Z' }: Sample) {
  const file = bytesOfFile(issued)
  const plain = password === undefined ? [] : [decryptPdf(file, { password })]
  const [certificate] = pemToDer(readFileSync(`${folder}root.pem`, 'utf8'))
  return validatePdf(bytesOfFile(name), {
    anchors: [{ certificate: certificate! }],
    receivedAt: new Date(received),
    ...(password !== undefined && { password }),
    issued: [file, ...plain].map(issuedFile),
    signer: { identifier: 'PNOPL-90010112345' },
    revocation: 'required',
    signingCertificate: 'v2',
    qualified: true,
  })
}

test('R98 R99 R100 of the changed documents none is accepted, and the good ones are', async () => {
  expect(samples.length).toBeGreaterThanOrEqual(15)
  for (const sample of samples.filter(({ name }) => !ofCertificates.has(name))) {
    const report = await reportOn(sample)
    const { verdict } = report
    const found = problemsOf(report).map(({ code, detail }) => `${code}: ${detail}`)
    expect({ name: sample.name, isExpected: taken[sample.expected].includes(verdict), verdict, found }).toMatchObject({
      isExpected: true,
    })
  }
})
