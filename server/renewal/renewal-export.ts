import type { Text } from '../../contract/enums.ts'
import type { RenewalState } from '../../contract/renewal.ts'
import { renewalNumber } from '../../contract/rules/renewal-number.ts'
import { labels, reasons, type ExportedList } from '../platform/exported-data.ts'

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

/** The renewals in the copy of all data. */
export const exportedRenewals: ExportedList = {
  table: 'renewals',
  columns: `id signature_id=signature state parameters shortened_to identity identity_state terms agreement_bytes agreement_sha256
    signing_failed signed_bytes signed_sha256 signed_at issued_signature note opened_at ends_at updated_at`,
  omitted: {
    'code_id version archive_renew_by archive_next_try archive_tries': reasons.internal,
    'parameters_sha256 terms_sha256': 'follows from exported data',
    'agreement_key signed_key archive_draft': reasons.stored,
    signing_order: 'an id in the outbox',
    archive_stamped_at: 'the signed file has it',
  },
  order: 'opened_at id',
  complete: (renewal) => ({ ...renewal, number: renewalNumber(renewal['id'] as string) }),
  title: { pl: 'Odnowienia', en: 'Renewals' },
  name: 'openedAt',
  rows: [
    [{ pl: 'Numer sprawy', en: 'Case number' }, 'number'],
    [labels.status, ['state', stateText]],
    [labels.changed, 'updatedAt'],
    [{ pl: 'Umowa podpisana', en: 'Agreement signed' }, 'signedAt'],
    [{ pl: 'Skrót umowy (SHA-256)', en: 'Hash of the agreement (SHA-256)' }, 'agreementSha256'],
    [labels.note, 'note'],
  ],
}
