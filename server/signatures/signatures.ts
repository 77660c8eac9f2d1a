import type { FastifyInstance } from 'fastify'
import {
  downloadAgreement,
  downloadCertificate,
  listSignatures,
  readCertificate,
  summariseSignatures,
  type Signature,
} from '../../contract/signatures.ts'
import { limits } from '../../contract/limits.ts'
import { derToPem, readCertificate as readDerCertificate } from '../../pki/certificate.ts'
import { record } from '../audit.ts'
import { downloadedAgreement } from '../agreement-download.ts'
import { makeCursor, readCursor } from '../cursor.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import {
  findAgreement,
  findCertificate,
  findSignature,
  listPage,
  summarise,
  type SignatureRow,
} from './signature-queries.ts'

export function serveSignatures(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal

  serve(app, portal, listSignatures, async ({ query, session: { accountId, now } }) => {
    const size = Number(query.size ?? limits.list.size)
    const sort = query.sort ?? 'urgency'
    // A cursor of one order means nothing in another, so each order has cursors of its own.
    const list = `signatures ${sort}`
    const [rank, place, id] = query.cursor === undefined ? [] : readCursor(keys, list, accountId, query.cursor)
    const after = id === undefined || place === undefined ? undefined : { rank: Number(rank), place, id: String(id) }
    const rows = await listPage(db, keys, accountId, now, {
      sort,
      after,
      size,
      status: query.status,
      search: query.search?.trim().normalize('NFC') || undefined,
    })
    const last = rows[size - 1]
    const next = rows.length > size && last ? makeCursor(keys, list, accountId, [last.rank, last.place, last.id]) : null
    return { items: signaturesOf(rows.slice(0, size), now), next }
  })

  serve(app, portal, summariseSignatures, async ({ session: { accountId, now } }) => {
    const { active, inactive, attention, further, nearest } = await summarise(db, keys, accountId, now)
    return {
      active,
      inactive,
      attention: signaturesOf(attention, now),
      further,
      nearestEnd: nearest ? signatureOf(nearest, now) : null,
    }
  })

  serve(app, portal, readCertificate, async ({ params, session, fail }) => {
    const row = await findSignature(db, keys, session.accountId, params.id)
    const files = await findCertificate(db, keys, session.accountId, params.id)
    if (!row || !files) throw fail('not-found')
    const read = readDerCertificate(files.certificate)
    const { subject, issuer, serialNumber, keyUsage, policies } = read
    const chain = files.chain.map(readDerCertificate).map((above) => ({
      subject: above.subject.find(({ name }) => name === 'CN')?.value ?? '',
      validTo: above.notAfter.toISOString(),
    }))
    return {
      signature: signatureOf(row, session.now),
      subject,
      issuer,
      serialNumber,
      keyUsage,
      publicKey: [read.publicKey.kind, read.publicKey.bits].filter(Boolean).join(' '),
      sha256: read.fingerprint,
      policies,
      qualified: read.qualified.compliance,
      chain,
    }
  })

  serve(app, portal, downloadCertificate, async ({ params, session, address, fail }) => {
    const files = await findCertificate(db, keys, session.accountId, params.id)
    if (!files) throw fail('not-found')
    await db.transaction().execute((tx) =>
      record(tx, {
        act: 'certificate-downloaded',
        accountId: session.accountId,
        actor: 'customer',
        address,
        details: { signature: params.id, format: params.format },
      }),
    )
    const pem = params.format === 'pem'
    const content = pem ? Buffer.from([files.certificate, ...files.chain].map(derToPem).join('')) : files.certificate
    return {
      name: `certificate.${pem ? 'pem' : 'cer'}`,
      type: pem ? 'application/x-pem-file' : 'application/pkix-cert',
      bytes: content.length,
      content,
    }
  })

  serve(app, portal, downloadAgreement, async ({ params, session: { accountId }, address }) =>
    downloadedAgreement(portal, await findAgreement(db, accountId, params.id), {
      accountId,
      address,
      details: { signature: params.id },
    }),
  )
}

export const signatureOf = (row: SignatureRow, now: Date): Signature => signaturesOf([row], now)[0]!

function signaturesOf(rows: SignatureRow[], now: Date): Signature[] {
  const instant = now.toISOString()
  return rows.map((row) => signatureAt(row, instant))
}

/** What the browser shows of a row: the identifier is masked before it leaves (ux.md §3.6). */
function signatureAt(row: SignatureRow, now: string): Signature {
  const reason = reasonOf(row, now)
  return {
    id: row.id,
    product: row.product,
    name: row.name,
    organisation: row.organisation,
    identifier: {
      type: row.identifierType,
      country: row.identifierCountry,
      ...masked(row.identifierValue),
    },
    years: row.years,
    validFrom: row.validFrom,
    validTo: row.validTo,
    status: reason ? 'inactive' : 'active',
    reason,
    agreement: row.hasAgreement ? 'ready' : 'generating',
    pairable: row.product === 'app' && !reason,
    pairedAt: row.pairedAt,
    renewal: row.renewal,
  }
}

function reasonOf({ status, validFrom, validTo }: SignatureRow, now: string): Signature['reason'] {
  if (status !== 'good') return status
  if (now >= validTo) return 'expired'
  return now < validFrom ? 'not-yet-valid' : null
}

/** The first half, at most six characters, so that the owner recognises it. */
function masked(value: string) {
  const shown = value.slice(0, Math.min(6, Math.ceil(value.length / 2)))
  return { shown, hidden: value.length - shown.length }
}
