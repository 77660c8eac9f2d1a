import { Icon } from '../art/icons.tsx'
import { SuccessMark } from '../art/success-mark.tsx'
import { downloadUrl } from '../calls/api.ts'
import { downloadRenewalCalendar } from '../../contract/renewal.ts'
import { useText } from '../app/locale.tsx'
import { formatDate, formatTime } from '../text/format.ts'

/** REN-9: the day from which the certificate is valid and has a QR code, also for the calendar. */
export function CertificateStart({ uid, from }: { uid: string; from: string }) {
  const t = useText()
  const [day, time] = [formatDate(t.locale, from), formatTime(t.locale, from)]
  return (
    <div className="issue__seal">
      <SuccessMark />
      <p className="issue__when">
        <time dateTime={from}>
          {t({ pl: `Certyfikat zacznie działać ${day}, ${time}`, en: `Your certificate starts on ${day}, ${time}` })}
        </time>
      </p>
      <p className="soft">
        {t({
          pl: 'Wtedy połączysz go z\u00a0aplikacją. Do tego czasu podpisuj obecnym.',
          en: 'You can connect it to the app then. Until then, sign with your current one.',
        })}
      </p>
      <a className="btn btn--secondary" href={downloadUrl(downloadRenewalCalendar, { uid })} download>
        <Icon name="calendar" />
        {t({ pl: 'Dodaj do kalendarza', en: 'Add to calendar' })}
      </a>
    </div>
  )
}
