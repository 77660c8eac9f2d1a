import { expect, test } from 'vitest'
import { limits } from '../../../contract/limits.ts'
import { anna, issuing } from '../../../pki/testing/pades-authorities.ts'
import { chainReplies } from './pdf-check.ts'
import { openChains } from '../../../pki/pades/pades-report.ts'
import { signedAgain, stampedOften } from '../../../pki/testing/pades-anchors.ts'

const base64 = ({ certificate }: { certificate: Uint8Array }) => Buffer.from(certificate).toString('base64')

test('R104 the signer is asked about first, however many timestamps a file has', async () => {
  const replies = chainReplies(openChains(await stampedOften()))
  expect(replies).toHaveLength(limits.revocation.certificates)
  expect(replies[0]?.path.slice(0, 2)).toEqual([base64(anna), base64(issuing)])
})

test('R104 R256 a certificate with several signatures is asked about once, at the latest time', async () => {
  const { report, times } = await signedAgain()
  const replies = chainReplies(openChains(report))
  expect(replies.map(({ path, at }) => [path[0], at])).toContainEqual([base64(anna), times.at(-1)!.toISOString()])
  expect(replies.filter(({ path }) => path[0] === base64(anna))).toHaveLength(1)
})
