import type { Locale } from '../../contract/enums.ts'
import { inLocale, pages } from '../../contract/pages.ts'
import type { TimestampPackageKind } from '../../contract/timestamps.ts'
import type { CalendarEnd } from '../platform/messages/calendar-ends.ts'
import type { Settings } from '../platform/settings.ts'
import { kindText } from './package-mails.ts'

export type EndingPackage = { id: string; kind: TimestampPackageKind; validTo: Date }

/** Without the login of its account, which is half of what a program needs to use it. */
export function packageEnd({ publicUrl }: Settings, locale: Locale, { id, kind, validTo }: EndingPackage): CalendarEnd {
  const text = kindText[kind]
  return {
    uid: `package-${id}`,
    validTo,
    what: {
      pl: `pakiet znaczników czasu (${text.pl})`,
      en: `timestamp package (${text.en})`,
    }[locale],
    description: {
      pl: 'Niewykorzystane znaczniki przepadną. Bez innego pakietu serwer odrzuci żądania Twoich programów.',
      en: 'Unused timestamps will be lost. Without another package, your software’s requests are rejected.',
    }[locale],
    url: publicUrl + inLocale(locale, pages.timestamps.path),
  }
}
