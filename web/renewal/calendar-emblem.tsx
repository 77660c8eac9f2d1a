import { Icon } from '../art/icons.tsx'
import { OkEmblem } from '../art/ok-emblem.tsx'
import { downloadUrl } from '../api.ts'
import { downloadRenewalCalendar } from '../../contract/renewal.ts'
import { useLocale, useText } from '../locale.tsx'
import { formatDate, formatTime } from '../text/format.ts'

/** REN-9: the day from which the certificate is valid and has a QR code, also for the calendar. */
export function CalendarEmblem({ uid, from }: { uid: string; from: string }) {
  const t = useText()
  const locale = useLocale()
  const [day, time] = [formatDate(locale, from), formatTime(locale, from)]
  return (
    <div className="issue__seal">
      <OkEmblem icon="calendar" />
      <p className="issue__when">
        <time dateTime={from}>
          {t({ pl: `Aplikację połączysz od ${day}, ${time}`, en: `You can connect the app from ${day}, ${time}` })}
        </time>
      </p>
      <p className="soft">
        {t({
          pl: 'Wtedy nowy certyfikat zacznie działać. Do tego czasu podpisuj obecnym.',
          en: 'That’s when your new certificate becomes valid. Until then, sign with your current one.',
        })}
      </p>
      <a className="btn btn--secondary" href={downloadUrl(downloadRenewalCalendar, { uid })} download>
        <Icon name="calendar" />
        {t({ pl: 'Dodaj do kalendarza', en: 'Add to calendar' })}
      </a>
    </div>
  )
}
