import { afterAll, expect, test } from 'vitest'
import type { UploadReport } from '../../contract/document-report.ts'
import { encryptPdf } from '../../pki/pdf/pdf-rewrite.ts'
import { contract, fileOf, root, signPdf } from '../../pki/testing/pades-authorities.ts'
import { coverableContract, signedOverThePrice } from '../../pki/testing/visible-signature.ts'
import type { Configuration } from '../platform/configuration/configuration.ts'
import { openPdfWork } from '../platform/pdf/pdf-work.ts'
import type { Verification, VerificationPort } from '../platform/ports.ts'
import { openVerification } from '../testing/samples/sample-documents.ts'
import { chooseVerification } from './choose-adapters.ts'
import { listenOnLoopback } from './loopback/loopback-server.ts'
import { verificationCompared } from './verification-built-in.ts'

const plain = coverableContract()
const { work, secrets, requestOf } = await openVerification(plain)
/** Gives up early on what takes a reader long. */
const limited = openPdfWork({ seconds: 0.5, megabytes: 400 })
afterAll(() => limited.close())

const report: UploadReport = { verdict: 'accepted', document: 'same-content', problems: [], signatures: [] }
/** Creates a check of objects that finds nothing at all. */
const blind = (found: Verification | 'unreachable' = { readable: true, report }): VerificationPort => ({
  verify: async () => found,
})
const pending = (code: string) => ({
  readable: true,
  report: { ...report, verdict: 'pending', problems: [{ code, severity: 'wait' }] },
})

const contractWith = (objects: Record<number, string | [string, string]>, more: (string | [string, string])[] = []) =>
  fileOf([...contract.map((object, index) => objects[index + 1] ?? object), ...more])
const stream = (data: string, entries = ''): [string, string] => [`<<${entries}/Length ${data.length}>>`, data]

test('R107 what was refused, or could not be read, is not shown to any reader', async () => {
  const none = { compare: () => Promise.reject(new Error('compared')) }
  const refused: Verification = { readable: true, report: { ...report, verdict: 'refused' } }
  for (const found of [refused, { readable: false, reason: 'damaged' } as const, 'unreachable' as const])
    expect(await verificationCompared(blind(found), none).verify(requestOf(plain))).toEqual(found)
})

const configured = (signatureDssUrl: string | undefined) =>
  chooseVerification(
    { signatureDssUrl } as Configuration,
    work,
    async () => ({ anchors: [{ certificate: root.certificate }] }),
    undefined,
  )

test('R107 a good signature that shows itself over the price waits, with our validator alone and with EU DSS', async () => {
  const file = signedOverThePrice(plain)
  const waits = {
    report: { verdict: 'pending', problems: expect.arrayContaining(pending('looks-different').report.problems) },
  }
  expect(await configured(undefined).verify(requestOf(file))).toMatchObject(waits)
  await using dss = await listenOnLoopback(({ body }, response) => {
    const { name } = (JSON.parse(body) as { signedDocument: { name: string } }).signedDocument
    const signatureOrTimestamp = [{ Signature: { Indication: 'TOTAL_PASSED', SignatureLevel: { value: 'QESig' } } }]
    response.end(JSON.stringify({ SimpleReport: { DocumentName: name, SignaturesCount: 1, signatureOrTimestamp } }))
  })
  expect(await configured(dss.url).verify(requestOf(file))).toMatchObject(waits)
  expect(dss.received).toHaveLength(1)
})

/** Creates forms that each draw the next one ten times: 10^9 squares. */
const nested = () =>
  contractWith(
    {
      3: '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<</X 8 0 R>>>>>>',
      4: stream('/X Do '.repeat(10)),
    },
    Array.from({ length: 9 }, (_, i) =>
      stream(
        i === 8 ? '0 0 9 9 re f ' : '/X Do '.repeat(10),
        `/Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<</XObject<</X ${9 + i} 0 R>>>>`,
      ),
    ),
  )
test('R107 R46 a document that takes a reader too long waits, and the next one is checked', async () => {
  // Not filed: a signature could cover any content.
  const issued = encryptPdf(nested(), secrets)
  const hasty = verificationCompared(blind(), limited)
  expect(await hasty.verify(requestOf(signPdf(nested()), { issued }))).toEqual(pending('not-comparable'))
  const next = await verificationCompared(blind(), work).verify(requestOf(signPdf(plain)))
  expect(next).toEqual({ readable: true, report })
})
