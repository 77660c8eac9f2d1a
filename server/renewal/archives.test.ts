import { readdirSync } from 'node:fs'
import { Readable } from 'node:stream'
import { ExtendedKeyUsage, id_ce_extKeyUsage, id_kp_timeStamping, KeyUsageFlags } from '@peculiar/asn1-x509'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { extension } from '../../pki/asn1/certificate-write.ts'
import { validatePdf } from '../../pki/pades/pades-validate.ts'
import {
  cn,
  holder,
  issuing,
  revocationList,
  root,
  tokenOver,
  usage,
  type Holder,
} from '../../pki/testing/pades-authorities.ts'
import { revocationByHttp } from '../adapters/revocation-http.ts'
import { connect } from '../platform/database/database.ts'
import { removeDiscarded } from '../platform/files/discarded-files.ts'
import { encryptedDocuments } from '../platform/files/encrypted-documents.ts'
import type { DocumentStore } from '../platform/ports.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { folderOfFile, openPortalWithRenewals } from '../testing/open-portal.ts'
import { renewUntilAgreement, signAgreementByCode } from '../testing/samples/sample-renewals.ts'
import { removeUnlessStored } from './agreement-delivery.ts'
import { renewArchives } from './archives.ts'

// Agreements signed in the portal, their archive timestamps, and the renewal of these (R105, R106).

const folder = folderOfFile()
const setup = await openPortalWithRenewals({ documents: folder })
const day = 86_400_000
/** The certificate of the timestamp authority, or undefined while it is unreachable. */
let stamper: Holder | undefined
const report = (error: unknown) => {
  throw error
}

const authorityUntil = (notAfter: Date) =>
  holder(
    {
      name: cn('Stamper'),
      notAfter,
      extensions: [
        usage(KeyUsageFlags.digitalSignature),
        extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_timeStamping]), true),
      ],
    },
    issuing,
  )

const { authority, currentOcspResponses: answers } = setup.provider
const anchors = [{ certificate: authority.certificates.root }, { certificate: root.certificate }]
const trust = async () => ({
  anchors,
  intermediates: [authority.certificates.issuing, issuing.certificate],
  ocsps: await answers(),
  crls: [
    ...(await Promise.all([authority.readRevocationList('root'), authority.readRevocationList('issuing')])),
    revocationList({ issuer: root, at: setup.now() }),
    revocationList({ issuer: issuing, at: setup.now() }),
  ],
})
const timestamps = {
  stamp: async (digest: Uint8Array) => (stamper ? tokenOver(digest, setup.now(), stamper) : ('unreachable' as const)),
}
for (const { portal } of setup.portal.nodes)
  Object.assign(portal.ports, { timestamps, revocation: revocationByHttp({ trust, hosts: [] }) })
beforeEach(async () => {
  stamper = authorityUntil(new Date(setup.now().getTime() + 400 * day))
  // Renewals of earlier tests must not be due in this one.
  await setup.portal.owner.query(`update renewals set archive_next_try = 'infinity'`)
})

type Row = {
  signed_key: string
  signed_sha256: string
  archive_renew_by: Date | null
  archive_draft: string | null
}
const rowOf = async (uid: string) =>
  (await setup.portal.owner.query<Row>(`select * from renewals where id = $1`, [uid])).rows[0]!

async function fileOf(uid: string): Promise<Uint8Array> {
  const { signed_key } = await rowOf(uid)
  const file = await setup.portal.portal.ports.documents.read(signed_key)
  return new Uint8Array(Buffer.concat(await file!.content.toArray()))
}

/** Validates the file by its own data, offline. */
async function reportOf(file: Uint8Array, receivedAt = setup.now()) {
  const { signatures } = await validatePdf(file, {
    anchors,
    receivedAt,
    revocation: 'required',
    signingCertificate: 'v2',
    qualified: false,
  })
  const customer = signatures.findLast(({ kind }) => kind === 'signature')!
  return {
    level: customer.level,
    problems: customer.problems.filter(({ severity }) => severity !== 'remark'),
    stamps: signatures.filter(({ kind, trusted }) => kind === 'document-timestamp' && trusted).length,
  }
}

async function signedAgreement() {
  const renewing = await setup.makeRenewable()
  const ready = await renewUntilAgreement(setup, renewing)
  expect((await signAgreementByCode(setup, renewing, ready)).state).toBe('signed')
  return ready.uid
}

const archivedTimes = async (renewal: string) =>
  (await auditEntries(setup.portal, { action: 'renewal-agreement-archived', details: { renewal } })).length

const renewDueArchives = () => Promise.all(setup.portal.nodes.map(({ portal }) => renewArchives(portal, report)))
const storedNames = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /[0-9a-f]{36}/.test(name.replaceAll('-', '0')),
  )
const isThere = (key: string) => storedNames().some((name) => name.includes(key.split('/')[1]!))

test('R105 a signed agreement is B-LTA, and needs another timestamp when the authority’s certificate ends', async () => {
  const uid = await signedAgreement()
  expect(await reportOf(await fileOf(uid))).toEqual({ level: 'B-LTA', problems: [], stamps: 1 })
  const { archive_renew_by } = await rowOf(uid)
  expect(Math.abs(archive_renew_by!.getTime() - setup.now().getTime() - 400 * day)).toBeLessThan(day / 24)
  await renewDueArchives()
  expect(await archivedTimes(uid)).toBe(0)

  // The file of a transaction whose answer was lost is removed only if the renewal is known not to name it.
  const { portal } = setup.portal.nodes[0]!
  const { signed_key } = await rowOf(uid)
  const stray = `agreements/${crypto.randomUUID()}`
  await portal.ports.documents.write(stray, Readable.from([Buffer.from('%PDF-1.7')]), 100)
  const { db, close } = connect('postgres://127.0.0.1:1/nowhere')
  onTestFinished(close)
  for (const key of [signed_key, stray]) await removeUnlessStored({ ...portal, db }, uid, key)
  expect([isThere(signed_key), isThere(stray)]).toEqual([true, true])
  for (const key of [signed_key, stray]) await removeUnlessStored(portal, uid, key)
  expect([isThere(signed_key), isThere(stray)]).toEqual([true, false])

  // Timestamps from before the day that the operator names are renewed, even if their certificate is still valid.
  portal.settings.archives.renewStampedBefore = new Date(setup.now().getTime() + day).toISOString().slice(0, 10)
  onTestFinished(() => void (portal.settings.archives.renewStampedBefore = undefined))
  await setup.advance((2 * day) / 1000)
  for (let twice = 0; twice < 2; twice++) await renewArchives(portal, report)
  expect(await archivedTimes(uid)).toBe(1)
})

test('R106 a node that dies between storing the new version and naming it loses no version and leaves no file behind', async () => {
  const uid = await signedAgreement()
  const [before, file] = [await rowOf(uid), await fileOf(uid)]
  await setup.advance((219 * day) / 1000)
  await renewDueArchives()
  await setup.advance((2 * day) / 1000)
  // An authority that cannot be reached changes nothing.
  stamper = undefined
  await renewDueArchives()
  expect(await rowOf(uid)).toMatchObject({ signed_key: before.signed_key, signed_sha256: before.signed_sha256 })
  await setup.advance(700)
  stamper = authorityUntil(new Date(setup.now().getTime() + 4000 * day))
  const { portal } = setup.portal
  const dying: DocumentStore = {
    ...portal.ports.documents,
    async write(...given) {
      await encryptedDocuments(portal.db, portal.keys, setup.documents).write(...given)
      throw new Error('killed')
    },
  }
  const failures: unknown[] = []
  await renewArchives({ ...portal, ports: { ...portal.ports, documents: dying } }, (error) => failures.push(error))
  expect(failures).toEqual([new Error('killed')])
  const dead = await rowOf(uid)
  expect(dead.signed_key).toBe(before.signed_key)
  expect([isThere(before.signed_key), isThere(dead.archive_draft!)]).toEqual([true, true])
  // Another node claims it, but not before the claim has expired.
  await renewDueArchives()
  expect(await archivedTimes(uid)).toBe(0)
  await setup.advance(1300)
  await Promise.all([renewDueArchives(), renewDueArchives()])
  expect(await archivedTimes(uid)).toBe(1)
  const renewed = await fileOf(uid)
  expect(Buffer.from(renewed.subarray(0, file.length)).equals(file)).toBe(true)
  // Long after the first authority's certificate has ended, the file is still valid.
  const muchLater = new Date(setup.now().getTime() + 3000 * day)
  expect(await reportOf(renewed, muchLater)).toEqual({ level: 'B-LTA', problems: [], stamps: 2 })
  await removeDiscarded(setup.portal.db, setup.portal.portal.ports.documents)
  const { signed_key } = await rowOf(uid)
  expect([dead.archive_draft!, before.signed_key, signed_key].map(isThere)).toEqual([false, false, true])
})

test('R105 without revocation data the agreement gets its archive timestamp later', async () => {
  const ports = setup.portal.nodes.map(({ portal }) => portal.ports)
  const { revocation } = ports[0]!
  const nobody = revocationByHttp({
    trust: async () => ({ anchors: anchors.slice(0, 1) }),
    hosts: [],
    resolve: () => Promise.reject(new Error('no name')),
  })
  for (const port of ports) port.revocation = nobody
  const uid = await signedAgreement()
  // The validation data of the provider's seal prove the customer's certificate as well, but not the authority of the timestamp.
  expect(await reportOf(await fileOf(uid))).toMatchObject({ level: 'B-T', stamps: 0 })
  expect((await rowOf(uid)).archive_renew_by).toBeNull()
  expect(await auditEntries(setup.portal, { action: 'renewal-signed', details: { renewal: uid } })).toMatchObject([
    { details: { archived: 'not yet' } },
  ])
  await renewDueArchives()
  await setup.advance(700)
  await renewDueArchives()
  await expect
    .poll(() => setup.portal.alarms)
    .toContainEqual({ name: 'validation-data-missing', about: 'archive timestamps' })
  expect(await archivedTimes(uid)).toBe(0)
  for (const port of ports) port.revocation = revocation
  await setup.advance(3600)
  await renewDueArchives()
  expect(await reportOf(await fileOf(uid))).toEqual({ level: 'B-LTA', problems: [], stamps: 1 })
  expect(await archivedTimes(uid)).toBe(1)
})
