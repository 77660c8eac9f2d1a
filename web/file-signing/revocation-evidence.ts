import { listTrustedAuthorities, readRevocationData } from '../../contract/file-check.ts'
import { limits } from '../../contract/limits.ts'
import { base64Of } from '../../pki/bytes.ts'
import type { SignerChains } from '../../pki/pades/pades-long-term.ts'
import { type CertificateChain, distinctChains } from '../../pki/pades/pades-report.ts'
import { onFailure } from '../calls/api.ts'
import { fetchUnreadReply } from '../calls/unread-reply.ts'
import type { FoundEvidence } from './found-evidence.ts'
import { runStep } from './signing-steps.ts'

/** Maximum number of calls to the authorities for one signing: a network has few calls (R182), and colleagues share it. */
const maxCalls = 6

/**
 * Fetches the trusted authorities, and evidence that the certificates of all files were not revoked (SGN-21). Only certificates are sent.
 */
export async function fetchEvidence(files: readonly SignerChains[]): Promise<FoundEvidence> {
  const chains = newestFirst(files)
  const { content: authorities } = await fetchUnreadReply(listTrustedAuthorities)
  const revocations: Blob[] = []
  for (const group of groupsOf(chains).slice(0, maxCalls)) {
    const found = await fetchUnreadReply(readRevocationData, { chains: group }).catch(onFailure([], () => undefined))
    // What was found before may be enough: that of the own signatures is asked for first.
    if (!found) break
    revocations.push(found.content)
  }
  return runStep('evidence', { authorities, revocations, chains })
}

/** Returns the chains of the own signatures, and then those of earlier ones, which are only completed where that is possible. */
export const newestFirst = (files: readonly SignerChains[]): CertificateChain[] => [
  ...files.flatMap(({ newest }) => newest),
  ...files.flatMap(({ earlier }) => earlier).toSorted((a, b) => b.at.getTime() - a.at.getTime()),
]

/** The largest body, with room for what is around the certificates. */
const maxCharacters = limits.http.jsonBytes * 0.9

/** Splits the chains into groups that one call takes, each certificate once. */
export function groupsOf(chains: readonly CertificateChain[]) {
  const { certificates: most, pathLength } = limits.revocation
  const groups: { path: string[]; at: string }[][] = []
  let [count, characters] = [Infinity, 0]
  for (const { path: ders, at } of distinctChains(chains)) {
    const path = ders.slice(0, pathLength).map(base64Of)
    const length = path.join().length
    if (!path[0] || length > maxCharacters) continue
    if (count + path.length > most || characters + length > maxCharacters) {
      groups.push([])
      count = 0
      characters = 0
    }
    count += path.length
    characters += length
    groups.at(-1)!.push({ path, at: at.toISOString() })
  }
  return groups
}
