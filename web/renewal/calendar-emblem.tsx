import { Icon } from '../art/icons.tsx'
import { OkSeal } from '../art/ok-seal.tsx'
import { downloadUrl } from '../api.ts'
import { downloadRenewalCalendar } from '../../contract/renewal.ts'
import { useLocale, useText } from '../locale.tsx'
import { formatDate, formatTime } from '../text/format.ts'

/** REN-9: the certificate is not valid yet, so there is no QR code; when there will be, also for the calendar. */
export function CalendarSeal({ uid, from }: { uid: string; from: string }) {
  const t = useText()
  const locale = useLocale()
  const [day, time] = [formatDate(locale, from), formatTime(locale, from)]
  return (
    <div className="issue__seal">
      <OkSeal icon="calendar" />
      <p className="issue__when">
        <time dateTime={from}>
          {t({
            pl: `Kod QR pojawi się ${day} o\u00a0${time}`,
            en: `The QR code appears on ${day} at ${time}`,
          })}
        </time>
      </p>
      <p className="soft">
        {t({
          pl: 'Nowy certyfikat zaczyna wtedy działać. Do tego czasu używasz obecnego.',
          en: 'That is when your new certificate begins to work. Until then you use the present one.',
        })}
      </p>
      <a className="btn btn--secondary" href={downloadUrl(downloadRenewalCalendar, { uid })} download>
        <Icon name="calendar" />
        {t({ pl: 'Dodaj do kalendarza', en: 'Add to calendar' })}
      </a>
    </div>
  )
}
