import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { ExtendedKeyUsage, id_ce_extKeyUsage, id_kp_timeStamping, KeyUsageFlags } from '@peculiar/asn1-x509'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { extension } from '../pki/certificate-write.ts'
import { validatePdf } from '../pki/pades-validate.ts'
import {
  cn,
  holder,
  issuing,
  revocationList,
  root,
  tokenOver,
  usage,
  type Holder,
} from '../pki/testing/pades-authorities.ts'
import { renewArchives } from './archives.ts'
import { removeDiscarded } from './discarded-files.ts'
import type { DocumentStore } from './ports/ports.ts'
import { revocationByHttp } from './ports/revocation-http.ts'
import { sealedDocuments } from './sealed-documents.ts'
import { agreed, openRenewalHouse, signed, type RenewalHouse } from './testing/sample-renewals.ts'

/** R105, R106: agreements that are signed in the portal, their archive timestamps, and how these go on. */

let house: RenewalHouse
const folder = mkdtempSync(join(tmpdir(), 'sygnet-archives-'))
const day = 86_400_000
/** What the timestamp authority does now: its certificate, or nothing. */
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

beforeAll(async () => {
  house = await openRenewalHouse({ documents: folder })
  const { authority } = house.provider
  const trust = async () => ({
    anchors: [{ certificate: authority.certificates.root }, { certificate: root.certificate }],
    intermediates: [authority.certificates.issuing, issuing.certificate],
    crls: [
      ...(await Promise.all([authority.revocationList('root'), authority.revocationList('issuing')])),
      revocationList({ issuer: root, at: house.now() }),
      revocationList({ issuer: issuing, at: house.now() }),
    ],
  })
  const timestamps = {
    stamp: async (digest: Uint8Array) => (stamper ? tokenOver(digest, house.now(), stamper) : ('unreachable' as const)),
  }
  for (const { portal } of house.portal.nodes)
    Object.assign(portal.ports, { timestamps, revocation: revocationByHttp({ trust, hosts: [] }) })
})
beforeEach(async () => {
  stamper = authorityUntil(new Date(house.now().getTime() + 400 * day))
  // What other tests have left is none of this one's.
  await house.portal.owner.query(`update renewals set archive_next_try = 'infinity'`)
})
afterAll(async () => {
  await house.close()
  rmSync(folder, { recursive: true })
})

type Row = {
  signed_key: string
  signed_sha256: string
  archive_renew_by: Date | null
  archive_draft: string | null
}
const rowOf = async (uid: string) =>
  (await house.portal.owner.query<Row>(`select * from renewals where id = $1`, [uid])).rows[0]!

async function fileOf(uid: string): Promise<Uint8Array> {
  const { signed_key } = await rowOf(uid)
  const file = await house.portal.portal.ports.documents.read(signed_key)
  return new Uint8Array(Buffer.concat(await file!.content.toArray()))
}

/** By the file alone: nobody is asked. */
async function reportOf(file: Uint8Array, receivedAt = house.now()) {
  const { signatures } = await validatePdf(file, {
    anchors: [{ certificate: house.provider.authority.certificates.root }, { certificate: root.certificate }],
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
  const renewing = await house.makeRenewable()
  const ready = await agreed(house, renewing)
  expect((await signed(house, renewing, ready)).state).toBe('signed')
  return ready.uid
}

const archivedTimes = async (uid: string) =>
  (
    await house.portal.owner.query(
      `select from audit where act = 'renewal-agreement-archived' and details ->> 'renewal' = $1`,
      [uid],
    )
  ).rowCount

const look = () => Promise.all(house.portal.nodes.map(({ portal }) => renewArchives(portal, report)))
const storedNames = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /[0-9a-f]{36}/.test(name.replaceAll('-', '0')),
  )
const isThere = (key: string) => storedNames().some((name) => name.includes(key.split('/')[1]!))

test('R105 a signed agreement is B-LTA, and needs another timestamp when the authority’s certificate ends', async () => {
  const uid = await signedAgreement()
  expect(await reportOf(await fileOf(uid))).toEqual({ level: 'B-LTA', problems: [], stamps: 1 })
  const { archive_renew_by } = await rowOf(uid)
  expect(Math.abs(archive_renew_by!.getTime() - house.now().getTime() - 400 * day)).toBeLessThan(day / 24)
  await look()
  expect(await archivedTimes(uid)).toBe(0)
})

test('R106 before it weakens it is renewed, once by two nodes, and the version before is its beginning', async () => {
  const uid = await signedAgreement()
  const before = { row: await rowOf(uid), file: await fileOf(uid) }
  await house.advance((219 * day) / 1000)
  await look()
  expect(await archivedTimes(uid)).toBe(0)
  await house.advance((2 * day) / 1000)
  stamper = authorityUntil(new Date(house.now().getTime() + 4000 * day))
  await Promise.all([look(), look()])
  expect(await archivedTimes(uid)).toBe(1)
  const after = { row: await rowOf(uid), file: await fileOf(uid) }
  expect(Buffer.from(after.file.subarray(0, before.file.length)).equals(before.file)).toBe(true)
  expect(after.row.archive_renew_by!.getTime()).toBeGreaterThan(house.now().getTime() + 3900 * day)
  // Long after the first authority has ended, the file still proves itself.
  const muchLater = new Date(house.now().getTime() + 3000 * day)
  expect(await reportOf(after.file, muchLater)).toEqual({ level: 'B-LTA', problems: [], stamps: 2 })
  // It rests encrypted, and the file of the version before goes.
  const [name] = storedNames().filter((one) => one.includes(after.row.signed_key.split('/')[1]!))
  expect(readFileSync(join(folder, name!)).includes('%PDF')).toBe(false)
  await removeDiscarded(house.portal.db, house.portal.portal.ports.documents)
  expect([isThere(before.row.signed_key), isThere(after.row.signed_key)]).toEqual([false, true])
  await look()
  expect(await archivedTimes(uid)).toBe(1)
})

test('R106 a node that dies between storing the new version and naming it loses none, and leaves nothing behind', async () => {
  const uid = await signedAgreement()
  const before = await rowOf(uid)
  await house.advance((300 * day) / 1000)
  stamper = authorityUntil(new Date(house.now().getTime() + 4000 * day))
  const { portal } = house.portal
  const dying: DocumentStore = {
    ...portal.ports.documents,
    async write(...given) {
      await sealedDocuments(portal.db, portal.keys, house.documents).write(...given)
      throw new Error('killed')
    },
  }
  const failures: unknown[] = []
  await renewArchives({ ...portal, ports: { ...portal.ports, documents: dying } }, (error) => failures.push(error))
  expect(failures).toEqual([new Error('killed')])
  const dead = await rowOf(uid)
  expect(dead.signed_key).toBe(before.signed_key)
  expect([isThere(before.signed_key), isThere(dead.archive_draft!)]).toEqual([true, true])
  // Nobody else takes it at once; later somebody does.
  await look()
  expect(await archivedTimes(uid)).toBe(0)
  await house.advance(700)
  await look()
  expect(await archivedTimes(uid)).toBe(1)
  expect(isThere(dead.archive_draft!)).toBe(false)
  expect(await reportOf(await fileOf(uid))).toMatchObject({ level: 'B-LTA', stamps: 2 })
})

test('R105 without revocation data the agreement is stored without an archive timestamp, and gets it later', async () => {
  const ports = house.portal.nodes.map(({ portal }) => portal.ports)
  const { revocation } = ports[0]!
  const trust = async () => ({ anchors: [{ certificate: house.provider.authority.certificates.root }] })
  const nobody = revocationByHttp({ trust, hosts: [], resolve: () => Promise.reject(new Error('no name')) })
  for (const one of ports) one.revocation = nobody
  const uid = await signedAgreement()
  // What the provider's seal has brought proves the customer's certificate as well.
  expect(await reportOf(await fileOf(uid))).toMatchObject({ level: 'B-LT', stamps: 0 })
  expect((await rowOf(uid)).archive_renew_by).toBeNull()
  const { rows } = await house.portal.owner.query(
    `select details ->> 'archived' as archived from audit where act = 'renewal-signed' and details ->> 'renewal' = $1`,
    [uid],
  )
  expect(rows).toEqual([{ archived: 'not yet' }])
  await look()
  await house.advance(700)
  await look()
  await expect
    .poll(() => house.portal.alarms)
    .toContainEqual({ name: 'validation-data-missing', about: 'archive timestamps' })
  expect(await archivedTimes(uid)).toBe(0)
  for (const one of ports) one.revocation = revocation
  await house.advance(3600)
  await look()
  expect(await reportOf(await fileOf(uid))).toEqual({ level: 'B-LTA', problems: [], stamps: 1 })
  expect(await archivedTimes(uid)).toBe(1)
})

test('R106 a timestamp authority that is away, or whose token is for something else, changes nothing', async () => {
  const uid = await signedAgreement()
  const before = await rowOf(uid)
  await house.advance((300 * day) / 1000)
  stamper = undefined
  await look()
  expect(await rowOf(uid)).toMatchObject({ signed_key: before.signed_key, signed_sha256: before.signed_sha256 })
  expect(await archivedTimes(uid)).toBe(0)
})

test('R106 timestamps from before the day that the operator names are renewed whatever their certificate says', async () => {
  const uid = await signedAgreement()
  const { settings } = house.portal.nodes[0]!.portal
  settings.archives.renewStampedBefore = new Date(house.now().getTime() + day).toISOString().slice(0, 10)
  await house.advance((2 * day) / 1000)
  await renewArchives(house.portal.nodes[0]!.portal, report)
  await renewArchives(house.portal.nodes[0]!.portal, report)
  expect(await archivedTimes(uid)).toBe(1)
  settings.archives.renewStampedBefore = undefined
})
