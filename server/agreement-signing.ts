import { createHash } from 'node:crypto'
import { storeSigned } from './archives.ts'
import { record } from './audit.ts'
import type { Tx } from './db.ts'
import { archived } from './long-term.ts'
import { PdfWorkBusy } from './pdf-work.ts'
import type { Portal } from './portal.ts'
import { DeliveryFailed } from './ports/ports.ts'
import { signPrepared } from './remote-signing.ts'
import { tellOfRenewal } from './renewal-mails.ts'
import { moveRenewal } from './renewal-moves.ts'
import { findAnyRenewal, type RenewalRow } from './renewals.ts'

/** A renewal whose agreement the customer has signed by code, and whose signature is to be made. */
export type AgreementSignature = { renewal: string }

/**
 * Makes the signature with the key of the certificate that is renewed, PAdES B-LTA (REN-7, R105); where the proof cannot be had
 * now, it is stored as it is and `archives.ts` goes on with it. It is asked for by the outbox
 * until it is done: whatever dies in between, the agreement that was signed by code is signed in the end, and the row
 * names one file (REN-10). That the service may be asked twice for the same hash harms nobody.
 */
export async function signAgreement(portal: Portal, { renewal }: AgreementSignature): Promise<void> {
  const { db, keys, ports } = portal
  const row = await findAnyRenewal(db, keys, renewal)
  if (row?.state !== 'authorised') return
  const file = await makeSignature(portal, row)
  if (!file) {
    await db.transaction().execute((tx) => askAnew(tx, portal, row))
    return
  }
  // What keeps it from being archived now is met and reported by the job.
  const lasting = await archived(portal, file, row.now).catch(() => undefined)
  const key = `agreements/${crypto.randomUUID()}`
  const { bytes, sha256 } = await storeSigned(portal, key, lasting?.file ?? file)
  const isTaken = await db
    .transaction()
    .execute(async (tx) => {
      const signed = {
        signed_key: key,
        signed_bytes: bytes,
        signed_sha256: sha256,
        signed_at: row.now,
        archive_renew_by: lasting?.renewBy ?? null,
        archive_stamped_at: lasting ? row.now : null,
      }
      if (!(await moveRenewal(tx, row.id, row, 'signed', signed))) return false
      await recordBySystem(tx, row, 'renewal-signed', {
        agreement: row.agreement!.sha256,
        signed: sha256,
        archived: lasting ? 'yes' : 'not yet',
      })
      await tellOfRenewal(tx, portal, row, 'signed')
      return true
    })
    .catch(async (error: unknown) => {
      await ports.documents.remove(key)
      throw error
    })
  if (!isTaken) await ports.documents.remove(key)
}

/**
 * The signature cannot be made, so that the agreement is to be signed by a new code. A worker that is still about the old one
 * finds the renewal moved on and drops what it has: nobody ever holds two signatures.
 */
export async function askAnew(tx: Tx, portal: Portal, row: RenewalRow): Promise<void> {
  if (!(await moveRenewal(tx, row.id, row, 'signing', { signing_failed: true, signing_order: null }))) return
  await recordBySystem(tx, row, 'renewal-signing-failed')
  await tellOfRenewal(tx, portal, row, 'unsigned')
}

const recordBySystem = (
  tx: Tx,
  { id, owner }: RenewalRow,
  act: 'renewal-signed' | 'renewal-signing-failed',
  details: { [name: string]: string } = {},
) => record(tx, { act, accountId: owner, actor: 'system', details: { renewal: id, ...details } })

const later = (what: string) => new DeliveryFailed(what, false)

/** The signed file; undefined when it can never be signed like this. Throws what is worth another try. */
async function makeSignature(portal: Portal, row: RenewalRow): Promise<Uint8Array | undefined> {
  const { ports, pdfWork } = portal
  const { certificate } = row.signature
  const credentials = (await ports.remoteSigning?.credentials(row.person.customer)) ?? 'unreachable'
  if (credentials === 'unreachable') throw later('The signing service cannot be reached.')
  const credential = credentials.find((one) => certificate.equals(one.certificate))
  if (!credential || credential.otp !== 'portal') return undefined
  const agreement = await readAgreement(portal, row)
  const prepared = await pdfWork
    .prepare(async () => ({ bytes: agreement }), {
      field: 'Customer',
      signer: row.signature.name,
      reason: row.agreement!.sha256,
      // Fixed when the code was entered, so that every try signs the same bytes.
      at: row.updatedAt,
    })
    .catch((error: unknown) => {
      throw error instanceof PdfWorkBusy ? later('Too many files wait.') : error
    })
  if (!prepared) return undefined
  const signed = await signPrepared(ports, prepared, {
    credential,
    description: `Agreement ${row.agreement!.sha256}`,
  })
  if (signed === 'unreachable') throw later('The signing service cannot be reached.')
  return typeof signed === 'string' ? undefined : signed
}

/** The agreement as it was when its hash was signed by code, or none. */
async function readAgreement({ ports }: Portal, { agreement }: RenewalRow): Promise<Uint8Array<ArrayBuffer>> {
  const file = await ports.documents.read(agreement!.key)
  if (!file) throw later('The agreement cannot be read.')
  const bytes = Buffer.concat(await file.content.toArray())
  if (createHash('sha256').update(bytes).digest('hex') !== agreement!.sha256)
    throw new DeliveryFailed('The agreement is not the one that was signed by code.', false)
  return new Uint8Array(bytes)
}
