import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { Reply } from '../../contract/endpoint.ts'
import * as calls from '../../contract/file-check.ts'
import { limits } from '../../contract/limits.ts'
import { fromBase64 } from '../../pki/bytes.ts'
import type { ValidationData } from '../../pki/pades/pades-validation-data.ts'
import { readDatabaseTime } from '../platform/database/database.ts'
import { handler } from '../platform/http/http.ts'
import { networkOf, subnetOf } from '../platform/observability/network.ts'
import type { ServerFeature, Portal } from '../platform/portal.ts'
import type { TrustedAuthorities } from '../platform/ports.ts'

// What a browser needs to judge a signed file that it does not send (CHK-5).

const listTrustedAuthorities = handler(calls.listTrustedAuthorities, async ({ address, limit }, portal) => {
  const charge = async () => void (await limit('too-many-attempts', ['trusted-authorities', networkOf(address)]))
  return {
    reply: replyFor(portal, (await portal.ports.trust?.()) ?? { anchors: [] }),
    at: await readDatabaseTime(portal.db),
    charge,
  }
})

const readRevocationData = handler(calls.readRevocationData, async ({ body, address, fail, limit }, portal) => {
  const { ports, db } = portal
  const running = lookUps.get(portal) ?? 0
  if (!ports.revocation || running >= limits.fileCheck.parallel) throw fail('unavailable')
  lookUps.set(portal, running + 1)
  try {
    await limit('too-many-attempts', [
      ['revocation-look-up', networkOf(address)],
      ['revocation-look-up-subnet', subnetOf(address)],
    ])
    const chains = body.chains.map(({ path, at }) => ({
      path: path.flatMap((certificate) => fromBase64(certificate) ?? []),
      at: new Date(at),
    }))
    const { data } = await ports.revocation.collectEvidence(chains, await readDatabaseTime(db))
    return Readable.from(jsonOf(data))
  } finally {
    lookUps.set(portal, lookUps.get(portal)! - 1)
  }
})

/** Number of look-ups in progress on each node. */
const lookUps = new WeakMap<Portal, number>()

/** Bytes of evidence that are encoded in one turn of the event loop; a multiple of three, so that their base64 can be joined. */
const piece = 3 * 16_384

/** Writes evidence as the reply of its endpoint. Lists have up to 8 MB, which would take a quarter of a second in one turn. */
async function* jsonOf({ ocsps, crls }: Pick<ValidationData, 'ocsps' | 'crls'>) {
  yield '{"ocsps":['
  yield* itemsOf(ocsps)
  yield '],"crls":['
  yield* itemsOf(crls)
  yield ']}'
}

async function* itemsOf(ders: readonly Uint8Array[]) {
  for (const [i, der] of ders.entries()) {
    yield i ? ',"' : '"'
    for (let at = 0; at < der.length; at += piece) {
      yield inBase64(der.subarray(at, at + piece))
      await setImmediate()
    }
    yield '"'
  }
}

const inBase64 = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')

type Authorities = { parts: unknown[]; reply: Reply<typeof calls.listTrustedAuthorities> }
const newest = new WeakMap<Portal, Authorities>()

/** Returns the same object until an authority is another one, so that a node encodes thousands of them once. */
function replyFor(portal: Portal, { anchors, intermediates = [] }: TrustedAuthorities) {
  const parts = [
    ...anchors.flatMap(({ certificate, purposes, from, to, doubts }) => [certificate, purposes, from, to, doubts]),
    ...intermediates,
  ]
  const known = newest.get(portal)
  if (known && parts.length === known.parts.length && parts.every((part, at) => part === known.parts[at]))
    return known.reply
  const reply = replyOf(anchors, intermediates)
  newest.set(portal, { parts, reply })
  return reply
}

const replyOf = (
  anchors: TrustedAuthorities['anchors'],
  intermediates: readonly Uint8Array[],
): Reply<typeof calls.listTrustedAuthorities> => ({
  authorities: anchors.map(({ certificate, purposes, from, to, doubts }) => ({
    certificate: inBase64(certificate),
    purposes: purposes ? [...purposes] : null,
    from: from?.toISOString() ?? null,
    to: to?.toISOString() ?? null,
    ...(doubts && { doubts: [...doubts] }),
  })),
  intermediates: intermediates.map(inBase64),
})

export const fileCheckFeature: ServerFeature = { calls: [listTrustedAuthorities, readRevocationData] }
