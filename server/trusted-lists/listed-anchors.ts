import type { TrustAnchor } from '../../pki/asn1/certificate-path.ts'
import type { ListPointer } from '../../pki/trusted-lists/trusted-list.ts'
import type { Db } from '../platform/database/database.ts'
import type { TrustedListsPort } from '../platform/ports.ts'
import { pointersOf, storedAnchors, storedLists, type StoredList } from './trusted-list-store.ts'

type Source = Pick<TrustedListsPort, 'url' | 'certificates' | 'countries'>

/** The countries whose lists are used, as the stored list of lists names them; none if its own signer is no longer accepted. */
export async function usedPointers(db: Db, source: Source): Promise<ListPointer[]> {
  const { url, certificates, countries } = source
  const lists = (await storedLists(db, url)).find(({ territory }) => territory === 'EU')
  if (!lists || !isSignedFor(lists, certificates)) return []
  const pointers = await pointersOf(db, url)
  return pointers.filter(({ territory }) => !countries.length || countries.includes(territory))
}

/** Whether a stored list was signed by a certificate that is still named for it. */
export const isSignedFor = ({ signer }: StoredList, certificates: readonly Uint8Array[]) =>
  certificates.some((certificate) => signer.equals(certificate))

/** The anchors of the stored lists. Each call looks whether a list has changed; unchanged ones stay in memory, with their certificates. */
export function listedAnchors(db: Db, source: Source): () => Promise<TrustAnchor[]> {
  let known: { version: string; anchors: TrustAnchor[] } | undefined
  return async () => {
    const stored = await storedLists(db, source.url)
    const version = stored.map((list) => `${list.territory} ${list.version}`).join('\n')
    if (known?.version !== version) {
      const pointers = await usedPointers(db, source)
      const used = stored.filter((list) =>
        pointers.some((pointer) => pointer.territory === list.territory && isSignedFor(list, pointer.certificates)),
      )
      const territories = used.map(({ territory }) => territory)
      known = { version, anchors: await storedAnchors(db, source.url, territories) }
    }
    return known.anchors
  }
}
