import { sql } from 'kysely'
import type { Text } from '../contract/enums.ts'
import type { DocumentStatus, RefusalReason } from '../contract/documents.ts'
import type { RenewalState } from '../contract/renewal.ts'
import type { CaseStatus, VoucherProcess } from '../contract/vouchers.ts'
import type { Db } from './db.ts'
import { openReport, openSigner } from './document-cases.ts'
import type { Keys } from './keys.ts'
import { openRenewalPart } from './renewals.ts'
import { openVoucherCode } from './voucher-codes.ts'

/** The cases and the facts of their files. The files are at hand in Documents, and what opens them is not told. */
export async function ownDocuments(db: Db, keys: Keys, accountId: string) {
  const cases = await sql<{
    id: string
    providerId: string
    application: string
    document: string
    process: Text
    status: DocumentStatus
    signer: Buffer
    refusal: { reason: RefusalReason; note: Text | null } | null
    codeSentAt: Date | null
    createdAt: Date
    updatedAt: Date
  }>`
    select id, provider_id as "providerId", application, document, process, status, signer, refusal, code_sent_at as "codeSentAt", created_at as "createdAt", updated_at as "updatedAt"
    from document_cases where account_id = ${accountId} order by created_at, id`.execute(db)
  const files = await sql<{
    id: string
    document: string
    kind: 'document' | 'upload' | 'signed'
    bytes: number
    sha256: string
    sourceSha256: string | null
    verdict: string | null
    report: Buffer | null
    createdAt: Date
  }>`
    select f.id, f.case_id as document, f.kind, f.bytes, f.sha256, f.source_sha256 as "sourceSha256", f.verdict, f.report, f.created_at as "createdAt"
    from document_files f join document_cases c on c.id = f.case_id
    where c.account_id = ${accountId} and f.sha256 is not null order by f.created_at, f.id`.execute(db)
  return cases.rows.map((one) => ({
    ...one,
    signer: openSigner(keys, one),
    files: files.rows
      .filter(({ document }) => document === one.id)
      .map(({ id, document: _, report, ...file }) => ({
        ...file,
        report: report && openReport(keys, id, report),
      })),
  }))
}

/** Codes that were used, with what they opened. Of one that waits only that it is there: it is as good as money. */
export async function ownVouchers(db: Db, keys: Keys, accountId: string) {
  const { rows } = await sql<{
    id: string
    providerId: string
    kind: 'voucher' | 'renewal'
    code: Buffer
    process: VoucherProcess | null
    signature: string | null
    expiresAt: Date
    usedAt: Date | null
    storedAt: Date
    number: string | null
    status: CaseStatus | null
    providerStatus: string | null
    note: Text | null
    reportedAt: Date | null
    createdAt: Date | null
    updatedAt: Date | null
  }>`
    select v.id, v.provider_id as "providerId", v.kind, v.code, v.process, v.signature_id as signature, v.expires_at as "expiresAt", v.used_at as "usedAt", v.created_at as "storedAt",
      c.number, c.status, c.provider_status as "providerStatus", c.note, c.reported_at as "reportedAt", c.created_at as "createdAt", c.updated_at as "updatedAt"
    from voucher_codes v left join voucher_cases c on c.code_id = v.id
    where v.account_id = ${accountId} or c.account_id = ${accountId} order by c.created_at, v.id`.execute(db)
  return rows.map(({ id, code, ...row }) => ({ ...row, code: row.usedAt && openVoucherCode(keys, id, code) }))
}

export async function ownRenewals(db: Db, keys: Keys, accountId: string) {
  const { rows } = await sql<{
    id: string
    signature: string
    state: RenewalState
    parameters: Buffer | null
    shortenedTo: Date | null
    identity: Buffer | null
    identityState: string | null
    terms: Buffer | null
    agreementBytes: number | null
    agreementSha256: string | null
    signingFailed: boolean
    signedBytes: number | null
    signedSha256: string | null
    signedAt: Date | null
    issuedSignature: string | null
    note: Text | null
    openedAt: Date
    endsAt: Date
    updatedAt: Date
  }>`
    select id, signature_id as signature, state, parameters, shortened_to as "shortenedTo", identity, identity_state as "identityState", terms,
      agreement_bytes as "agreementBytes", agreement_sha256 as "agreementSha256", signing_failed as "signingFailed", signed_bytes as "signedBytes", signed_sha256 as "signedSha256", signed_at as "signedAt", issued_signature as "issuedSignature",
      note, opened_at as "openedAt", ends_at as "endsAt", updated_at as "updatedAt"
    from renewals where account_id = ${accountId} order by opened_at, id`.execute(db)
  return rows.map((row) => ({
    ...row,
    parameters: openRenewalPart(keys, 'parameters', row.id, row.parameters),
    identity: openRenewalPart(keys, 'identity', row.id, row.identity),
    terms: openRenewalPart(keys, 'terms', row.id, row.terms),
  }))
}
