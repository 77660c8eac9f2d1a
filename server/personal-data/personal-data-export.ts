import type { ConsentKind } from '../../contract/legal/consent-statements.ts'
import { documentText } from '../../contract/document-text.ts'
import type { Text } from '../../contract/enums.ts'
import { sql } from 'kysely'
import type { Identification } from '../../contract/personal-data.ts'
import { identifierText, languageText, reasons, type ExportedList } from '../platform/exported-data.ts'
import type { ConsentEvent, ReportedAcceptance } from './consent-store.ts'

/** The identification data in the copy of all data. */
export const exportedIdentification: ExportedList<Identification> = {
  key: 'identification',
  isSingle: true,
  table: 'personal_data',
  columns: 'sealed=...',
  omitted: { identifier_index: reasons.canonical },
  order: 'account_id',
  title: { pl: 'Dane identyfikacyjne', en: 'Identification data' },
  describe: (identification) => ({
    rows: [
      [identifierText[identification.identifierType], identification.identificationNumber],
      [{ pl: 'Kraj wydania numeru', en: 'Issuing country' }, identification.issuingCountry],
      [{ pl: 'Obywatelstwo', en: 'Nationality' }, identification.nationality],
      [{ pl: 'Data urodzenia', en: 'Date of birth' }, identification.birthDate],
      [{ pl: 'Miejsce urodzenia', en: 'Place of birth' }, identification.birthPlace],
      [documentText[identification.document.type], identification.document.number],
      [{ pl: 'Dokument ważny do', en: 'Document valid until' }, identification.document.validTo],
      [{ pl: 'Dokument wydał', en: 'Document issued by' }, identification.document.issuedBy],
    ],
  }),
}

const title: Text = { pl: 'Zgody', en: 'Consents' }

/** The acceptances that the provider has reported, in the copy of all data. */
export const exportedAcceptances: ExportedList<ReportedAcceptance> = {
  key: 'reportedAcceptances',
  table: 'reported_acceptances',
  columns: 'kind version at',
  order: 'kind',
  title,
  describe: ({ kind, at, version }) => ({
    name: consentText[kind],
    rows: [
      [consentName, { pl: 'zaakceptowano w\u00a0umowie', en: 'accepted in your agreement' }],
      [when, at],
      [versionName, version],
    ],
  }),
}

/** The consents in the copy of all data: each time that one was given or withdrawn. */
export const exportedConsents: ExportedList<ConsentEvent> = {
  key: 'consents',
  table: 'consents',
  join: sql`join wordings on sha256 = wording_sha256`,
  columns: 'kind given version locale at wording_sha256=sha256 wordings.wording::json',
  omitted: { id: reasons.internal, 'wordings.sha256': reasons.joined },
  order: 'id',
  title,
  describe: (consent) => ({
    name: consentText[consent.kind],
    rows: [
      [consentName, consent.given ? given : withdrawn],
      [when, consent.at],
      [versionName, consent.version],
      [{ pl: 'Język treści', en: 'Language of the text' }, languageText[consent.locale]],
      [{ pl: 'Skrót treści (SHA-256)', en: 'Hash of the text (SHA-256)' }, consent.sha256],
    ],
  }),
}

const consentName: Text = { pl: 'Zgoda', en: 'Consent' }
const when: Text = { pl: 'Kiedy', en: 'When' }
const versionName: Text = { pl: 'Wersja', en: 'Version' }
const given: Text = { pl: 'udzielona', en: 'given' }
const withdrawn: Text = { pl: 'wycofana', en: 'withdrawn' }

const consentText: Record<ConsentKind, Text> = {
  terms: { pl: 'Regulamin', en: 'Terms' },
  privacy: { pl: 'Informacja o\u00a0przetwarzaniu danych', en: 'Privacy notice' },
  marketing: { pl: 'Informacje o\u00a0ofertach', en: 'News about offers' },
}
