import type { ConsentKind } from '../../contract/legal/consent-statements.ts'
import { documentText } from '../../contract/document-text.ts'
import type { Text } from '../../contract/enums.ts'
import { identifierText, languageText, type ExportData, type ExportedRow } from '../platform/exported-data.ts'
import { consentHistory, reportedAcceptances } from './consent-store.ts'
import { readPersonalData } from './personal-data-store.ts'

/** Identification data and consents in the copy of all data. */
export const exportPersonalData: ExportData = async ({ db, keys, accountId }) => {
  const identification = (await readPersonalData(db, keys, accountId)) ?? null
  const consents = await consentHistory(db, accountId)
  const reported = await reportedAcceptances(db, accountId)
  return {
    json: { identification, consents, reportedAcceptances: reported },
    sections: [
      {
        title: { pl: 'Dane identyfikacyjne', en: 'Identification data' },
        things: identification
          ? [
              {
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
              },
            ]
          : [],
      },
      {
        title: { pl: 'Zgody', en: 'Consents' },
        things: [
          ...reported.map(({ kind, at, version }) => ({
            name: consentText[kind],
            rows: [
              [consentName, { pl: 'zaakceptowano w\u00a0umowie', en: 'accepted in your agreement' }],
              [when, at],
              [versionName, version],
            ] satisfies ExportedRow[],
          })),
          ...consents.map((consent) => ({
            name: consentText[consent.kind],
            rows: [
              [consentName, consent.given ? given : withdrawn],
              [when, consent.at],
              [versionName, consent.version],
              [{ pl: 'Język treści', en: 'Language of the text' }, languageText[consent.locale]],
              [{ pl: 'Skrót treści (SHA-256)', en: 'Hash of the text (SHA-256)' }, consent.sha256],
            ] satisfies ExportedRow[],
          })),
        ],
      },
    ],
  }
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
