import { sql } from 'kysely'
import type { Text } from '../../contract/enums.ts'
import type { RenewalState } from '../../contract/renewal.ts'
import { renewalNumber } from '../../contract/rules/renewal-number.ts'
import { exportedList, labels, type ExportData, type ExportSource } from '../platform/exported-data.ts'
import { decryptRenewalPart } from './renewal-row-store.ts'

/** The renewals in the copy of all data. */
export const exportRenewals: ExportData = async (source) =>
  exportedList('renewals', { pl: 'Odnowienia', en: 'Renewals' }, await readRenewals(source), (renewal) => ({
    name: renewal.openedAt,
    rows: [
      [{ pl: 'Numer sprawy', en: 'Case number' }, renewal.number],
      [labels.status, stateText[renewal.state]],
      [labels.changed, renewal.updatedAt],
      [{ pl: 'Umowa podpisana', en: 'Agreement signed' }, renewal.signedAt],
      [{ pl: 'Skrót umowy (SHA-256)', en: 'Hash of the agreement (SHA-256)' }, renewal.agreementSha256],
      [labels.note, renewal.note],
    ],
  }))

async function readRenewals({ db, keys, accountId }: ExportSource) {
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
    select id, signature_id as signature, state, parameters, shortened_to, identity, identity_state, terms,
      agreement_bytes, agreement_sha256, signing_failed, signed_bytes, signed_sha256, signed_at, issued_signature,
      note, opened_at, ends_at, updated_at
    from renewals where account_id = ${accountId} order by opened_at, id`.execute(db)
  return rows.map((row) => ({
    ...row,
    number: renewalNumber(row.id),
    parameters: decryptRenewalPart(keys, 'parameters', row.id, row.parameters),
    identity: decryptRenewalPart(keys, 'identity', row.id, row.identity),
    terms: decryptRenewalPart(keys, 'terms', row.id, row.terms),
  }))
}

const stateText: Record<RenewalState, Text> = {
  parameters: { pl: 'krok 1: ustawienia certyfikatu', en: 'step 1: certificate options' },
  'personal-data': { pl: 'krok 2: dane osobowe', en: 'step 2: personal details' },
  signing: { pl: 'krok 3: podpisanie umowy', en: 'step 3: signing of the agreement' },
  authorised: { pl: 'umowa jest podpisywana', en: 'the agreement is being signed' },
  signed: { pl: 'umowa podpisana, certyfikat w\u00a0przygotowaniu', en: 'agreement signed, certificate being issued' },
  issued: { pl: 'certyfikat wydany', en: 'certificate issued' },
  finished: { pl: 'zakończone', en: 'completed' },
  declined: { pl: 'umowa nie została podpisana', en: 'signing declined' },
  expired: { pl: 'odnowienie wygasło', en: 'renewal expired' },
  failed: { pl: 'certyfikat nie został wydany', en: 'certificate not issued' },
}
