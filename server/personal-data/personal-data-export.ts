import { sql } from 'kysely'
import type { ConsentKind } from '../../contract/legal/consent-statements.ts'
import { documentText } from '../../contract/document-text.ts'
import type { Text } from '../../contract/enums.ts'
import { identifierText, languageText, reasons, type ExportedList } from '../platform/exported-data.ts'

const consentName: Text = { pl: 'Zgoda', en: 'Consent' }
const when: Text = { pl: 'Kiedy', en: 'When' }
const versionName: Text = { pl: 'Wersja', en: 'Version' }
const givenText = { true: { pl: 'udzielona', en: 'given' }, false: { pl: 'wycofana', en: 'withdrawn' } }

const consentText: Record<ConsentKind, Text> = {
  terms: { pl: 'Regulamin', en: 'Terms' },
  privacy: { pl: 'Informacja o\u00a0przetwarzaniu danych', en: 'Privacy notice' },
  marketing: { pl: 'Informacje o\u00a0ofertach', en: 'News about offers' },
}

/** The identification data in the copy of all data. */
export const exportedIdentification: ExportedList = {
  key: 'identification',
  isSingle: true,
  table: 'personal_data',
  columns: 'encrypted=...',
  omitted: { identifier_index: reasons.canonical },
  order: 'account_id',
  title: { pl: 'Dane identyfikacyjne', en: 'Identification data' },
  rows: [
    [['identifierType', identifierText], 'identificationNumber'],
    [{ pl: 'Kraj wydania numeru', en: 'Issuing country' }, 'issuingCountry'],
    [{ pl: 'Obywatelstwo', en: 'Nationality' }, 'nationality'],
    [{ pl: 'Data urodzenia', en: 'Date of birth' }, 'birthDate'],
    [{ pl: 'Miejsce urodzenia', en: 'Place of birth' }, 'birthPlace'],
    [['document.type', documentText], 'document.number'],
    [{ pl: 'Dokument ważny do', en: 'Document valid until' }, 'document.validTo'],
    [{ pl: 'Dokument wydał', en: 'Document issued by' }, 'document.issuedBy'],
  ],
}

const title: Text = { pl: 'Zgody', en: 'Consents' }

/** The acceptances that the provider has reported, in the copy of all data. */
export const exportedAcceptances: ExportedList = {
  table: 'reported_acceptances',
  columns: 'kind version at',
  order: 'kind',
  title,
  name: ['kind', consentText],
  rows: [
    [consentName, { pl: 'zaakceptowano w\u00a0umowie', en: 'accepted in your agreement' }],
    [when, 'at'],
    [versionName, 'version'],
  ],
}

/** The consents in the copy of all data: each time that one was given or withdrawn. */
export const exportedConsents: ExportedList = {
  table: 'consents',
  join: sql`join wordings on sha256 = wording_sha256`,
  columns: 'kind given version locale at wording_sha256=sha256 wordings.wording::json',
  omitted: { id: reasons.internal, 'wordings.sha256': reasons.joined },
  order: 'id',
  title,
  name: ['kind', consentText],
  rows: [
    [consentName, ['given', givenText]],
    [when, 'at'],
    [versionName, 'version'],
    [{ pl: 'Język treści', en: 'Language of the text' }, ['locale', languageText]],
    [{ pl: 'Skrót treści (SHA-256)', en: 'Hash of the text (SHA-256)' }, 'sha256'],
  ],
}
