import { sql } from 'kysely'
import * as calls from '../../contract/consents.ts'
import { documentText } from '../../contract/document-text.ts'
import type { Text } from '../../contract/enums.ts'
import type { ConsentKind } from '../../contract/legal/consent-statements.ts'
import * as personalData from '../../contract/personal-data.ts'
import { readAccountPhone } from '../platform/encrypted-data/encrypted-fields.ts'
import { identifierText, languageText, reasons, type ExportedList } from '../platform/exported-data.ts'
import { handler } from '../platform/http/http.ts'
import { maskPhone } from '../platform/messages/masks.ts'
import type { ServerFeature } from '../platform/portal.ts'
import { changeConsent, listCurrentReports, currentWordings, addWordings, listLatestConsents } from './consent-store.ts'
import { findPersonalData, readSecondName } from './personal-data-store.ts'

// The customer's consents, and the only one that they can change (REG-5).

const readConsents = handler(calls.readConsents, async ({ session }, { db }) => ({
  items: (await listLatestConsents(db, session.accountId)).map(({ kind, given, at, wording }) => ({
    kind,
    given,
    at,
    wording,
  })),
  reported: await listCurrentReports(db, session.accountId),
}))

const changeMarketingConsent = handler(
  calls.changeMarketingConsent,
  async ({ body, session, fail, transaction }, { settings }) => {
    const { accountId } = session
    const wording = currentWordings(settings.brand, body.locale).find(({ kind }) => kind === 'marketing')
    if (wording?.sha256 !== body.wording) throw fail('wording-changed')
    await transaction(async (tx, audit) => {
      await addWordings(tx, [wording])
      if (!(await changeConsent(tx, accountId, wording, body.given))) return
      const { kind, version, sha256 } = wording
      await audit(body.given ? 'consent-given' : 'consent-withdrawn', { kind, version, wording: sha256 })
    })
  },
)

const consentName: Text = { pl: 'Zgoda', en: 'Consent' }
const when: Text = { pl: 'Kiedy', en: 'When' }
const versionName: Text = { pl: 'Wersja', en: 'Version' }
const givenText = { true: { pl: 'udzielona', en: 'given' }, false: { pl: 'wycofana', en: 'withdrawn' } }

const consentText: Record<ConsentKind, Text> = {
  terms: { pl: 'Regulamin', en: 'Terms' },
  privacy: { pl: 'Informacja o\u00a0przetwarzaniu danych', en: 'Privacy notice' },
  marketing: { pl: 'Informacje o\u00a0ofertach', en: 'News about offers' },
}

const exportedIdentification: ExportedList = {
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
const exportedAcceptances: ExportedList = {
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
const exportedConsents: ExportedList = {
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

/** Answers with the customer's data (DAT-1). */
const readMyData = handler(personalData.readMyData, async ({ session }, { db, keys }) => {
  const { accountId, login, email, firstName, surname } = session
  const phone = await readAccountPhone(db, keys, accountId)
  return {
    id: accountId,
    login,
    email,
    phone,
    maskedPhone: maskPhone(phone),
    firstName,
    secondName: await readSecondName(db, accountId),
    surname,
    now: session.now,
    identification: (await findPersonalData(db, keys, accountId)) ?? null,
  }
})

export const personalDataFeature: ServerFeature = {
  calls: [readMyData, readConsents, changeMarketingConsent],
  exportData: [exportedIdentification, exportedAcceptances, exportedConsents],
  erasure: { remove: (id) => [sql`delete from personal_data where account_id = ${id}`] },
}
