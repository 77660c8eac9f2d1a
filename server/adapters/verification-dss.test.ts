import { describe, expect, test } from 'vitest'
import { openAnyPdf } from '../../pki/pdf/pdf-encryption.ts'
import {
  anna,
  contractPdf,
  holder,
  issuing,
  person,
  personRights,
  signPdf,
} from '../../pki/testing/pades-authorities.ts'
import { contractWithOtherPrice, openVerification } from '../testing/samples/sample-documents.ts'
import { listenOnLoopback, type Received } from './loopback/loopback-server.ts'
import { verificationBuiltIn } from './verification-built-in.ts'
import { verificationByDss } from './verification-dss.ts'

const { work, secrets, locked, requestOf } = await openVerification()
// Whom to believe is for DSS to say: no anchor of ours.
const own = verificationBuiltIn(work, async () => ({ anchors: [] }))
const signed = signPdf(contractPdf())

type DssRequest = { signedDocument: { bytes: string; name: string } }
type Conclusion = {
  Indication: string
  SubIndication?: string | null
  SignatureLevel?: { value: string } | null
}

/** Returns WSReportsDTO (REST validation service) as the DSS cookbook prints it, with the parts that are not read shortened. */
const reports = (DocumentName: string, all: Conclusion[], list = 'signatureOrTimestamp') => ({
  validationReportDataHandler: 'PD94bWw=',
  DiagnosticData: { DocumentName, ValidationDate: '2026-11-21T11:00:00', ContainerInfo: null, Signature: [] },
  SimpleReport: {
    ValidationPolicy: { PolicyName: 'QES AdESQC TL based', PolicyDescription: '' },
    DocumentName,
    ValidSignaturesCount: all.filter(({ Indication }) => Indication === 'TOTAL_PASSED').length,
    SignaturesCount: all.length,
    ContainerType: null,
    [list]: all.map(({ Indication, SubIndication = null, ...rest }, i) => ({
      Signature: {
        SigningTime: '2026-11-21T10:05:09',
        BestSignatureTime: '2026-11-21T11:00:00',
        SignedBy: 'Anna Nowak',
        SignatureLevel: { value: 'QESig', description: 'Qualified Electronic Signature' },
        ...rest,
        SignatureScope: [{ value: 'Full PDF', name: 'Full PDF', scope: 'FULL' }],
        Filename: null,
        Indication,
        SubIndication,
        Errors: [],
        Warnings: [],
        Infos: [],
        Id: `S-${i}`,
        CounterSignature: null,
        ParentId: null,
        SignatureFormat: 'PAdES-BASELINE-B',
      },
    })),
    Semantic: null,
    ValidationTime: '2026-11-21T11:00:00',
  },
  DetailedReport: {},
})

const passed = [{ Indication: 'TOTAL_PASSED' }]
const nameIn = ({ body }: Received) => (JSON.parse(body) as DssRequest).signedDocument.name
const answering = (make: (request: Received) => unknown) =>
  listenOnLoopback((request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(make(request))),
  )

async function judged(said: Conclusion[], file = signed, list?: string) {
  await using dss = await answering((request) => reports(nameIn(request), said, list))
  return await verificationByDss(own, { url: dss.url }).verify(requestOf(file))
}

describe('DOC-6 DOC-8 EU DSS', () => {
  test('DOC-8 gets the whole file under a random name, by the documented call, and decides about trust', async () => {
    await using dss = await answering((request) => reports(nameIn(request), passed))
    const found = await verificationByDss(own, { url: `${dss.url}/dss/` }).verify(requestOf(signed))
    expect(found).toMatchObject({
      readable: true,
      report: {
        verdict: 'accepted',
        document: 'same-content',
        signatures: [{ signer: 'Anna Nowak', trusted: true, revocation: 'good', problems: [] }],
      },
    })
    const [{ method, path, headers, body }, ...more] = dss.received as [Received]
    const validation = '/dss/services/rest/validation/validateSignature'
    expect([method, path, headers['content-type'], more]).toEqual(['POST', validation, 'application/json', []])
    const { signedDocument, ...rest } = JSON.parse(body) as DssRequest
    expect(Buffer.from(signedDocument.bytes, 'base64')).toEqual(Buffer.from(signed))
    expect(signedDocument.name).toMatch(/^[0-9a-f-]{36}\.pdf$/)
    expect(rest).toMatchObject({ originalDocuments: null, policy: null, signatureId: null })
    // The newer name of its list.
    const newer = await judged(passed, signed, 'signatureOrTimestampOrEvidenceRecord')
    expect(newer).toMatchObject({ report: { verdict: 'accepted' } })
  })

  test.each([
    ['INDETERMINATE', 'NO_CERTIFICATE_CHAIN_FOUND', 'refused', 'path-untrusted'],
    ['TOTAL_FAILED', 'REVOKED', 'refused', 'revoked'],
    ['INDETERMINATE', 'REVOKED_NO_POE', 'refused', 'revoked'],
    ['TOTAL_FAILED', 'HASH_FAILURE', 'refused', 'cms-digest'],
    ['TOTAL_FAILED', null, 'refused', 'path-untrusted'],
    ['TOTAL_FAILED', 'NOT_KNOWN_YET', 'refused', 'path-untrusted'],
    ['INDETERMINATE', 'TRY_LATER', 'pending', 'revocation-unknown'],
    ['INDETERMINATE', null, 'pending', 'revocation-unknown'],
  ])('DOC-8 for %s %s the verdict is %s', async (Indication, SubIndication, verdict, code) => {
    expect(await judged([{ Indication, SubIndication }])).toMatchObject({
      report: { verdict, signatures: [{ problems: [{ code }] }] },
    })
  })

  const unqualified = ['QESeal', 'QES?', 'AdESig-QC', 'AdESig', 'Not AdES but QC with QSCD']
  const undecided = ['Indeterminate QESig', 'N/A', undefined]
  test.each<readonly [string | undefined, string, readonly object[]]>([
    ['QESig', 'accepted', []],
    ...unqualified.map((level) => [level, 'refused', [{ code: 'not-qualified' }]] as const),
    ...undecided.map((level) => [level, 'pending', [{ code: 'not-qualified' }]] as const),
  ])('R103 for the level %s the verdict is %s', async (value, verdict, problems) => {
    const SignatureLevel = value === undefined ? null : { value }
    expect(await judged([{ Indication: 'TOTAL_PASSED', SignatureLevel }])).toMatchObject({
      report: { verdict, signatures: [{ problems }] },
    })
  })

  test('R103 it alone decides what is qualified: statements in certificates are neither used nor needed', async () => {
    const extensions = personRights().slice(0, 1)
    const unstated = holder({ name: person('Anna Nowak', 'PNOPL-90010112345'), extensions }, issuing)
    expect(await judged(passed, signPdf(contractPdf(), { by: unstated }))).toMatchObject({
      report: { verdict: 'accepted' },
    })
  })

  test('R48 does not get files that we refuse for their content, signer or changes, and cannot accept them', async () => {
    await using dss = await answering((request) => reports(nameIn(request), passed))
    const port = verificationByDss(own, { url: dss.url })
    const bob = holder({ name: person('Bob', 'PNOPL-80010112345'), extensions: personRights() }, issuing)
    const damaged = signed.slice()
    damaged[40]! ^= 1
    for (const [what, file] of [
      ['another document', signPdf(contractWithOtherPrice())],
      ['another signer', signPdf(contractPdf(), { by: bob })],
      ['changed', damaged],
      ['unsigned', contractPdf()],
    ] as const) {
      const found = await port.verify(requestOf(file))
      const verdict = typeof found === 'object' && found.readable ? found.report.verdict : 'unread'
      expect([what, verdict === 'accepted' || verdict === 'pending']).toEqual([what, false])
    }
    expect(dss.received).toEqual([])
  })

  test('DOC-8 leaves files that were signed encrypted to the provider, because DSS cannot open them', async () => {
    await using dss = await answering((request) => reports(nameIn(request), passed))
    const file = signPdf(openAnyPdf(locked.file, secrets.password), { by: anna })
    expect(await verificationByDss(own, { url: dss.url }).verify(requestOf(file))).toMatchObject({
      report: { verdict: 'pending', document: 'same-bytes' },
    })
    expect(dss.received).toEqual([])
  })

  test('R50 R81 an answer to another call, or one that is not understood, is none', async () => {
    const answers: ((request: Received) => unknown)[] = [
      () => ({ SimpleReport: null }),
      () => reports('another.pdf', passed),
      (request) => reports(nameIn(request), []),
      (request) => reports(nameIn(request), [...passed, ...passed]),
      (request) => reports(nameIn(request), [{ Indication: 'PASSED' }]),
    ]
    for (const [i, answer] of answers.entries()) {
      await using dss = await answering(answer)
      expect([i, await verificationByDss(own, { url: dss.url }).verify(requestOf(signed))]).toEqual([i, 'unreachable'])
    }
  })
})
