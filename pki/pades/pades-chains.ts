import { base64Of } from '../bytes.ts'
import type { CertificateChain, DocumentReport } from './pades-report.ts'

/**
 * What the authorities are asked about, in the order in which it matters, because a call takes few: the signers, that of the newest
 * signature first, and then the authorities of timestamps.
 */
export const openChains = ({ unproven, outdated }: Pick<DocumentReport, 'unproven' | 'outdated'>): CertificateChain[] =>
  distinctChains([...unproven, ...outdated].toSorted((a, b) => (b.revision ?? -1) - (a.revision ?? -1)))

/** Each certificate once, at the latest time in question and with its longest path; the others contain what is left out. */
export function distinctChains(chains: readonly CertificateChain[]): CertificateChain[] {
  const byLeaf = new Map<string, CertificateChain>()
  for (const { path, at } of chains) {
    const leaf = path[0] ? base64Of(path[0]) : ''
    const known = byLeaf.get(leaf) ?? { path, at }
    byLeaf.set(leaf, {
      path: known.path.length < path.length ? path : known.path,
      at: known.at < at ? at : known.at,
    })
  }
  const distinct = [...byLeaf].map(([leaf, chain]) => ({
    leaf,
    chain,
    above: new Set(chain.path.slice(1).map(base64Of)),
  }))
  const isIn = (one: (typeof distinct)[number], other: (typeof distinct)[number]) =>
    other.chain.path.length > one.chain.path.length && other.chain.at >= one.chain.at && other.above.has(one.leaf)
  return distinct.filter((each) => !distinct.some((other) => isIn(each, other))).map(({ chain }) => chain)
}
