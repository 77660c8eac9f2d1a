import { sql } from 'kysely'
import type { Given } from '../../contract/endpoint.ts'
import type { FileSigner, UnusableSigner } from '../../contract/file-signing.ts'
import { limits } from '../../contract/limits.ts'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import { sha256 } from '../../pki/asn1/signature-algorithm.ts'
import { base64Of, hexOf } from '../../pki/bytes.ts'
import { inCloudCondition, stopRequestedCondition } from '../certificates/certificate-conditions.ts'
import { single, type Db, type Tx, query } from '../platform/database/database.ts'
import { column, describeRows, type RowOf } from '../platform/database/described-rows.ts'
import { decryptCertificates } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { chainWithoutRoot } from '../platform/pdf/remote-signing.ts'
import type { Portal } from '../platform/portal.ts'
import type { SigningCredential } from '../platform/ports.ts'
import { requirementOf } from '../service-authorisation/service-authorisation.ts'

/** A valid cloud signature or seal with its certificate. */
export type CloudCertificate = {
  id: string
  kind: 'signature' | 'seal'
  name: string
  organisation: string | null
  validTo: Date
  /** The certificate, as base64 of its DER. */
  certificate: string
  /** Whether its suspension or revocation is requested, so that it signs nothing (STP-8). */
  isStopping: boolean
}

/** Lists the customer's own signatures, and the seals that they may use as an active user, each kind with the newest first (R203). */
export async function listCloudCertificates(db: Db, keys: Keys, accountId: string): Promise<CloudCertificate[]> {
  type Row = Omit<CloudCertificate, 'certificate'> & { validFrom: Date; encrypted: Buffer | null; der: Buffer | null }
  const rows = await query(db).all(sql<Row>`
    select s.id, 'signature' as kind, s.name, s.organisation, s.valid_from, s.valid_to, s.certificates as encrypted, null as der,
      ${stopRequestedCondition} as is_stopping
    from signatures s where s.account_id = ${accountId} and ${inCloudCondition}
    union all
    select s.id, 'seal', s.name, s.organisation, s.valid_from, s.valid_to, null, s.certificate, ${stopRequestedCondition}
    from seal_users m join seals s on s.id = m.seal_id
    where m.account_id = ${accountId} and m.status = 'active' and ${inCloudCondition}
    order by kind desc, valid_from desc, id limit 200`)
  return rows.map(({ validFrom: _validFrom, encrypted, der, ...certificate }) => ({
    ...certificate,
    certificate: encrypted
      ? decryptCertificates(keys, certificate.id, encrypted).certificate
      : (der ?? Buffer.of()).toString('base64'),
  }))
}

/** Finds the provider's own id of the customer, by which the signing service knows them; null for one whom no PUT has named yet. */
export async function findProviderId(db: Db, accountId: string): Promise<string | null> {
  const row = await query(db).first(sql<{ customer: string | null }>`
    select provider_id as customer from accounts where id = ${accountId}`)
  return row?.customer ?? null
}

const fileSigningRows = describeRows({
  id: column<string>`id`,
  accountId: column<string>`account_id`,
  sessionId: column<string>`session_id`,
  signatureId: column<string | null>`signature_id`,
  sealId: column<string | null>`seal_id`,
  digests: column<Buffer[]>`digests`,
  binding: column<string>`binding`,
  startedAt: column<Date>`started_at`,
  confirmedAt: column<Date | null>`confirmed_at`,
  /** The id of the request that signs, while one waits for the service or for timestamps. */
  claim: column<string | null>`busy_until::text`,
  isTaken: column<boolean>`coalesce(busy_until > portal_now(), false)`,
  /** The signatures of the service, which are stored before their timestamps (SGN-29). */
  signatures: column<Buffer[] | null>`signatures`,
  /** The timestamps of the signatures; null for each that is still missing. */
  timestamps: column<(Buffer | null)[] | null>`timestamps`,
  signedAt: column<Date | null>`signed_at`,
})
export type FileSigningRow = RowOf<typeof fileSigningRows>

export type NewFileSigning = Pick<FileSigningRow, 'accountId' | 'sessionId' | 'signatureId' | 'sealId' | 'binding'> & {
  digests: readonly Uint8Array[]
}

/** Returns the signing that the session has started for the same binding, if its code can still be entered; otherwise a new one. */
export async function findOrAddFileSigning(tx: Tx, signing: NewFileSigning): Promise<FileSigningRow> {
  // One request at a time per session: two at once would not see each other's row.
  await query(tx).run(sql`select from sessions where id = ${signing.sessionId} for no key update`)
  const open = await fileSigningRows(tx).first(sql`
    select ${fileSigningRows.columns} from file_signings
    where session_id = ${signing.sessionId} and account_id = ${signing.accountId} and binding = ${signing.binding} and confirmed_at is null
      and started_at > portal_now() - make_interval(secs => ${limits.code.life})
    order by started_at desc limit 1`)
  if (open) return open
  const digests = signing.digests.map((digest) => Buffer.from(digest))
  const created = await fileSigningRows(tx).all(sql`
    insert into file_signings (id, account_id, session_id, signature_id, seal_id, digests, binding)
    values (${crypto.randomUUID()}, ${signing.accountId}, ${signing.sessionId}, ${signing.signatureId}, ${signing.sealId}, ${digests}::bytea[], ${signing.binding})
    returning ${fileSigningRows.columns}`)
  return single(created)
}

export const findFileSigning = (db: Db, accountId: string, id: string): Promise<FileSigningRow | undefined> =>
  fileSigningRows(db).first(sql`
    select ${fileSigningRows.columns} from file_signings where id = ${id} and account_id = ${accountId}`)

/** Records that the code was entered; false if it was entered before. */
export const confirmSigning = (tx: Tx, id: string): Promise<boolean> =>
  query(tx).changesOne(sql`
    update file_signings set confirmed_at = portal_now() where id = ${id} and confirmed_at is null`)

/**
 * Takes a confirmed signing for one request to the service, or for the timestamps that are missing: undefined if it is signed, was
 * confirmed too long ago to ask the service, or another request has taken it.
 */
export function takeSigning(db: Db, id: string): Promise<FileSigningRow | undefined> {
  const { life, requestTimeout } = limits.signing
  return fileSigningRows(db).first(sql`
    update file_signings set busy_until = portal_now() + make_interval(secs => ${requestTimeout})
    where id = ${id} and signed_at is null
      and (signatures is not null or confirmed_at > portal_now() - make_interval(secs => ${life}))
      and (busy_until is null or busy_until <= portal_now())
    returning ${fileSigningRows.columns}`)
}

/** Lets the next request sign, unless another one has taken it since. */
export async function releaseSigning(db: Db, { id, claim }: Pick<FileSigningRow, 'id' | 'claim'>): Promise<void> {
  await query(db).run(sql`
    update file_signings set busy_until = null where id = ${id} and busy_until = ${claim}::timestamptz`)
}

/** Returns why a signing is not taken: another request has signed meanwhile or has taken it, or it was confirmed too long ago. */
export async function findReasonNotTaken(db: Db, id: string): Promise<'signed' | 'busy' | 'signing-over'> {
  const row = await query(db).first(sql<{ isSigned: boolean; isBusy: boolean }>`
    select signed_at is not null as is_signed, coalesce(busy_until > portal_now(), false) as is_busy
    from file_signings where id = ${id}`)
  const { isSigned = false, isBusy = false } = row ?? {}
  return isSigned ? 'signed' : isBusy ? 'busy' : 'signing-over'
}

/**
 * Keeps what the service has signed, and takes the signing for the timestamps, whoever had taken it: a signature is never given up.
 * Undefined if another request was first.
 */
export function setSignatures(tx: Tx, id: string, signed: readonly Uint8Array[]): Promise<FileSigningRow | undefined> {
  const signatures = signed.map((signature) => Buffer.from(signature))
  return fileSigningRows(tx).first(sql`
    update file_signings set signatures = ${signatures}::bytea[], timestamps = array_fill(null::bytea, array[${signed.length}::int]),
      busy_until = portal_now() + make_interval(secs => ${limits.signing.requestTimeout})
    where id = ${id} and signatures is null and cardinality(digests) = ${signed.length}::int
    returning ${fileSigningRows.columns}`)
}

/** Keeps the timestamp over one of the signatures, unless it has one. */
export async function setTimestamp(db: Db, id: string, index: number, token: Uint8Array): Promise<void> {
  const at = sql`${index + 1}::int`
  await query(db).run(sql`
    update file_signings set timestamps[${at}] = ${Buffer.from(token)}
    where id = ${id} and signed_at is null and timestamps[${at}] is null`)
}

/** Ends a signing when every signature has its timestamp, unless another request has ended it before. */
export async function endFileSigning(tx: Tx, id: string): Promise<void> {
  await query(tx).run(sql`
    update file_signings set signed_at = portal_now(), busy_until = null
    where id = ${id} and signed_at is null and array_position(timestamps, null) is null`)
}

/**
 * Removes old signings, but not those of a customer under a legal hold (R251), who is looked up for each old signing,
 * not the other way round (OPS-7).
 */
export async function removeOldSignings(db: Db): Promise<void> {
  await query(db).run(sql`
    delete from file_signings f where started_at < portal_now() - make_interval(secs => ${limits.fileSigning.kept})
      and (select a.held_at from accounts a where a.id = f.account_id) is null`)
}

/** A certificate of the customer's whose key the signing service has. */
type ReadySigner = { shown: Given<typeof FileSigner>; credential: SigningCredential }

type FoundSigners = { signers: ReadySigner[]; unusable: Given<typeof UnusableSigner>[] }

/**
 * Matches the customer's certificates with the keys of the service, by the certificate itself. Undefined if the service
 * is unreachable; none where the portal has no service.
 */
export async function findFileSigners(
  { db, keys, ports }: Portal,
  accountId: string,
): Promise<FoundSigners | undefined> {
  const { remoteSigning, timestamps } = ports
  if (!remoteSigning || !timestamps) return { signers: [], unusable: [] }
  const customer = await findProviderId(db, accountId)
  const credentials = customer === null ? [] : await remoteSigning.listCredentials(customer)
  if (credentials === 'unreachable') return undefined
  const byCertificate = new Map(credentials.map((credential) => [base64Of(credential.certificate), credential]))
  const found: FoundSigners = { signers: [], unusable: [] }
  for (const { certificate, isStopping, ...known } of await listCloudCertificates(db, keys, accountId)) {
    const credential = byCertificate.get(certificate)
    if (!credential || isStopping) {
      found.unusable.push({ ...known, reason: isStopping ? 'stopping' : 'no-key' })
      continue
    }
    const shown = {
      ...known,
      certificate,
      serialNumber: readCertificate(credential.certificate).serialNumber,
      chain: chainWithoutRoot(credential).map(base64Of),
      algorithm: credential.algorithm,
      mostFiles: Math.min(limits.fileSigning.files, credential.mostSignatures),
      requirement: requirementOf(credential) ?? null,
      asksElsewhere: credential.authorisation.kind === 'elsewhere',
    }
    found.signers.push({ shown, credential })
  }
  return found
}

/**
 * Returns the hash of everything that the code confirms: the customer, the certificate, its algorithm, and the digests in their order
 * (R202).
 */
export function bindingOf(accountId: string, { credential }: ReadySigner, digests: readonly Uint8Array[]): string {
  const { certificate, algorithm } = credential
  const bound = [accountId, hexOf(sha256(certificate)), algorithm.scheme, algorithm.digest, ...digests.map(hexOf)]
  return hexOf(sha256(Buffer.from(JSON.stringify(bound))))
}

/** Returns the reference that the message names and that the browser can compute too. */
export const referenceOf = (digests: readonly Uint8Array[]): string => hexOf(sha256(...digests))
