import { expect, test } from 'vitest'
import { readRevocationData } from '../../contract/file-check.ts'
import { limits } from '../../contract/limits.ts'
import { base64Of } from '../../pki/bytes.ts'
import { anna, issuing, ocspAnswer, root, seal, signedAt, stamper } from '../../pki/testing/pades-authorities.ts'
import { readFoundEvidence } from './found-evidence.ts'
import { groupsOf, newestFirst } from './revocation-evidence.ts'

const chain = (path: Uint8Array[], at = signedAt) => ({ path, at })
const later = (seconds: number) => new Date(signedAt.getTime() + seconds * 1000)

test('SGN-21 the certificates of the own signatures are asked about first, and then the newest earlier ones', () => {
  const file = (name: number, at: Date) => ({
    newest: [chain([Uint8Array.of(name)])],
    earlier: [chain([Uint8Array.of(name + 10)], at)],
  })
  const order = newestFirst([file(1, later(1)), file(2, later(3)), file(3, later(2))])
  expect(order.map(({ path }) => path[0]![0])).toEqual([1, 2, 3, 12, 13, 11])
})

test('SGN-21 R182 each certificate is asked about once, in calls that the portal accepts', () => {
  const certificateOf = (index: number, length: number) => new Uint8Array(length).fill(index)
  const small = Array.from({ length: 10 }, (_, index) => chain([certificateOf(index, 100), issuing.certificate]))
  const large = Array.from({ length: 10 }, (_, index) => chain([certificateOf(index + 10, 12_000)]))
  const groups = groupsOf([...small, ...small, ...large])
  expect(groups.flat().map(({ path }) => path[0])).toEqual([...small, ...large].map(({ path }) => base64Of(path[0]!)))
  for (const chains of groups) {
    expect(readRevocationData.body.safeParse({ chains }).success).toBe(true)
    expect(JSON.stringify({ chains }).length).toBeLessThan(limits.http.jsonBytes)
    expect(chains.flatMap(({ path }) => path).length).toBeLessThanOrEqual(limits.revocation.certificates)
  }
})

test('SGN-21 what the portal replied is read: of the authorities only those above the certificates, and each answer once', async () => {
  const json = (value: unknown) => new Blob([JSON.stringify(value)])
  const entry = (certificate: Uint8Array) => ({
    certificate: base64Of(certificate),
    purposes: null,
    from: null,
    to: null,
  })
  const authorities = json({ authorities: [entry(root.certificate), entry(stamper.certificate)], intermediates: [] })
  const answer = ocspAnswer(anna)
  const reply = json({ ocsps: [base64Of(answer), '%'], crls: [] })
  const found = await readFoundEvidence({ authorities, revocations: [reply, reply] }, [
    chain([anna.certificate, issuing.certificate]),
    chain([seal.certificate]),
  ])
  expect(found.anchors.map(base64Of)).toEqual([base64Of(root.certificate)])
  const ocsps = await Promise.all(found.ocsps.map((blob) => blob.arrayBuffer()))
  expect(ocsps.map((bytes) => base64Of(new Uint8Array(bytes)))).toEqual([base64Of(answer)])
  expect(found.crls).toEqual([])
})
