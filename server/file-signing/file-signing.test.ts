import { createHash, randomBytes, X509Certificate, hash } from 'node:crypto'
import { beforeEach, expect, test, vi } from 'vitest'
import type { AuditAction } from '../../contract/audit-actions.ts'
import {
  confirmFileSigning,
  listFileSigners,
  readFileSigning,
  resendFileSigningCode,
  signFiles,
  startFileSigning,
  type FileSigning,
} from '../../contract/file-signing.ts'
import { limits } from '../../contract/limits.ts'
import { putSealUser } from '../../contract/provider/provider-seals.ts'
import { putSignature } from '../../contract/provider/provider-signatures.ts'
import { enterServiceCodes, finishAtReturn, openServicePage } from '../../contract/service-authorisation.ts'
import { signedAttributes } from '../../pki/asn1/cms.ts'
import { readPathCertificate } from '../../pki/asn1/path-certificate.ts'
import { signatureAlgorithm } from '../../pki/asn1/signature-algorithm.ts'
import { checkSignature } from '../../pki/asn1/signature-check.ts'
import { verifyTimestamp } from '../../pki/timestamps/timestamp-token.ts'
import { remoteSigningByCsc } from '../adapters/csc/remote-signing-csc.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { bodyOf, codesOf, openBrowser } from '../testing/browser.ts'
import { sendTogether, preparedCall } from '../testing/burst.ts'
import { manySends, openPortal } from '../testing/open-portal.ts'
import { sampleValidity } from '../testing/provider.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { makeSeal, member, sealUserOf } from '../testing/samples/sample-seals.ts'
import { smsCode } from '../testing/sent-messages.ts'
import { giveCloudSignature, openSigningPortal } from '../testing/signing.ts'
import { removeOldSignings } from './file-signing-store.ts'

const portal = await openPortal({ nodes: 2, settings: manySends })
const { provider, signing, person, customer } = await openSigningPortal(portal)
const signature = await giveCloudSignature(signing, provider, person)
beforeEach(async () => {
  signing.reset()
  await portal.owner.query(`delete from rate_limits`)
  // A test may have let the time of a session pass.
  await signInDirectly(portal, person, customer)
})

const digestsOf = (count: number) => Array.from({ length: count }, () => randomBytes(32).toString('base64'))
const { requestsOf } = signing
const entriesOf = async (action: AuditAction, fileSigning: string) =>
  (await auditEntries(portal, { action, details: { fileSigning } })).map(({ details }) => details)

/** Starts a signing and reads its code from the SMS. */
async function begin(digests = digestsOf(1), signer = signature.id, browser = customer) {
  const body = bodyOf(await browser.call(startFileSigning, { body: { signer, digests } }))
  await portal.deliver()
  return { ...body, params: { id: body.signing.id }, digests, entry: { code: smsCode(portal, person.phone) } }
}

async function signedBy(digests: string[], signer = signature.id) {
  const { params, entry } = await begin(digests, signer)
  expect((await customer.call(confirmFileSigning, { params, body: entry })).body).toMatchObject({ state: 'confirmed' })
  return { ...bodyOf(await customer.call(signFiles, { params })), params }
}

/** Checks whether each signature is by the certificate over the attributes of its digest, and verifies its timestamp. */
function checkSignaturesAndTimestamps(
  certificate: Uint8Array,
  digests: string[],
  signatures: { signature: string; timestamp: string }[],
) {
  const { key } = readPathCertificate(certificate)
  const scheme = signatureAlgorithm({ asymmetricKeyType: key.kind }, { scheme: 'rsa-pkcs1', digest: 'sha256' })
  return digests.map((digest, i) => {
    const attributes = signedAttributes({ digest: Buffer.from(digest, 'base64'), certificate })
    const value = Buffer.from(signatures[i]!.signature, 'base64')
    const token = new Uint8Array(Buffer.from(signatures[i]!.timestamp, 'base64'))
    verifyTimestamp(token, (name) => createHash(name).update(value).digest())
    return checkSignature(scheme, key, attributes, value)
  })
}

/** Creates a seal with a key at the service and the customer as one of its users. */
async function giveCloudSeal() {
  const name = `k-${crypto.randomUUID()}`
  const publicKey = await signing.keys.make(name, person.id)
  const organisation = { name: 'Przykład sp. z o.o.', identifier: 'VATPL-5250001090', country: 'PL' } as const
  const { certificate } = await provider.authority.issue({
    subject: { kind: 'organisation', commonName: organisation.name, ...organisation },
    publicKey,
    device: true,
    ...sampleValidity({ period: '1_year', from: undefined, to: undefined }),
  })
  await signing.keys.certify(name, [certificate, ...provider.authority.chain])
  const filed = Buffer.from(certificate).toString('base64')
  const seal = await makeSeal(portal, provider, [member(person, 'user')], { certificate: filed })
  return { ...seal, certificate }
}

test('SGN-21 SGN-23 SGN-25 one code and one authorisation sign twenty digests, with a timestamp each, in their order', async () => {
  const { body: found } = await customer.call(listFileSigners, {})
  const own = found.signers.filter(({ id }) => id === signature.id)
  expect(own).toMatchObject([
    {
      id: signature.id,
      kind: 'signature',
      name: 'Małgorzata Wiśniewska',
      serialNumber: signature.serialNumber,
      certificate: Buffer.from(signature.certificate).toString('base64'),
      algorithm: { scheme: 'rsa-pkcs1', digest: 'sha256' },
      mostFiles: 20,
      requirement: null,
    },
  ])
  // The issuer, and not the root.
  expect(own[0]!.chain.map((der) => new X509Certificate(Buffer.from(der, 'base64')).subject)).toHaveLength(1)

  const digests = digestsOf(20)
  const all = Buffer.concat(digests.map((digest) => Buffer.from(digest, 'base64')))
  const reference = hash('sha256', all)
  const { params, entry, signing: begun } = await begin(digests)
  expect(begun).toMatchObject({ state: 'started', reference, signatures: null, authorisation: null })
  expect(portal.texts[0]!.text).toContain(`do podpisania plikow ${reference.slice(0, 8)}: ${entry.code}`)
  expect((await customer.call(signFiles, { params })).problem.code).toBe('signing-over')
  const confirmed = await customer.call(confirmFileSigning, { params, body: entry })
  expect(confirmed.body).toMatchObject({ state: 'confirmed', signatures: null, authorisation: null })
  const { body } = await customer.call(signFiles, { params })
  expect(body.state).toBe('signed')
  expect(checkSignaturesAndTimestamps(signature.certificate, digests, body.signatures!)).toEqual(
    digests.map(() => 'valid'),
  )

  expect([requestsOf('credentials/authorize').length, requestsOf('signatures/signHash').length]).toEqual([1, 1])
  expect(requestsOf('credentials/authorize')[0]!.body).toMatchObject({ numSignatures: 20 })
  // A lost answer is read again, and nothing is signed twice.
  expect((await customer.call(readFileSigning, { params })).body).toEqual(body)
  expect((await customer.call(signFiles, { params })).body).toEqual(body)
  expect(requestsOf('signatures/signHash')).toHaveLength(1)
  expect(await entriesOf('files-signed', params.id)).toEqual([
    { fileSigning: params.id, signature: signature.id, files: 20, reference },
  ])
})

test('SGN-23 own signatures come before seals, the newest first', async () => {
  const other = await addCustomer(portal)
  const [older, newest] = [
    await giveCloudSignature(signing, provider, other),
    await giveCloudSignature(signing, provider, other),
  ]
  // The renewed one ends sooner, and the renewal is valid from now.
  await portal.owner.query(`update signatures set valid_from = valid_from - interval '1 year' where id = $1`, [
    older.id,
  ])
  const { signers } = (await (await signInDirectly(portal, other)).call(listFileSigners, {})).body
  expect(signers.map(({ id }) => id)).toEqual([newest.id, older.id])
  await giveCloudSeal()
  const kinds = (await customer.call(listFileSigners, {})).body.signers.map(({ kind }) => kind)
  expect(kinds).toEqual(kinds.toSorted().toReversed())
  expect(new Set(kinds)).toEqual(new Set(['signature', 'seal']))
})

test('SGN-23 a seal signs for its active user, and the history names the seal', async () => {
  const seal = await giveCloudSeal()
  const digests = digestsOf(2)
  const { signatures, params } = await signedBy(digests, seal.id)
  expect(checkSignaturesAndTimestamps(seal.certificate, digests, signatures!)).toEqual(['valid', 'valid'])
  expect(await entriesOf('files-signed', params.id)).toMatchObject([{ seal: seal.id, files: 2 }])
})

test('R201 the service signs only attributes that the portal makes of the digests', async () => {
  const digest = randomBytes(32)
  // What a compromised page would send to have it signed directly.
  const wanted = hash('sha256', '{"alg":"RS256"}.payload', 'buffer')
  await signedBy([digest.toString('base64'), wanted.toString('base64')])
  const hashOf = (content: Uint8Array) =>
    hash('sha256', signedAttributes({ digest: content, certificate: signature.certificate }), 'base64')
  expect(requestsOf('signatures/signHash')[0]!.body).toMatchObject({ hashes: [hashOf(digest), hashOf(wanted)] })
})

test('R202 a code signs nothing for another session, customer or signing, nor with digests that were exchanged in the database', async () => {
  const first = await begin()
  const second = await begin()
  const elsewhere = await signInDirectly(portal, person)
  const stranger = await signInDirectly(portal, await addCustomer(portal))
  for (const [browser, expected] of [
    [elsewhere, 422],
    [stranger, 404],
  ] as const)
    for (const endpoint of [readFileSigning, resendFileSigningCode, confirmFileSigning, signFiles] as const) {
      const path = endpoint.path.replace(':id', second.params.id)
      const body = endpoint === confirmFileSigning ? second.entry : undefined
      const headers = { 'idempotency-key': crypto.randomUUID() }
      expect((await browser.raw(endpoint.method, path, body, headers)).status).toBe(expected)
    }
  // The code of the newer signing.
  const mixed = await customer.call(confirmFileSigning, { params: first.params, body: second.entry })
  expect(mixed.problem.code).toBe('code-wrong')
  await portal.owner.query(`update file_signings set digests = array[$2::bytea] where id = $1`, [
    second.params.id,
    randomBytes(32),
  ])
  const { params, entry } = second
  expect((await customer.call(confirmFileSigning, { params, body: entry })).problem.code).toBe('signing-changed')
  expect((await customer.call(confirmFileSigning, { params, body: entry })).problem.code).toBe('code-void')
  expect((await customer.call(signFiles, { params })).problem.code).toBe('signing-over')
  expect(requestsOf('credentials/authorize')).toEqual([])
})

test('R202 calls that sign at the same moment, on both nodes, make one request to the service', async () => {
  const { params, entry } = await begin()
  await customer.call(confirmFileSigning, { params, body: entry })
  const shots = Array.from({ length: 4 }, () => preparedCall(signFiles, { params }, { cookie: customer.cookie }))
  const answers = codesOf(await sendTogether(portal, shots))
  expect(answers).toContain('ok')
  expect(answers.filter((answer) => answer !== 'ok' && answer !== 'busy')).toEqual([])
  expect(requestsOf('signatures/signHash')).toHaveLength(1)
})

test('SGN-15 after a failure of the service the same code is enough for ten minutes', async () => {
  const { params, entry, digests } = await begin()
  await customer.call(confirmFileSigning, { params, body: entry })
  signing.tamperBy((path) => (path === 'signatures/signHash' ? { status: 503, body: '' } : undefined))
  expect((await customer.call(signFiles, { params })).problem.code).toBe('unavailable')
  signing.tamperBy()
  const { body } = await customer.call(signFiles, { params })
  expect(checkSignaturesAndTimestamps(signature.certificate, digests, body.signatures!)).toEqual(['valid'])
  expect(await entriesOf('file-signing-failed', params.id)).toMatchObject([{ why: 'unreachable' }])

  const late = await begin()
  await customer.call(confirmFileSigning, { params: late.params, body: late.entry })
  await portal.clock.advance(limits.signing.life + 1)
  expect((await customer.call(signFiles, { params: late.params })).problem.code).toBe('signing-over')
})

const tsaFails = (path: string) => (path === '/tsa' ? { status: 503, body: '' } : undefined)
/** Reads the stored timestamps in base64; null where one is missing. */
async function keptTimestamps({ id }: { id: string }) {
  const { rows } = await portal.owner.query<{ timestamps: (Buffer | null)[] | null }>(
    `select timestamps from file_signings where id = $1`,
    [id],
  )
  return rows[0]!.timestamps?.map((token) => token?.toString('base64') ?? null)
}

test('SGN-29 after a failure of the timestamp authority a repetition requests only the timestamps that are missing', async () => {
  const digests = digestsOf(6)
  const { params, entry } = await begin(digests)
  await customer.call(confirmFileSigning, { params, body: entry })
  let stamped = 0
  signing.tamperBy((path) => (path === '/tsa' && ++stamped > 2 ? tsaFails(path) : undefined))
  expect((await customer.call(signFiles, { params })).problem.code).toBe('unavailable')
  expect((await customer.call(readFileSigning, { params })).body).toMatchObject({
    state: 'confirmed',
    signatures: null,
    authorisation: null,
  })
  const kept = (await keptTimestamps(params))!
  const done = kept.filter((token) => token !== null)
  expect([done.length, kept.length]).toEqual([2, 6])
  expect(await entriesOf('files-signed', params.id)).toHaveLength(1)

  // Neither the service nor its ten minutes are needed any more.
  signing.tamperBy((path) => (path === '/tsa' ? undefined : { status: 503, body: '' }))
  await portal.clock.advance(limits.signing.life + 1)
  signing.requests.length = 0
  const { body } = await customer.call(signFiles, { params })
  expect(checkSignaturesAndTimestamps(signature.certificate, digests, body.signatures!)).toEqual(
    digests.map(() => 'valid'),
  )
  expect(body.signatures!.map(({ timestamp }, i) => kept[i] === null || kept[i] === timestamp)).not.toContain(false)
  expect(signing.requests.map(({ path }) => path)).toEqual(Array.from({ length: 4 }, () => '/tsa'))
  expect(await entriesOf('files-signed', params.id)).toHaveLength(1)
})

test('SGN-29 R202 four timestamps are requested at a time, and when the request that waits for them is lost, another one completes what the service has signed', async () => {
  const digests = digestsOf(6)
  const { params, entry } = await begin(digests)
  await customer.call(confirmFileSigning, { params, body: entry })
  const held: (() => void)[] = []
  signing.tamperBy((path) =>
    path === '/tsa' ? new Promise((resolve) => held.push(() => resolve(undefined))) : undefined,
  )
  const lost = customer.call(signFiles, { params })
  await vi.waitFor(() => expect(held).toHaveLength(4), 8000)
  expect(await keptTimestamps(params)).toEqual(digests.map(() => null))
  expect((await customer.call(signFiles, { params }, 1)).problem.code).toBe('busy')
  signing.tamperBy()
  await portal.clock.advance(limits.signing.requestTimeout + 1)
  const { body } = await customer.call(signFiles, { params }, 1)
  expect(checkSignaturesAndTimestamps(signature.certificate, digests, body.signatures!)).toEqual(
    digests.map(() => 'valid'),
  )
  for (const answer of held) answer()
  expect((await lost).body).toEqual(body)
  expect(requestsOf('signatures/signHash')).toHaveLength(1)
})

type Authorising = { authorisation: FileSigning['authorisation'] }
const ways: [
  string,
  Parameters<typeof giveCloudSignature>[3],
  (begun: Authorising) => Promise<() => Promise<Answered>>,
][] = [
  [
    'codes',
    { settings: { otp: 'sent', pin: true }, factors: { pin: '7391' } },
    async ({ authorisation }) => {
      expect(authorisation).toMatchObject({ kind: 'codes', otp: 'sent', pin: true })
      const body = { otp: signing.otps.at(-1)!, pin: '7391' }
      return () => customer.call(enterServiceCodes, { params: { id: authorisation!.id }, body })
    },
  ],
  [
    'page',
    { settings: { mode: 'oauth2code' } },
    async ({ authorisation }) => {
      const params = { id: authorisation!.id }
      const { body: page } = await customer.call(openServicePage, { params, body: { locale: 'pl' } })
      expect(new URL(page.url).searchParams.get('numSignatures')).toBe('3')
      signing.advance(30_000)
      const body = Object.fromEntries((await signing.authorise(new URL(page.url), person.id)).searchParams)
      return () => customer.call(finishAtReturn, { params, body: body as { state: string; code: string } })
    },
  ],
]
type Answered = { status: number; problem: { code: string } }

test.each(ways)(
  'SGN-25 SGN-29 the service’s own %s cover all files, also when their timestamps come later',
  async (way, options, authorise) => {
    const signer = await giveCloudSignature(signing, provider, person, options)
    const { params, entry, digests } = await begin(digestsOf(3), signer.id)
    const { body: confirmed } = await customer.call(confirmFileSigning, { params, body: entry })
    const again = (await customer.call(readFileSigning, { params })).body.authorisation
    expect(again).toEqual({ ...confirmed.authorisation, resendAt: expect.any(String) })
    expect((await customer.call(signFiles, { params })).problem.code).toBe('signing-over')
    const attempt = await authorise(confirmed)
    signing.tamperBy(tsaFails)
    expect((await attempt()).problem.code).toBe('unavailable')
    const awaited = { state: 'confirmed', authorisation: null }
    expect((await customer.call(readFileSigning, { params })).body).toMatchObject(awaited)
    signing.tamperBy()
    // A return counts once; codes may be sent again.
    if (way === 'codes') expect((await attempt()).status).toBe(204)
    else expect((await customer.call(signFiles, { params })).status).toBe(200)
    const { body: signed } = await customer.call(readFileSigning, { params })
    expect(checkSignaturesAndTimestamps(signer.certificate, digests, signed.signatures!)).toEqual([
      'valid',
      'valid',
      'valid',
    ])
    expect([requestsOf('signatures/signHash').length, (await attempt()).problem.code]).toEqual([1, 'signing-over'])
  },
)

test('R203 a seal whose access was removed, and a certificate that was suspended, sign nothing after the code was sent or entered', async () => {
  const seal = await giveCloudSeal()
  const removed = await begin(digestsOf(1), seal.id)
  const user = { ...sealUserOf(person), role: 'user', status: 'deleted' } as const
  const params = { seal: seal.providerId, user: seal.users[0]!.providerId }
  expect((await openBrowser(portal).call(putSealUser, { params, body: user })).status).toBe(200)
  const refused = await customer.call(confirmFileSigning, { params: removed.params, body: removed.entry })
  expect(refused.problem.code).toBe('signing-changed')
  const again = await customer.call(startFileSigning, { body: { signer: seal.id, digests: digestsOf(1) } })
  expect(again.problem.code).toBe('signer-unknown')

  const suspended = await giveCloudSignature(signing, provider, person)
  const confirmed = await begin(digestsOf(1), suspended.id)
  await customer.call(confirmFileSigning, { params: confirmed.params, body: confirmed.entry })
  const certificate = Buffer.from(suspended.certificate).toString('base64')
  await openBrowser(portal).call(putSignature, {
    params: { signature: suspended.providerId },
    body: await provider.signedBody(person.id, { certificate, status: 'suspended' }),
  })
  expect((await customer.call(signFiles, { params: confirmed.params })).problem.code).toBe('signing-changed')
  expect(requestsOf('credentials/authorize')).toEqual([])
})

test('R203 R34 only the customer’s own certificates can be chosen', async () => {
  const owner = await addCustomer(portal)
  const theirs = await giveCloudSignature(signing, provider, owner)
  const foreignSeal = await makeSeal(portal, provider, [member(owner, 'user')])
  for (const signer of [theirs.id, foreignSeal.id]) {
    const { problem } = await customer.call(startFileSigning, { body: { signer, digests: digestsOf(1) } })
    expect(problem.code).toBe('signer-unknown')
  }
  const { body } = await customer.call(listFileSigners, {})
  expect(body.signers.map(({ id }) => id)).not.toContain(theirs.id)
})

test('R204 the number of signings and of digests is limited before the service is called', async () => {
  const twentyOne = digestsOf(limits.fileSigning.files + 1)
  const start = (digests: string[]) => customer.call(startFileSigning, { body: { signer: signature.id, digests } })
  for (const digests of [[], twentyOne, ['A'.repeat(44)], ['?'.repeat(44)]]) {
    const { status, problem } = await start(digests)
    expect([status, problem.code]).toEqual([400, 'invalid-input'])
  }
  expect(signing.requests).toEqual([])
  // The length of another digest than that of the certificate.
  expect((await start([randomBytes(48).toString('base64')])).problem.code).toBe('invalid-input')
  signing.reset()
  await portal.owner.query(`delete from rate_limits`)
  const { limit } = limits.fileSigning.signings
  const shots = Array.from({ length: limit + 5 }, () =>
    preparedCall(
      startFileSigning,
      { body: { signer: signature.id, digests: digestsOf(1) } },
      { cookie: customer.cookie },
    ),
  )
  const codes = codesOf(await sendTogether(portal, shots))
  expect(codes.filter((code) => code === 'too-many-attempts').length).toBeGreaterThanOrEqual(5)
  // Once for each that was counted.
  expect(requestsOf('credentials/list')).toHaveLength(limit)
  signing.reset()
  expect((await start(digestsOf(1))).problem.code).toBe('too-many-attempts')
  expect(signing.requests).toEqual([])
})

test('R204 the list of certificates is limited too, before the service is called', async () => {
  const { limit } = limits.fileSigning.lists
  const { cookie } = await signInDirectly(portal, await addCustomer(portal))
  const shots = Array.from({ length: limit + 5 }, () => preparedCall(listFileSigners, {}, { cookie }))
  const refused = (await sendTogether(portal, shots)).filter(({ status }) => status === 429)
  expect(refused).toHaveLength(5)
  expect(requestsOf('credentials/list')).toHaveLength(limit)
})

test('R202 a code is for the algorithm with which the key was to sign', async () => {
  const { params, entry } = await begin()
  const { remoteSigning } = portal.nodes[0]!.portal.ports
  const pss = remoteSigningByCsc({ ...signing.service, algorithms: [{ scheme: 'rsa-pss', digest: 'sha256' }] })
  for (const node of portal.nodes) Object.assign(node.portal.ports, { remoteSigning: pss })
  const { problem } = await customer.call(confirmFileSigning, { params, body: entry })
  for (const node of portal.nodes) Object.assign(node.portal.ports, { remoteSigning })
  expect(problem.code).toBe('signing-changed')
})

test('SGN-28 R251 digests and signatures are removed after a day, and a restart of the same signing keeps its code', async () => {
  const digests = digestsOf(2)
  const first = await begin(digests)
  const sent = portal.texts.length
  const again = await customer.call(startFileSigning, { body: { signer: signature.id, digests } })
  await portal.deliver()
  expect(again.body).toMatchObject({ signing: { id: first.signing.id }, code: { id: first.code.id } })
  expect(portal.texts).toHaveLength(sent)
  await portal.clock.advance(limits.fileSigning.kept + 1)
  const kept = async () => {
    await removeOldSignings(portal.db)
    return (await portal.owner.query(`select from file_signings where id = $1`, [first.params.id])).rows.length
  }
  const hold = (at: string) =>
    portal.owner.query(
      `update accounts set held_at = ${at} where id = (select account_id from file_signings where id = $1)`,
      [first.params.id],
    )
  // Not while the customer is under a legal hold (R251).
  await hold('portal_now()')
  expect(await kept()).toBe(1)
  await hold('null')
  expect(await kept()).toBe(0)
})
