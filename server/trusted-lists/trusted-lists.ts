import { createHash, hash } from 'node:crypto'
import { limits } from '../../contract/limits.ts'
import type { ListPointer, ListType } from '../../pki/trusted-lists/trusted-list.ts'
import { raiseAlarm } from '../platform/audit/alarms.ts'
import { readDatabaseTime } from '../platform/database/database.ts'
import { trustedListFetched, type TrustedListOutcome } from '../platform/observability/events.ts'
import { listProblem } from '../platform/operations/trusted-list-problem.ts'
import type { ServerFeature, Portal } from '../platform/portal.ts'
import type { TrustedListsPort } from '../platform/ports.ts'
import { readInThread } from './list-reading.ts'
import {
  beginRound,
  delayRound,
  listStoredLists,
  putList,
  isSignedFor,
  readUsedPointers,
} from './trusted-list-store.ts'

const { refreshEvery, retryAfter, bytes: maxBytes, maxCountries } = limits.trustedLists

/**
 * Fetches the list of lists and then the lists of the countries that it names, on one node (CHK-11). If a list cannot be fetched or is
 * refused, the stored one is kept.
 */
export async function fetchLists(portal: Portal): Promise<void> {
  const { db, ports } = portal
  const { trustedLists: source } = ports
  if (!source) return
  const round = roundOf(source)
  if (!(await beginRound(db, round, retryAfter))) return
  const { url, certificates, countries } = source
  const outcomes = [await fetchList(portal, source, 'listOfLists', { territory: 'EU', url, certificates })]
  const pointers = (await readUsedPointers(db, source)).slice(0, maxCountries)
  // One after another, since each may take much memory.
  for (const pointer of pointers) outcomes.push(await fetchList(portal, source, 'national', pointer))
  const missing = countries.filter((country) => !pointers.some(({ territory }) => territory === country))
  if (pointers.length)
    for (const country of missing)
      source.report(`The list of lists names no list of ${country}: check TRUSTED_LISTS_COUNTRIES.`)
  await raiseExpiryAlarm(portal, source, pointers)
  if (outcomes.every((outcome) => outcome === 'new' || outcome === 'unchanged'))
    await delayRound(db, round, refreshEvery)
}

/** Names a round by the settings: others begin a round of their own, at once. */
function roundOf({ url, certificates, countries }: TrustedListsPort): string {
  const digest = createHash('sha256').update(JSON.stringify([url, countries]))
  for (const certificate of certificates) digest.update(certificate)
  return digest.digest('hex')
}

type ListToFetch = Pick<ListPointer, 'territory' | 'url'> & { certificates: readonly Uint8Array[] }

async function fetchList(
  portal: Portal,
  source: TrustedListsPort,
  type: ListType,
  wanted: ListToFetch,
): Promise<TrustedListOutcome> {
  const outcome = await refreshList(portal, source, type, wanted)
  trustedListFetched.publish({ outcome })
  return outcome
}

async function refreshList(
  { db }: Portal,
  source: TrustedListsPort,
  type: ListType,
  { territory, url, certificates }: ListToFetch,
): Promise<TrustedListOutcome> {
  const report = (code: Parameters<typeof listProblem>[1], detail: string) =>
    source.report(listProblem(territory, code, detail))
  const answer = await source.fetch(url)
  if ('fault' in answer) {
    report('unreachable', answer.fault)
    return 'unreachable'
  }
  const now = await readDatabaseTime(db)
  const fileDigest = hash('sha256', answer.bytes, 'buffer')
  const stored = (await listStoredLists(db, source.url)).find((list) => list.territory === territory)
  const isKnown = stored?.fileDigest.equals(fileDigest) && isSignedFor(stored, certificates)
  if (isKnown && !(stored?.nextUpdate && stored.nextUpdate < now)) return 'unchanged'
  const expected = { type, territory, certificates, maxBytes, now }
  const reading = await readInThread(answer.bytes, expected)
  if (reading.problem) {
    report(reading.problem, reading.detail)
    return 'refused'
  }
  if (await putList(db, { source: source.url, list: reading.list, fileDigest })) return 'new'
  report('older', `number ${reading.list.sequenceNumber}`)
  return 'refused'
}

/** Raises an alarm for each list whose successor is due: it still counts, but what has changed since is not known. */
async function raiseExpiryAlarm(portal: Portal, source: TrustedListsPort, pointers: ListPointer[]): Promise<void> {
  const now = await readDatabaseTime(portal.db)
  const used = new Set(['EU', ...pointers.map(({ territory }) => territory)])
  for (const { territory, nextUpdate } of await listStoredLists(portal.db, source.url))
    if (used.has(territory) && nextUpdate && nextUpdate < now)
      raiseAlarm(portal, { name: 'trusted-list-expired', about: territory })
}

export const trustedListsFeature: ServerFeature = {
  calls: [],
  jobs: [{ name: 'trusted-lists', everySeconds: 600, runsAtStart: true, run: fetchLists }],
}
