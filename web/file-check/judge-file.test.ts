import { expect, test } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { base64Of } from '../../pki/bytes.ts'
import { signedAgain, stampedOften } from '../../pki/testing/pades-anchors.ts'
import { anna } from '../../pki/testing/pades-authorities.ts'
import { chainsIn } from './judge-file.ts'

const signer = base64Of(anna.certificate)

test('CHK-5 the signer is asked about first, and the rest of many timestamps in the next calls', async () => {
  const report = await stampedOften()
  const asked = new Map<string, number>()
  const calls = Array.from({ length: 4 }, () => chainsIn(report, asked))
  expect(calls[0]?.[0]?.path[0]).toBe(signer)
  for (const chains of calls)
    expect(chains.flatMap(({ path }) => path).length).toBeLessThanOrEqual(limits.revocation.certificates)
  const leaves = calls.flat().map(({ path }) => path[0])
  expect(new Set(leaves).size).toBe(leaves.length)
  // The signer and ten timestamps; their issuer is in each chain.
  expect(leaves.length).toBe(11)
})

test('CHK-5 CHK-13 a certificate with several signatures is asked about once, at the latest time', async () => {
  const { report, times } = await signedAgain()
  const ofSigner = chainsIn(report, new Map()).filter(({ path }) => path[0] === signer)
  expect(ofSigner.map(({ at }) => at)).toEqual([times.at(-1)!.toISOString()])
})
