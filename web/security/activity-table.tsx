import type { ActivityEntry } from '../../contract/activity.ts'
import { acts } from '../../contract/acts.ts'
import { useLocale, useText } from '../locale.tsx'
import { formatDate, formatTime } from '../text/format.ts'
import { as, TableHead } from '../ui/table.tsx'
import '../ui/table.css'
import { useDeviceName } from './device-words.ts'

/** What happened, each act in plain words, newest first. */
export function ActivityTable({ items }: { items: readonly ActivityEntry[] }) {
  const t = useText()
  const heads = {
    when: t({ pl: 'Kiedy', en: 'When' }),
    what: t({ pl: 'Co się stało', en: 'What happened' }),
    whence: t({ pl: 'Skąd', en: 'From where' }),
  }
  return (
    <div className="tplace">
      <table className="table tcards" {...as.table}>
        <caption className="vh">{t({ pl: 'Historia aktywności', en: 'Activity history' })}</caption>
        <TableHead columns={Object.values(heads)} />
        <tbody {...as.rowgroup}>
          {items.map((entry) => (
            <ActivityRow key={entry.id} entry={entry} heads={heads} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type RowProps = { entry: ActivityEntry; heads: Record<'when' | 'what' | 'whence', string> }

function ActivityRow({ entry: { at, act, actor, address, device, factor }, heads }: RowProps) {
  const t = useText()
  const locale = useLocale()
  const nameOf = useDeviceName()
  const by = {
    customer: '',
    provider: t({ pl: 'dostawca usług', en: 'the provider' }),
    operator: t({ pl: 'obsługa portalu', en: 'portal staff' }),
    system: t({ pl: 'portal', en: 'the portal' }),
  }[actor]
  const means =
    factor &&
    {
      sms: t({ pl: 'kodem SMS', en: 'by text-message code' }),
      passkey: t({ pl: 'kluczem dostępu', en: 'by passkey' }),
      'passkey-alone': t({ pl: 'samym kluczem dostępu', en: 'by passkey alone' }),
    }[factor]
  return (
    <tr {...as.row}>
      <td {...as.cell} data-label={heads.when} className="num">
        <time dateTime={at}>
          {formatDate(locale, at, 'short')}, {formatTime(locale, at)}
        </time>
      </td>
      <td {...as.cell} data-label={heads.what}>
        <span className="activity__what">
          {t(acts[act])}
          {means && `, ${means}`}
        </span>
      </td>
      <td {...as.cell} data-label={heads.whence}>
        {[device && nameOf(device), address, by].filter(Boolean).join(', ')}
      </td>
    </tr>
  )
}
