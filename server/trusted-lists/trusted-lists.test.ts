import type { ServerResponse } from 'node:http'
import Fastify from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { base64Of } from '../../pki/bytes.ts'
import { validatePdf } from '../../pki/pades/pades-validate.ts'
import { contractPdf, issuing, policyOf, root, signPdf } from '../../pki/testing/pades-authorities.ts'
import {
  daysBefore,
  issuingService,
  listDraft,
  operator,
  signedList,
  stranger,
} from '../../pki/testing/trusted-list-drafts.ts'
import { writeTrustedList, type TrustedListDraft } from '../../pki/trusted-lists/trusted-list-write.ts'
import { serveAuthority } from '../../provider/authority/authority-http.ts'
import { openTestAuthority } from '../../provider/testing/test-authority.ts'
import { chooseTrust } from '../adapters/choose-adapters.ts'
import { answerEndlessly, listenOnLoopback } from '../adapters/loopback/loopback-server.ts'
import { trustedListsByHttp } from '../adapters/trusted-lists-http.ts'
import { readConfiguration } from '../platform/configuration/configuration.ts'
import { trustedListFetched, type TrustedListOutcome } from '../platform/observability/events.ts'
import { folderOfFile } from '../testing/open-portal.ts'
import { now, openTestPortal, type TestPortal } from '../testing/portal-nodes.ts'
import { readInThread } from './list-reading.ts'
import { listedAnchors } from './trusted-list-store.ts'
import { fetchLists } from './trusted-lists.ts'

const hours = (count: number) => count * 3600
const folder = folderOfFile()

let portal: TestPortal
let server: Awaited<ReturnType<typeof listenOnLoopback>>
/** Responses of the server by path: a text, or a function that answers. */
let served: Record<string, string | ((response: ServerResponse) => void)>
let problems: string[]
let outcomes: TrustedListOutcome[]
let time: Date
let unsubscribe: () => void

beforeEach(async () => {
  ;[served, problems, outcomes] = [{}, [], []]
  server = await listenOnLoopback(({ path }, response) => {
    const answer = served[path]
    if (typeof answer === 'function') answer(response)
    else if (answer === undefined) response.writeHead(404).end()
    else response.end(answer)
  })
  portal = await openTestPortal({ nodes: 2, ports: { trustedLists: port() } })
  time = await now(portal.db)
  unsubscribe = trustedListFetched.subscribe(({ outcome }) => outcomes.push(outcome))
  publish()
})
afterEach(async () => {
  unsubscribe()
  await portal.close()
  await server[Symbol.asyncDispose]()
})

function port(changes: Partial<Parameters<typeof trustedListsByHttp>[0]> = {}) {
  return trustedListsByHttp({
    url: `${server.url}/lotl.xml`,
    certificates: [operator.certificate],
    countries: [],
    report: (problem) => problems.push(problem),
    ...changes,
  })
}

/** Drafts a national list whose service was granted before its certificates were issued. */
const national = (changes: Partial<TrustedListDraft> = {}) =>
  listDraft(time, { services: [issuingService(daysBefore(time, 400))], ...changes })
const pointer = (url: string, signer = operator) => ({ territory: 'PL', url, certificates: [signer.certificate] })
const listOfLists = (changes: Partial<TrustedListDraft> = {}) =>
  signedList(
    national({
      type: 'listOfLists',
      territory: 'EU',
      services: [],
      pointers: [pointer(`${server.url}/pl.xml`)],
      ...changes,
    }),
  )

function publish(changes: Partial<TrustedListDraft> = {}) {
  served['/lotl.xml'] ??= listOfLists()
  served['/pl.xml'] = signedList(national(changes))
}

/** Advances the clock and runs the next round of the job. */
async function fetchAgain(source = port()) {
  await portal.clock.advance(hours(7))
  await fetchOnce(source)
}
const fetchOnce = (source = port()) =>
  fetchLists({ ...portal.portal, ports: { ...portal.portal.ports, trustedLists: source } })

const anchors = (source = port()) => listedAnchors(portal.db, source)()
const of = (...holders: { certificate: Uint8Array }[]) => holders.map(({ certificate }) => base64Of(certificate))
const certificates = async (source = port()) => of(...(await anchors(source)))
/** Drafts a national list with another authority than the first one. */
const withRoot = (changes: Partial<TrustedListDraft> = {}) =>
  national({ services: [{ ...issuingService(time), certificate: root.certificate }], ...changes })

test('CHK-10 CHK-11 what is signed under a listed authority is accepted, and without the lists it is not', async () => {
  const configuration = readConfiguration({})
  const source = port()
  const trust = chooseTrust(configuration, undefined, listedAnchors(portal.db, source))!
  const signed = signPdf(contractPdf())
  const verdict = async () => {
    const report = await validatePdf(signed, policyOf(await trust()))
    return report.signatures.at(-1)?.trusted
  }
  expect(await verdict()).toBe(false)
  await fetchLists(portal.portal)
  expect(await verdict()).toBe(true)
  expect(problems).toEqual([])
  expect(outcomes).toEqual(['new', 'new'])

  // A withdrawal is effective with the next list.
  const service = issuingService(daysBefore(time, 100))
  publish({
    sequenceNumber: 8,
    services: [{ ...service, statuses: [{ status: 'withdrawn', from: daysBefore(time, 99) }] }],
  })
  await fetchAgain(source)
  expect(await verdict()).toBe(false)
})

test('CHK-10 R192 what a list may deny of certificates is stored with its authority', async () => {
  const qualifier = `<Extension Critical="true"><q:Qualifications xmlns:q="http://uri.etsi.org/TrstSvc/SvcInfoExt/eSigDir-1999-93-EC-TrustedList/#"><q:QualificationElement><q:Qualifiers><q:Qualifier uri="http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/QCNoQSCD"/></q:Qualifiers></q:QualificationElement></q:Qualifications></Extension>`
  const list = writeTrustedList(national()).replace(/<ServiceInformationExtensions>/, `$&${qualifier}`)
  served['/pl.xml'] = signedList(list)
  await fetchLists(portal.portal)
  expect(await anchors()).toMatchObject([{ purposes: ['signatures', 'seals'], doubts: ['device'] }])
})

test('CHK-11 one node fetches the lists for all, every six hours, and an hour after a failure', async () => {
  const requests = () => server.received.filter(({ path }) => path === '/lotl.xml').length
  await Promise.all(portal.nodes.flatMap((node) => [fetchLists(node.portal), fetchLists(node.portal)]))
  expect(requests()).toBe(1)
  await portal.clock.advance(hours(6) - 60)
  await fetchOnce()
  expect(requests()).toBe(1)
  delete served['/pl.xml']
  await portal.clock.advance(60)
  await fetchOnce()
  expect(outcomes).toEqual(['new', 'new', 'unchanged', 'unreachable'])
  await portal.clock.advance(hours(1))
  await fetchOnce()
  expect(requests()).toBe(3)
  // Other settings do not wait.
  await fetchOnce(port({ countries: ['PL'] }))
  expect(requests()).toBe(4)
})

test('CHK-11 R190 a list that is refused or not fetched leaves the stored one, and the log says why', async () => {
  await fetchOnce()
  const genuine = signedList(withRoot({ sequenceNumber: 8 }))
  const changed = genuine.replace('Svcstatus/granted', 'Svcstatus/Granted')
  const strange = signedList(national({ sequenceNumber: 8 }), stranger)
  for (const [answer, problem] of [
    [changed, /^The trusted list of PL was refused \(signature-invalid,/],
    [strange, /signed with a certificate that the list of lists does not name/],
    [signedList(national({ sequenceNumber: 8, territory: 'DE' })), /it is the list of DE/],
    [signedList(national({ sequenceNumber: 8, nextUpdate: daysBefore(time, 0.5) })), /has expired/],
    [genuine.replace('?>', '?><!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'), /refused \(document-type,/],
    ['', /refused \(not-xml,/],
    [(response: ServerResponse) => void response.writeHead(503).end(), /was not fetched \(HTTP 503\)/],
    [(response: ServerResponse) => answerEndlessly(response, ' '.repeat(60_000)), /the answer is too large/],
  ] as const) {
    problems.length = 0
    served['/pl.xml'] = answer
    await fetchAgain(port({ maxBytes: 200_000 }))
    expect(problems).toEqual([expect.stringMatching(problem)])
    expect(await certificates()).toEqual(of(issuing))
  }
  served['/pl.xml'] = genuine
  await fetchAgain()
  expect(await certificates()).toEqual(of(root))
})

test('R190 a list of lists with a bad signature changes nothing, and the other lists are fetched', async () => {
  await fetchOnce()
  const pointers = [pointer(`${server.url}/evil.xml`, stranger)]
  served['/lotl.xml'] = listOfLists({ sequenceNumber: 8, pointers }).replace('>8<', '>9<')
  served['/evil.xml'] = signedList(withRoot(), stranger)
  publish({ sequenceNumber: 8 })
  await fetchAgain()
  expect(outcomes.slice(2)).toEqual(['refused', 'new'])
  expect(await certificates()).toEqual(of(issuing))
  expect(server.received.filter(({ path }) => path === '/evil.xml')).toEqual([])
  expect(problems[0]).toMatch(/^The list of lists was refused \(signature-invalid/)
})

test('R190 a list counts while the list of lists names its signer, and that one while the operator does', async () => {
  await fetchOnce()
  expect(await certificates()).toEqual(of(issuing))
  expect(await certificates(port({ certificates: [stranger.certificate] }))).toEqual([])
  expect(await certificates(port({ countries: ['DE'] }))).toEqual([])
  served['/lotl.xml'] = listOfLists({ sequenceNumber: 8, pointers: [pointer(`${server.url}/pl.xml`, stranger)] })
  await fetchAgain()
  expect(problems).toEqual([
    expect.stringMatching(/^The trusted list of PL is signed with a certificate that the list of lists does not name/),
  ])
  expect(await certificates()).toEqual([])
})

test('R191 an older list, or another one with the same number, does not replace the stored one', async () => {
  await fetchOnce()
  for (const changes of [{ sequenceNumber: 6 }, {}]) {
    problems.length = 0
    publish(withRoot(changes))
    await fetchAgain()
    expect(problems).toEqual([
      expect.stringMatching(/^The trusted list of PL is older than the stored one, or another one with its number/),
    ])
    expect(await certificates()).toEqual(of(issuing))
  }
  // The same list, signed again.
  problems.length = 0
  publish()
  await fetchAgain()
  expect(problems).toEqual([])
  publish(withRoot({ sequenceNumber: 8 }))
  await fetchAgain()
  expect(await certificates()).toEqual(of(root))
})

test('CHK-11 a list whose next update is past alarms the operator, and still counts', async () => {
  await fetchOnce()
  await portal.clock.advance(hours(24) * 29)
  await fetchOnce()
  expect(portal.alarms).toEqual([])
  await portal.clock.advance(hours(48))
  await fetchOnce()
  await expect
    .poll(() => portal.alarms.toSorted((a, b) => a.about.localeCompare(b.about)))
    .toEqual([
      { name: 'trusted-list-expired', about: 'EU' },
      { name: 'trusted-list-expired', about: 'PL' },
    ])
  expect(await certificates()).toEqual(of(issuing))
})

test('R193 a costly list stops nothing but its own reading', async () => {
  const expected = { type: 'national', territory: 'PL', certificates: [operator.certificate], now: time } as const
  const wide = Buffer.from(`<a>${'<b c="d"/>'.repeat(300_000)}</a>`)
  const most = { ...expected, maxBytes: 4_000_000 }
  expect(await readInThread(wide, most, { megabytes: 16, seconds: 60 })).toMatchObject({ problem: 'too-costly' })
  expect(await readInThread(wide, most, { megabytes: 384, seconds: 0.01 })).toMatchObject({ problem: 'too-costly' })
  expect(await readInThread(Buffer.from(signedList(national())), most)).toMatchObject({ list: { sequenceNumber: 7 } })
})

test('R194 a redirect is followed on the host of the lists, and nowhere into the operator’s network', async () => {
  await using other = await listenOnLoopback((_, response) => response.end(signedList(national())))
  const redirect = (location: string) => (response: ServerResponse) => void response.writeHead(302, { location }).end()
  served['/moved.xml'] = served['/pl.xml']!
  served['/pl.xml'] = redirect('/moved.xml')
  await fetchOnce()
  expect(outcomes).toEqual(['new', 'new'])
  for (const [location, problem] of [
    [`${other.url}/pl.xml`, 'the address is not public'],
    [`http://localhost:${other.port}/pl.xml`, 'the address is not public'],
    ['http://169.254.169.254/latest/meta-data', 'the address is not public'],
    ['file:///etc/passwd', 'the address is not one of HTTP'],
    ['/pl.xml', 'too many redirects'],
  ] as const) {
    problems.length = 0
    served['/pl.xml'] = redirect(location)
    await fetchAgain()
    expect([location, problems]).toEqual([location, [expect.stringContaining(problem)]])
  }
  // Nor does a pointer of the list of lists.
  served['/lotl.xml'] = listOfLists({ sequenceNumber: 8, pointers: [pointer(`${other.url}/pl.xml`)] })
  problems.length = 0
  await fetchAgain()
  expect(problems).toEqual([expect.stringContaining('the address is not public')])
  expect(other.connections()).toBe(0)
  // The operator may allow its own host.
  await fetchAgain(port({ hosts: [`127.0.0.1:${other.port}`] }))
  expect(other.connections()).toBe(1)
})

test('CHK-12 the demonstration’s authority publishes and signs lists with its services', async () => {
  const provider = Fastify()
  const authority = await openTestAuthority({ directory: folder, baseUrl: `${server.url}/pki`, now: () => time })
  await provider.register(async (scope) => serveAuthority(scope, { authority }), { prefix: '/pki' })
  for (const name of ['lotl', 'pl'] as const) {
    const answer = await provider.inject(`/pki/trusted-lists/${name}.xml`)
    expect(answer.headers['content-type']).toMatch(/^application\/vnd\.etsi\.tsl\+xml/)
    served[`/pki/trusted-lists/${name}.xml`] = answer.body
  }
  await provider.close()
  const url = `${server.url}/pki/trusted-lists/lotl.xml`
  const source = port({ url, certificates: [authority.trustedLists.operator] })
  await fetchOnce(source)
  expect(problems).toEqual([])
  expect(await certificates(source)).toEqual(
    of({ certificate: authority.certificates.issuing }, authority.timestamping),
  )
})
