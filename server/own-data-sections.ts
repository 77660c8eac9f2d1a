import { deviceName } from '../contract/device.ts'
import type { Locale, Text } from '../contract/enums.ts'
import type { OwnData } from './own-data.ts'
import {
  accessWords,
  authenticationWords,
  caseWords,
  certificateWords,
  consentWords,
  documentWords,
  identifierWords,
  identityDocumentWords,
  languageWords,
  packageWords,
  productWords,
  renewalWords,
  roleWords,
  voucherWords,
} from './own-data-words.ts'

type Value = Text | string | number | Date | null
type Row = readonly [label: Text, value: Value]
/** A heading and what stands under it, each thing a table of its own; `name` is left out where there is one thing only. */
type Section = { title: Text; things: { name?: Value; rows: Row[] }[] }

/** Kept in words and figures; what is longer than a page stands in the JSON alone, and the paper says so. */
export function sectionsOf(data: OwnData): Section[] {
  const { account, identification } = data
  return [
    {
      title: { pl: 'Konto i\u00a0kontakt', en: 'Account and contact' },
      things: [
        {
          rows: [
            [
              { pl: 'Imię i\u00a0nazwisko', en: 'Name' },
              wordsOf(account.firstName, account.secondName, account.surname),
            ],
            [{ pl: 'Login', en: 'Login' }, account.login],
            [{ pl: 'E-mail', en: 'E-mail' }, account.email],
            [{ pl: 'Telefon', en: 'Phone' }, account.phone],
            [{ pl: 'Język', en: 'Language' }, languageWords[account.language]],
            [{ pl: 'Numer u\u00a0dostawcy', en: 'Provider’s number' }, account.providerId],
            [{ pl: 'Konto od', en: 'Account since' }, account.createdAt],
            [{ pl: 'Zablokowane od', en: 'Blocked since' }, account.blockedAt],
            [{ pl: 'Telefon potwierdzony', en: 'Phone confirmed' }, account.phoneConfirmed ? yes : no],
            [{ pl: 'Nowe hasło e-mailem od', en: 'New password by e-mail from' }, account.resetsFrom],
            [{ pl: 'Wczesne przypomnienia', en: 'Early reminders' }, account.earlyReminders ? on : off],
          ],
        },
        ...data.phoneChanges.map(({ phone, startedAt }) => ({
          name: { pl: 'Zmiana numeru w\u00a0toku', en: 'Change of the number under way' },
          rows: [
            [{ pl: 'Rozpoczęta', en: 'Started' }, startedAt],
            [{ pl: 'Nowy numer', en: 'New number' }, phone],
          ] satisfies Row[],
        })),
      ],
    },
    {
      title: { pl: 'Dane identyfikacyjne', en: 'Identification data' },
      things: identification
        ? [
            {
              rows: [
                [identifierWords[identification.identifierType], identification.identificationNumber],
                [{ pl: 'Kraj wydania numeru', en: 'Issuing country' }, identification.issuingCountry],
                [{ pl: 'Obywatelstwo', en: 'Nationality' }, identification.nationality],
                [{ pl: 'Data urodzenia', en: 'Date of birth' }, identification.birthDate],
                [{ pl: 'Miejsce urodzenia', en: 'Place of birth' }, identification.birthPlace],
                [identityDocumentWords[identification.document.type], identification.document.number],
                [{ pl: 'Dokument ważny do', en: 'Document valid until' }, identification.document.validTo],
                [{ pl: 'Dokument wydał', en: 'Document issued by' }, identification.document.issuedBy],
              ],
            },
          ]
        : [],
    },
    {
      title: { pl: 'Zgody', en: 'Consents' },
      things: data.consents.map((consent) => ({
        name: consentWords[consent.kind],
        rows: [
          [{ pl: 'Zgoda', en: 'Consent' }, consent.given ? given : withdrawn],
          [{ pl: 'Kiedy', en: 'When' }, consent.at],
          [{ pl: 'Wersja', en: 'Version' }, consent.version],
          [{ pl: 'Język treści', en: 'Language of the text' }, languageWords[consent.locale]],
          [{ pl: 'Skrót treści (SHA-256)', en: 'Hash of the text (SHA-256)' }, consent.sha256],
        ],
      })),
    },
    ...servicesOf(data),
    ...casesOf(data),
    {
      title: { pl: 'Klucze dostępu', en: 'Passkeys' },
      things: data.passkeys.map(({ name, addedAt, usedAt }) => ({
        name,
        rows: [
          [{ pl: 'Dodany', en: 'Added' }, addedAt],
          [{ pl: 'Ostatnio użyty', en: 'Last used' }, usedAt],
        ],
      })),
    },
    {
      title: { pl: 'Sesje i\u00a0znane urządzenia', en: 'Sessions and known devices' },
      things: [
        ...data.sessions.map((session) => ({
          name: deviceName(session) || { pl: 'Nieznane urządzenie', en: 'Unknown device' },
          rows: [
            [{ pl: 'Od', en: 'Since' }, session.startedAt],
            [{ pl: 'Ostatnio używana', en: 'Last used' }, session.usedAt],
            [{ pl: 'Adres sieciowy', en: 'Network address' }, session.address],
            [{ pl: 'Kraj', en: 'Country' }, session.country],
          ] satisfies Row[],
        })),
        ...data.knownDevices.map(({ knownUntil }) => ({
          name: { pl: 'Znane urządzenie', en: 'Known device' },
          rows: [[{ pl: 'Pamiętane do', en: 'Remembered until' }, knownUntil]] satisfies Row[],
        })),
      ],
    },
  ]
}

const yes: Text = { pl: 'tak', en: 'yes' }
const no: Text = { pl: 'nie', en: 'no' }
const on: Text = { pl: 'włączone', en: 'on' }
const off: Text = { pl: 'wyłączone', en: 'off' }
const given: Text = { pl: 'udzielona', en: 'given' }
const withdrawn: Text = { pl: 'wycofana', en: 'withdrawn' }
const wordsOf = (...parts: (string | null)[]) => parts.filter(Boolean).join(' ')
const from: Text = { pl: 'Ważność od', en: 'Valid from' }
const to: Text = { pl: 'Ważność do', en: 'Valid until' }
const status: Text = { pl: 'Stan', en: 'Status' }
const organisation: Text = { pl: 'Organizacja', en: 'Organisation' }
const paired: Text = { pl: 'Aplikacja połączona', en: 'App connected' }
const created: Text = { pl: 'Utworzono', en: 'Created' }
const changed: Text = { pl: 'Zmieniono', en: 'Changed' }
const note: Text = { pl: 'Uwaga dostawcy', en: 'Provider’s note' }

const servicesOf = ({ signatures, seals, timestampAccounts }: OwnData): Section[] => [
  {
    title: { pl: 'Podpisy', en: 'Signatures' },
    things: signatures.map((one) => ({
      name: one.name,
      rows: [
        [{ pl: 'Rodzaj', en: 'Kind' }, productWords[one.product]],
        [identifierWords[one.identifier.type], wordsOf(one.identifier.country, one.identifier.value)],
        [organisation, one.organisation],
        [from, one.validFrom],
        [to, one.validTo],
        [status, certificateWords[one.status]],
        [{ pl: 'Skrót umowy (SHA-256)', en: 'Hash of the agreement (SHA-256)' }, one.agreement.sha256],
        [paired, one.pairedAt],
      ],
    })),
  },
  {
    title: { pl: 'Dostęp do pieczęci', en: 'Access to seals' },
    things: seals.map((one) => ({
      name: one.name,
      rows: [
        [organisation, `${one.organisation}, ${one.organisationIdentifier}`],
        [from, one.validFrom],
        [to, one.validTo],
        [{ pl: 'Rola', en: 'Role' }, roleWords[one.role]],
        [{ pl: 'Dostęp', en: 'Access' }, accessWords[one.access]],
        [{ pl: 'Zapisane dane', en: 'Data kept' }, `${one.firstName} ${one.surname}, ${one.email}, ${one.phone}`],
        [{ pl: 'Zaproszono', en: 'Invited' }, one.invitedAt],
        [{ pl: 'Aktywowano', en: 'Activated' }, one.acquiredAt],
        [{ pl: 'Usunięto', en: 'Removed' }, one.deletedAt],
        [paired, one.pairedAt],
      ],
    })),
  },
  {
    title: { pl: 'Znaczniki czasu', en: 'Timestamps' },
    things: timestampAccounts.flatMap(({ login, authentication, serverUrl, active, packages, usage }) => [
      {
        name: login,
        rows: [
          [{ pl: 'Uwierzytelnianie', en: 'Authentication' }, authenticationWords[authentication]],
          [{ pl: 'Adres serwera', en: 'Server address' }, serverUrl],
          [status, active ? { pl: 'aktywne', en: 'active' } : { pl: 'nieaktywne', en: 'inactive' }],
          [{ pl: 'Zużyte znaczniki', en: 'Timestamps used' }, usage.reduce((sum, { spent }) => sum + spent, 0)],
        ] satisfies Row[],
      },
      ...packages.map((one) => ({
        name: { pl: `Pakiet konta ${login}`, en: `Package of the account ${login}` },
        rows: [
          [{ pl: 'Rodzaj', en: 'Kind' }, packageWords[one.kind]],
          [{ pl: 'Wielkość', en: 'Size' }, one.size],
          [{ pl: 'Zużyte', en: 'Used' }, one.spent],
          [from, one.startsAt],
          [to, one.endsAt],
        ] satisfies Row[],
      })),
    ]),
  },
]

const casesOf = ({ documents, vouchers, renewals }: OwnData): Section[] => [
  {
    title: { pl: 'Dokumenty', en: 'Documents' },
    things: documents.map((one) => ({
      name: one.process,
      rows: [
        [{ pl: 'Wniosek', en: 'Application' }, one.application],
        [{ pl: 'Dokument', en: 'Document' }, one.document],
        [status, documentWords[one.status]],
        [{ pl: 'Podpisujący', en: 'Signer' }, one.signer],
        [created, one.createdAt],
        [changed, one.updatedAt],
        [{ pl: 'Plików', en: 'Files' }, one.files.length],
        [note, one.refusal?.note ?? null],
      ],
    })),
  },
  {
    title: { pl: 'Kody voucher i\u00a0sprawy', en: 'Voucher codes and cases' },
    things: vouchers.map((one) => ({
      name: one.process ? voucherWords[one.process] : { pl: 'Kod odnowienia', en: 'Renewal code' },
      rows: [
        [{ pl: 'Kod', en: 'Code' }, one.code],
        [{ pl: 'Użyty', en: 'Used' }, one.usedAt],
        [{ pl: 'Ważny do', en: 'Valid until' }, one.expiresAt],
        [{ pl: 'Numer sprawy', en: 'Number of the case' }, one.number],
        [status, one.status && caseWords[one.status]],
        [note, one.note],
      ],
    })),
  },
  {
    title: { pl: 'Odnowienia', en: 'Renewals' },
    things: renewals.map((one) => ({
      name: one.openedAt,
      rows: [
        [status, renewalWords[one.state]],
        [changed, one.updatedAt],
        [{ pl: 'Umowa podpisana', en: 'Agreement signed' }, one.signedAt],
        [{ pl: 'Skrót umowy (SHA-256)', en: 'Hash of the agreement (SHA-256)' }, one.agreementSha256],
        [note, one.note],
      ],
    })),
  },
]

/** What there is none of is not written down. */
export function writtenValue(locale: Locale, value: Value): string {
  if (value === null) return ''
  if (value instanceof Date) return momentOf(locale, value)
  return typeof value === 'object' ? value[locale] : String(value)
}

/** By the clocks of Poland, as every page of the portal tells it. */
export const momentOf = (locale: Locale, at: Date): string =>
  new Intl.DateTimeFormat(locale === 'pl' ? 'pl-PL' : 'en-GB', {
    timeZone: 'Europe/Warsaw',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(at)
