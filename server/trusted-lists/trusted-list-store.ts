import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { TrustAnchor } from '../../pki/asn1/certificate-path.ts'
import { anchorsOf } from '../../pki/trusted-lists/trust-service.ts'
import type { ListPointer, TrustedList } from '../../pki/trusted-lists/trusted-list.ts'
import { type Db, query } from '../platform/database/database.ts'
import type { TrustedListsPort } from '../platform/ports.ts'

/** A list as it was last accepted. */
export type StoredList = {
  territory: string
  /** The version, another one for each list. */
  version: string
  fileDigest: Buffer
  signer: Buffer
  nextUpdate: Date | null
}

/**
 * Stores a list unless a newer one is stored, or another one with the same number (R191): one statement, so that nodes cannot replace
 * a new list by an old one. False if it is not stored.
 */
export async function putList(
  db: Db,
  { source, list, fileDigest }: { source: string; list: TrustedList; fileDigest: Uint8Array },
): Promise<boolean> {
  const content: Content =
    list.type === 'listOfLists'
      ? { pointers: list.pointers.map(writtenPointer), anchors: [] }
      : { pointers: [], anchors: anchorsOf(list.services).map(writtenAnchor) }
  return query(db).changesOne(sql`
    insert into trusted_lists (source, territory, sequence_number, digest, file_digest, signer, issued_at, next_update, content)
    values (${source}, ${list.territory}, ${list.sequenceNumber}, ${Buffer.from(list.digest)}, ${Buffer.from(fileDigest)},
      ${Buffer.from(list.signer)}, ${list.issuedAt}, ${list.nextUpdate ?? null}, ${JSON.stringify(content)}::jsonb)
    on conflict (source, territory) do update set sequence_number = excluded.sequence_number, digest = excluded.digest,
      file_digest = excluded.file_digest, signer = excluded.signer, issued_at = excluded.issued_at, next_update = excluded.next_update,
      content = excluded.content, accepted_at = excluded.accepted_at
    where trusted_lists.sequence_number < excluded.sequence_number
      or (trusted_lists.sequence_number = excluded.sequence_number and trusted_lists.digest = excluded.digest)`)
}

export const listStoredLists = (db: Db, source: string): Promise<StoredList[]> =>
  query(db).all(sql<StoredList>`
    select territory, sequence_number || ' ' || encode(file_digest, 'hex') as version, file_digest, signer, next_update
    from trusted_lists where source = ${source} order by territory`)

export async function readPointers(db: Db, source: string): Promise<ListPointer[]> {
  const [content] = await readContents(db, source, ['EU'])
  return (content?.pointers ?? []).map(readPointer)
}

export async function readStoredAnchors(
  db: Db,
  source: string,
  territories: readonly string[],
): Promise<TrustAnchor[]> {
  const contents = await readContents(db, source, territories)
  return contents.flatMap(({ anchors }) => anchors.map(readAnchor))
}

async function readContents(db: Db, source: string, territories: readonly string[]): Promise<Content[]> {
  const rows = await query(db).all(sql<{ content: unknown }>`
    select content from trusted_lists where source = ${source} and territory = any(${territories}::text[]) order by territory`)
  return rows.map(({ content }) => Content.parse(content))
}

/**
 * Claims the fetching of the lists for this node; false if it is claimed already. The other nodes wait for `seconds`, even if this node
 * stops in between.
 */
export async function beginRound(db: Db, id: string, seconds: number): Promise<boolean> {
  return query(db).changesOne(sql`
    insert into trusted_list_rounds (id, next_at) values (${id}, portal_now() + make_interval(secs => ${seconds}))
    on conflict (id) do update set next_at = excluded.next_at where trusted_list_rounds.next_at <= portal_now()`)
}

export async function delayRound(db: Db, id: string, seconds: number): Promise<void> {
  await query(db).run(sql`
    update trusted_list_rounds set next_at = portal_now() + make_interval(secs => ${seconds}) where id = ${id}`)
}

const WrittenPointer = z.object({ territory: z.string(), url: z.string(), certificates: z.array(z.base64()) })
const WrittenAnchor = z.object({
  certificate: z.base64(),
  purposes: z.array(z.enum(['signatures', 'seals', 'timestamps'])),
  from: z.iso.datetime(),
  to: z.nullable(z.iso.datetime()),
  doubts: z.optional(z.array(z.enum(['device', 'signatures', 'seals']))),
})
const Content = z.object({ pointers: z.array(WrittenPointer), anchors: z.array(WrittenAnchor) })
type Content = z.infer<typeof Content>

const toBase64 = (der: Uint8Array) => Buffer.from(der).toString('base64')
const fromBase64 = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))

const writtenPointer = ({ certificates, ...pointer }: ListPointer) => ({
  ...pointer,
  certificates: certificates.map(toBase64),
})
const readPointer = ({ certificates, ...pointer }: z.infer<typeof WrittenPointer>): ListPointer => ({
  ...pointer,
  certificates: certificates.map(fromBase64),
})

const writtenAnchor = ({ certificate, purposes, from, to, doubts }: TrustAnchor) => ({
  certificate: toBase64(certificate),
  purposes: purposes ?? [],
  from: (from ?? new Date(0)).toISOString(),
  to: to?.toISOString() ?? null,
  ...(doubts && { doubts }),
})
const readAnchor = ({ certificate, purposes, from, to, doubts }: z.infer<typeof WrittenAnchor>): TrustAnchor => ({
  certificate: fromBase64(certificate),
  purposes,
  from: new Date(from),
  ...(to !== null && { to: new Date(to) }),
  ...(doubts && { doubts }),
})

type Source = Pick<TrustedListsPort, 'url' | 'certificates' | 'countries'>

/**
 * Returns the pointers to the lists of the countries in use, from the stored list of lists; none if its own signer is no longer accepted.
 */
export async function readUsedPointers(db: Db, source: Source): Promise<ListPointer[]> {
  const { url, certificates, countries } = source
  const lists = (await listStoredLists(db, url)).find(({ territory }) => territory === 'EU')
  if (!lists || !isSignedFor(lists, certificates)) return []
  const pointers = await readPointers(db, url)
  return pointers.filter(({ territory }) => !countries.length || countries.includes(territory))
}

/** Checks whether a stored list was signed by a certificate that is still named for it. */
export const isSignedFor = ({ signer }: StoredList, certificates: readonly Uint8Array[]) =>
  certificates.some((certificate) => signer.equals(certificate))

/**
 * Returns a function that reads the anchors of the stored lists. Each call checks whether a list has changed; unchanged ones stay in
 * memory, with their certificates.
 */
export function listedAnchors(db: Db, source: Source): () => Promise<TrustAnchor[]> {
  let known: { version: string; anchors: TrustAnchor[] } | undefined
  return async () => {
    const stored = await listStoredLists(db, source.url)
    const version = stored.map((list) => `${list.territory} ${list.version}`).join('\n')
    if (known?.version !== version) {
      const pointers = await readUsedPointers(db, source)
      const used = stored.filter((list) =>
        pointers.some((pointer) => pointer.territory === list.territory && isSignedFor(list, pointer.certificates)),
      )
      const territories = used.map(({ territory }) => territory)
      known = { version, anchors: await readStoredAnchors(db, source.url, territories) }
    }
    return known.anchors
  }
}
