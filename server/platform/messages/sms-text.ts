import { locales, type Locale, type Text } from '../../../contract/enums.ts'
import { StatusChange } from '../../../contract/signatures-and-seals.ts'
import type { CodePurpose } from '../../../contract/step-up-purpose.ts'
import type { Settings } from '../settings.ts'

type Sender = Pick<Settings, 'brand' | 'publicUrl'>

/** The purpose of a code, in its SMS or mail. No Polish diacritics: they would cost a second segment (R75). */
export const codePurposeTexts: Record<CodePurpose, Text> = {
  'sign-in': { pl: 'do zalogowania sie', en: 'to sign in' },
  'pair-app': { pl: 'do polaczenia podpisu z aplikacja', en: 'to connect a signature to the app' },
  'pair-seal': { pl: 'do polaczenia pieczeci z aplikacja', en: 'to connect a seal to the app' },
  'manage-seal-users': { pl: 'do zmiany uzytkownikow pieczeci', en: 'to change the users of a seal' },
  'activate-seal': { pl: 'do aktywacji dostepu do pieczeci', en: 'to activate access to a seal' },
  'sign-agreement': { pl: 'do podpisania umowy', en: 'to sign the agreement' },
  'sign-document': { pl: 'do podpisania dokumentu', en: 'to sign the document' },
  'sign-files': { pl: 'do podpisania plikow', en: 'to sign files' },
  'timestamp-password': { pl: 'do zmiany hasla konta znacznikow', en: 'to change a timestamp password' },
  'add-passkey': { pl: 'do dodania klucza dostepu', en: 'to add a passkey' },
  'remove-passkey': { pl: 'do usuniecia klucza dostepu', en: 'to remove a passkey' },
  'change-phone': { pl: 'do zmiany numeru telefonu', en: 'to change your phone number' },
  'export-data': { pl: 'do pobrania swoich danych', en: 'to download your data' },
  suspend: { pl: 'do zawieszenia certyfikatu', en: 'to suspend a certificate' },
  resume: { pl: 'do cofniecia zawieszenia certyfikatu', en: 'to end a suspension' },
  revoke: { pl: 'do uniewaznienia certyfikatu', en: 'to revoke a certificate' },
  'confirm-phone': { pl: 'do potwierdzenia numeru', en: 'to confirm your number' },
  'phone-email': { pl: 'do zmiany numeru telefonu', en: 'to change your phone number' },
  'phone-sms': { pl: 'do potwierdzenia nowego numeru', en: 'to confirm your new number' },
}

/** Names a code: `kod` in the first message of an operation, `kod nr 2` in the next, because only several codes must be told apart. */
export const codeName = (locale: Locale, ordinal: number) =>
  locale === 'pl' ? `kod${ordinal > 1 ? ` nr ${ordinal}` : ''}` : `code${ordinal > 1 ? ` no. ${ordinal}` : ''}`

/** 3GPP TS 23.038 §6.2.1: one septet each. The escape itself is not a character. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** §6.2.1.1, the extension table: an escape and one more septet. */
const extension = new Set('\f^{}\\[~]|€')

/** Characters that are not a letter with a mark. */
const replacements: Record<string, string> = {
  ł: 'l',
  Ł: 'L',
  '„': '"',
  '”': '"',
  '’': "'",
  '–': '-',
  '—': '-',
  '\u00a0': ' ',
}

/** Converts a text to characters of GSM-7 where possible. Polish letters lose their marks, as is usual in SMS (R75). */
const inGsm7 = (text: string): string =>
  Array.from(text.normalize('NFC'), (character) =>
    basic.has(character) ? character : (replacements[character] ?? character.normalize('NFD').replace(/\p{M}/gu, '')),
  ).join('')

/** Checks whether a text fits into one SMS: only GSM-7, at most 160 septets (R75). Any other text costs several. */
export function isOneSegment(text: string): boolean {
  let septets = 0
  for (const character of text) {
    if (basic.has(character)) septets += 1
    else if (extension.has(character)) septets += 2
    else return false
  }
  return septets <= 160
}

/**
 * Writes the SMS with a code. It has nothing that a person typed (R75). It says what the code is for and, from the second message of the
 * operation on, which one it is (PSD2 RTS art. 5). The last line binds the code to our origin, so that a phone fills it in on no other
 * site.
 */
export function textBySms(
  { brand, publicUrl }: Sender,
  locale: Locale,
  { purpose, code, ordinal }: { purpose: string; code: string; ordinal: number },
): string {
  const name = inGsm7(brand.product)
  const host = new URL(publicUrl).hostname
  const sentence =
    locale === 'pl'
      ? `${name}: ${codeName(locale, ordinal)} ${purpose}: ${code}. Wazny 10 min. Nie podawaj go nikomu.`
      : `${name}: ${codeName(locale, ordinal)} ${purpose}: ${code}. Valid 10 min. Don't share it.`
  return `${sentence}\n@${host} #${code}`
}

/** Writes the SMS to a number that has just been replaced (DAT-5). */
export function numberChangedBySms({ brand }: Pick<Sender, 'brand'>, locale: Locale): string {
  const name = inGsm7(brand.product)
  return locale === 'pl'
    ? `${name}: kody wysylamy juz na inny numer. To nie Ty? Zadzwon: ${brand.phone}`
    : `${name}: codes now go to a new number. Not you? Call ${brand.phone}`
}

const requestedChanges: Record<StatusChange, Text> = {
  suspend: { pl: 'zawieszenie certyfikatu', en: 'the suspension of a certificate' },
  resume: { pl: 'cofniecie zawieszenia certyfikatu', en: 'the end of a suspension' },
  revoke: { pl: 'uniewaznienie certyfikatu', en: 'the revocation of a certificate' },
}

/** Writes the SMS about a request for another status of a certificate (STP-6). */
export function statusRequestedBySms({ brand }: Pick<Sender, 'brand'>, locale: Locale, change: StatusChange): string {
  const name = inGsm7(brand.product)
  const what = requestedChanges[change][locale]
  return locale === 'pl'
    ? `${name}: zlecono ${what}. To nie Ty? Zadzwon: ${brand.phone}`
    : `${name}: ${what} was requested. Not you? Call ${brand.phone}`
}

/** Writes the SMS to a confirmed number after the provider has changed the contact data of the account (R116). */
export function contactChangedBySms(
  sender: Pick<Sender, 'brand'>,
  locale: Locale,
  { email, phone }: { email: boolean; phone: boolean },
): string {
  if (!email) return numberChangedBySms(sender, locale)
  const { product, phone: support } = sender.brand
  const name = inGsm7(product)
  if (locale === 'pl')
    return phone
      ? `${name}: konto ma nowy e-mail, a kody wysylamy juz na inny numer. To nie Ty? Zadzwon: ${support}`
      : `${name}: Twoje konto ma nowy adres e-mail. To nie Ty? Zadzwon: ${support}`
  return phone
    ? `${name}: your account has a new e-mail, and codes now go to a new number. Not you? Call ${support}`
    : `${name}: your account has a new e-mail address. Not you? Call ${support}`
}

/**
 * Returns an SMS of this brand and address that needs more than one part, and so would never be sent; undefined if each fits. It is
 * reported at the start, because nobody could sign in (R75).
 */
export const unsendableSms = (sender: Sender): string | undefined =>
  locales
    .flatMap((locale) => [
      ...Object.entries(codePurposeTexts).map(([name, { [locale]: purpose }]) =>
        // The text of a signing code ends with digits of the document's hash (R33).
        textBySms(sender, locale, {
          purpose: name.startsWith('sign-') ? `${purpose} 00000000` : purpose,
          code: '000000',
          ordinal: 10,
        }),
      ),
      ...StatusChange.options.map((change) => statusRequestedBySms(sender, locale, change)),
      ...[true, false].flatMap((email) => contactChangedBySms(sender, locale, { email, phone: true })),
    ])
    .toSorted((a, b) => b.length - a.length)
    .find((text) => !isOneSegment(text))
