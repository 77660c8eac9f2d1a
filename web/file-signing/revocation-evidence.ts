import { listTrustedAuthorities, readRevocationData } from '../../contract/file-check.ts'
import { limits } from '../../contract/limits.ts'
import { base64Of, fromBase64 } from '../../pki/bytes.ts'
import type { SignerChains } from '../../pki/pades/pades-long-term.ts'
import { call, failedWith } from '../api.ts'
import type { Evidence } from './signed-file.ts'

type Chain = SignerChains['newest'][number]

/** The trusted authorities, and evidence that the certificates of all files were not revoked (SGN-21). Only certificates are sent. */
export async function fetchEvidence(files: readonly SignerChains[]): Promise<Omit<Evidence, 'chains'>> {
  const { authorities } = await call(listTrustedAuthorities)
  const anchors = authorities.flatMap(({ certificate }) => derIn(certificate))
  const [ocsps, crls]: [Uint8Array[], Uint8Array[]] = [[], []]
  // Those of the own signatures come first, because earlier ones are only completed where that is possible.
  const chains = [...files.flatMap(({ newest }) => newest), ...files.flatMap(({ earlier }) => earlier)]
  for (const group of groupsOf(chains)) {
    const found = await call(readRevocationData, { body: { chains: group } }).catch((error: unknown) => {
      if (failedWith(error)) return undefined
      throw error
    })
    // What was found before may be enough: that of the own signatures is asked for first.
    if (!found) break
    ocsps.push(...found.ocsps.flatMap(derIn))
    crls.push(...found.crls.flatMap(derIn))
  }
  return { anchors, ocsps, crls }
}

const derIn = (base64: string) => fromBase64(base64) ?? []

/** Each certificate once, with its longest chain, in groups that one call takes. */
function groupsOf(chains: readonly Chain[]) {
  const { certificates, pathLength } = limits.revocation
  const groups: { path: string[]; at: string }[][] = []
  const asked = new Set<string>()
  let count: number = certificates
  for (const { path, at } of chains) {
    const encoded = path.slice(0, pathLength).map(base64Of)
    if (!encoded[0] || asked.has(encoded[0])) continue
    for (const each of encoded) asked.add(each)
    if (count + encoded.length > certificates) {
      groups.push([])
      count = 0
    }
    count += encoded.length
    groups.at(-1)!.push({ path: encoded, at: at.toISOString() })
  }
  return groups
}
