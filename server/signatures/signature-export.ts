import { sql } from 'kysely'
import type { Text } from '../../contract/enums.ts'
import { productText } from '../../contract/product-text.ts'
import { exportedReminders, identifierText, labels, reasons, type ExportedList } from '../platform/exported-data.ts'
import { omittedActivation } from '../pairing/activation-export.ts'

const certificateText: Record<'good' | 'suspended' | 'revoked', Text> = {
  good: { pl: 'nieodwołany', en: 'not revoked' },
  suspended: { pl: 'zawieszony', en: 'suspended' },
  revoked: { pl: 'unieważniony', en: 'revoked' },
}

/** The signatures in the copy of all data. The JSON contains the certificates, but not the secret of a paired app. */
export const exportedSignatures: ExportedList = {
  table: 'signatures',
  join: sql`left join pairings on signature_id = signatures.id`,
  columns: `id provider_id product name organisation identifier_type=identifier.type identifier_country=identifier.country
    identifier_value=identifier.value period valid_from valid_to status agreement_language=agreement.language
    agreement_bytes=agreement.bytes agreement_sha256=agreement.sha256 pairings.confirmed_at=pairedAt created_at=storedAt certificates=...`,
  omitted: {
    reminder_at: reasons.internal,
    own_suspension: 'follows from the requests for another status',
    'identifier_index certificate_index serial_index': reasons.canonical,
    agreement_key: reasons.stored,
    ...omittedActivation('pairings', 'signature_id'),
  },
  order: 'valid_from id',
  lists: { reminders: exportedReminders('signature_reminders', 'signature_id') },
  title: { pl: 'Podpisy', en: 'Signatures' },
  name: 'name',
  rows: [
    [{ pl: 'Rodzaj', en: 'Type' }, ['product', productText]],
    [['identifier.type', identifierText], 'identifier.country identifier.value'],
    [labels.organisation, 'organisation'],
    [labels.validFrom, 'validFrom'],
    [labels.validTo, 'validTo'],
    [labels.status, ['status', certificateText]],
    [{ pl: 'Skrót umowy (SHA-256)', en: 'Hash of the agreement (SHA-256)' }, 'agreement.sha256'],
    [labels.paired, 'pairedAt'],
  ],
}
