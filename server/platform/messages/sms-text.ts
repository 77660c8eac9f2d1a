import { locales, type CodePurpose, type Locale, type Text } from '../contract/enums.ts'
import { inGsm7, isOneSegment } from './gsm7.ts'
import type { Settings } from './portal.ts'

type Sender = Pick<Settings, 'brand' | 'publicUrl'>

/** What the message says that the code is for; of one that goes by mail too. No Polish diacritics: they would cost a second segment (R75). */
export const codeActs: Record<CodePurpose, Text> = {
  'sign-in': { pl: 'do zalogowania sie', en: 'to sign in' },
  'pair-app': { pl: 'do pokazania kodu QR podpisu', en: 'to show the QR code of a signature' },
  'pair-seal': { pl: 'do pokazania kodu QR pieczeci', en: 'to show the QR code of a seal' },
  'manage-seal-users': { pl: 'do zmiany uzytkownikow pieczeci', en: 'to change the users of a seal' },
  'activate-seal': { pl: 'do aktywacji dostepu do pieczeci', en: 'to activate access to a seal' },
  'sign-agreement': { pl: 'do podpisania umowy', en: 'to sign the agreement' },
  'sign-document': { pl: 'do podpisania dokumentu', en: 'to sign the document' },
  'timestamp-password': { pl: 'do zmiany hasla konta znacznikow', en: 'to change a timestamp password' },
  'add-passkey': { pl: 'do dodania klucza dostepu', en: 'to add a passkey' },
  'remove-passkey': { pl: 'do usuniecia klucza dostepu', en: 'to remove a passkey' },
  'reveal-data': { pl: 'do pokazania danych', en: 'to show your data' },
  'change-phone': { pl: 'do zmiany numeru telefonu', en: 'to change the phone number' },
  'export-data': { pl: 'do pobrania swoich danych', en: 'to download your data' },
  'confirm-phone': { pl: 'do potwierdzenia numeru', en: 'to confirm your number' },
  'phone-email': { pl: 'do zmiany numeru telefonu', en: 'to change the phone number' },
  'phone-sms': { pl: 'do potwierdzenia nowego numeru', en: 'to confirm your new number' },
}

/**
 * One of the two SMS that the portal sends; neither holds anything a person typed (R75). What the code is for and which
 * message of the operation it is (PSD2 RTS art. 5), and the code bound to our origin in the last line, so that a phone fills it in on no other site.
 */
export function textBySms(
  { brand, publicUrl }: Sender,
  locale: Locale,
  { act, code, ordinal }: { act: string; code: string; ordinal: number },
): string {
  const name = inGsm7(brand.product)
  const host = new URL(publicUrl).hostname
  const sentence =
    locale === 'pl'
      ? `${name}: kod nr ${ordinal} ${act}: ${code}. Wazny 10 min. Nie podawaj go nikomu.`
      : `${name}: code no. ${ordinal} ${act}: ${code}. Valid 10 min. Do not share it.`
  return `${sentence}\n@${host} #${code}`
}

/** What a number is told that was the account's until now (DAT-5). */
export function numberChangedBySms({ brand }: Pick<Sender, 'brand'>, locale: Locale): string {
  const name = inGsm7(brand.product)
  return locale === 'pl'
    ? `${name}: ten numer nie dostaje juz kodow, konto ma nowy numer telefonu. To nie Ty? Zadzwon: ${brand.phone}`
    : `${name}: this number gets no more codes, the account has a new phone number. Not you? Call ${brand.phone}`
}

/** What a confirmed number is notified of when the provider has changed how an account is reached (R116). */
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
      ? `${name}: konto ma nowy e-mail i nowy numer, ten nie dostaje juz kodow. To nie Ty? Zadzwon: ${support}`
      : `${name}: Twoje konto ma nowy adres e-mail. To nie Ty? Zadzwon: ${support}`
  return phone
    ? `${name}: the account has a new e-mail and a new number, this one gets no more codes. Not you? Call ${support}`
    : `${name}: your account has a new e-mail address. Not you? Call ${support}`
}

/**
 * The SMS of this brand and address that no gateway would be given, because it is more than one part: none where each fits.
 * Told at the start, or nobody could sign in (R75).
 */
export const unsendableSms = (sender: Sender): string | undefined =>
  locales
    .flatMap((locale) => [
      ...Object.entries(codeActs).map(([purpose, { [locale]: act }]) =>
        // What is signed is named by the digits of its hash (R33).
        textBySms(sender, locale, {
          act: purpose.startsWith('sign-') ? `${act} 00000000` : act,
          code: '000000',
          ordinal: 10,
        }),
      ),
      ...[true, false].flatMap((email) => contactChangedBySms(sender, locale, { email, phone: true })),
    ])
    .toSorted((one, other) => other.length - one.length)
    .find((text) => !isOneSegment(text))
