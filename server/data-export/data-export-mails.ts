import type { Locale } from '../../contract/enums.ts'
import type { Tx } from '../platform/database/database.ts'
import { renderMail } from '../platform/messages/mail-template.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import { pageLink } from '../platform/messages/page-link.ts'
import type { Portal } from '../platform/portal.ts'
import type { Settings } from '../platform/settings.ts'

/** Notifies the customer of an export by mail, in the transaction of the change (R92), unless exports are off (ERR-5). */
export async function notifyOfExport(
  tx: Tx,
  { keys, settings }: Pick<Portal, 'keys' | 'settings'>,
  { locale, email }: { locale: Locale; email: string },
  news: 'ready' | 'failed',
) {
  if (settings.featuresOff.includes('data-export')) return
  await enqueue(tx, keys, { channel: 'mail', to: email, ...exportMail(settings, locale, news) })
}

/** Says that the export is ready or could not be made, and nothing about its contents. */
function exportMail(settings: Settings, locale: Locale, news: 'ready' | 'failed') {
  const { brand } = settings
  const text = {
    pl: {
      ready: {
        subject: 'kopia Twoich danych jest gotowa',
        what: 'Kopia Twoich danych czeka w\u00a0portalu 24\u00a0godziny. Potem ją usuniemy.',
      },
      failed: {
        subject: 'nie udało się przygotować kopii danych',
        what: 'Nie udało się przygotować kopii Twoich danych. Spróbuj jeszcze raz, a\u00a0jeśli to nie pomoże, zadzwoń do nas.',
      },
      label: 'Przejdź do kopii danych',
      note: `Jeśli to nie Ty, zmień hasło i\u00a0zadzwoń od razu: ${brand.phone}.`,
    },
    en: {
      ready: {
        subject: 'the copy of your data is ready',
        what: 'The copy of your data will be in the portal for 24\u00a0hours. Then we’ll delete it.',
      },
      failed: {
        subject: 'we couldn’t prepare the copy of your data',
        what: 'We couldn’t prepare the copy of your data. Try again, and if that doesn’t help, call us.',
      },
      label: 'Go to the copy of your data',
      note: `If this wasn’t you, change your password and call us right away: ${brand.phone}.`,
    },
  }[locale]
  const { subject, what } = text[news]
  const link = pageLink(settings, locale, 'security', text.label)
  return renderMail(locale, brand, { subject, paragraphs: [what], ...link, note: text.note })
}
