import type { ActivityEntry } from '../../contract/activity.ts'
import { auditActions } from '../../contract/audit-actions.ts'
import { useLocale, useText } from '../locale.tsx'
import { formatDate, formatTime } from '../text/format.ts'
import { Cell, DataTable, TableRow } from '../ui/table.tsx'
import '../ui/table.css'
import { useDeviceName } from './device-name.ts'

const columns = {
  when: { pl: 'Kiedy', en: 'When' },
  what: { pl: 'Co się stało', en: 'What happened' },
  origin: { pl: 'Skąd', en: 'From where' },
}

/** What happened, described in plain language, newest first. */
export function ActivityTable({ items }: { items: readonly ActivityEntry[] }) {
  return (
    <DataTable caption={{ pl: 'Historia aktywności', en: 'Activity history' }} columns={columns}>
      {items.map((entry) => (
        <ActivityRow key={entry.id} entry={entry} />
      ))}
    </DataTable>
  )
}

function ActivityRow({ entry: { at, act, actor, address, device, factor } }: { entry: ActivityEntry }) {
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
    <TableRow>
      <Cell column={columns.when} className="num">
        <time dateTime={at}>
          {formatDate(locale, at, 'short')}, {formatTime(locale, at)}
        </time>
      </Cell>
      <Cell column={columns.what}>
        <span className="activity__what">
          {t(auditActions[act])}
          {means && `, ${means}`}
        </span>
      </Cell>
      <Cell column={columns.origin}>{[device && nameOf(device), address, by].filter(Boolean).join(', ')}</Cell>
    </TableRow>
  )
}
