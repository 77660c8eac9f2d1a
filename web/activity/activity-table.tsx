import { useId, useState } from 'react'
import { activityObjectKinds, activityObjectText, type ActivityObject } from '../../contract/activity-object.ts'
import type { ActivityRow as Row } from '../../contract/activity.ts'
import { auditActions } from '../../contract/audit-actions.ts'
import { deviceName, type Device } from '../../contract/device.ts'
import { pages } from '../../contract/pages.ts'
import { isOff } from '../app/config.ts'
import { useLocale, useText } from '../app/locale.tsx'
import { TimeText } from '../text/date-text.tsx'
import { capitalise, formatDate, formatTime } from '../text/format.ts'
import { Button, TextLink } from '../ui/button.tsx'
import { Cell, Table, TableRow } from '../ui/table.tsx'
import { joinedRows, type JoinedRow } from './joined-entries.ts'

const columns = {
  when: { pl: 'Kiedy', en: 'When' },
  what: { pl: 'Co się stało', en: 'What happened' },
  origin: { pl: 'Skąd', en: 'Source' },
}

/** Number of entries first shown on a phone, the newest of a page. */
const shownOnPhone = 5

/** Shows what happened, described in plain language, newest first. */
export function ActivityTable({ items }: { items: readonly Row[] }) {
  const t = useText()
  const id = useId()
  const [showsAll, setShowsAll] = useState(false)
  const rows = joinedRows(items)
  const hidden = rows.length - shownOnPhone
  // A button for one row would be as high as the row.
  const isLong = hidden > 1
  return (
    <>
      <div id={id} className={isLong && !showsAll ? 'activity__rows is-short' : 'activity__rows'}>
        <Table caption={{ pl: 'Historia aktywności', en: 'Activity history' }} columns={columns}>
          {rows.map((row) => (
            <ActivityRow key={row.id} {...row} />
          ))}
        </Table>
      </div>
      {isLong && (
        <Button
          variant="quiet"
          icon="down"
          className="activity__rest"
          aria-expanded={showsAll}
          aria-controls={id}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll
            ? t({ pl: 'Pokaż mniej', en: 'Show fewer' })
            : t({ pl: `Pokaż pozostałe (${hidden})`, en: `Show the rest (${hidden})` })}
        </Button>
      )}
    </>
  )
}

/** Shows the name of the object of an entry, and links to it if it still exists (AUT-12). */
function AboutObject({ object }: { object: ActivityObject }) {
  const locale = useLocale()
  const text = activityObjectText(locale, object, (instant) => formatDate(locale, instant, 'short'))
  const { page, filter } = activityObjectKinds[object.kind]
  if (!page || !object.shown?.isListed || isOff(page)) return text
  const { id } = object.shown
  return (
    <TextLink to={filter ? `${pages[page].path}?${filter}=${id}` : pages[page].path.replace(':uid', id)}>
      {text}
    </TextLink>
  )
}

/** Returns a function that names a device, such as `Chrome, Windows`, or says that it is unknown. */
export function useDeviceName() {
  const t = useText()
  return (device: Device) => deviceName(device) || t({ pl: 'Nieznane urządzenie', en: 'Unknown device' })
}

function ActivityRow({ at, act, object, actor, address, device, factor, part, since, count }: JoinedRow) {
  const t = useText()
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
      'passkey-alone': t({ pl: 'samym kluczem dostępu', en: 'by passkey only' }),
    }[factor]
  return (
    <TableRow>
      <Cell column={columns.when} className="number">
        <time dateTime={since}>
          {formatDate(t.locale, since, 'short')}, {formatTime(t.locale, since)}
        </time>
        {formatTime(t.locale, since) !== formatTime(t.locale, at) && (
          <>
            –<TimeText at={at} />
          </>
        )}
      </Cell>
      <Cell column={columns.what}>
        <div>
          <span className="activity__what">
            {t(auditActions[act])}
            {means && ` ${means}`}{' '}
            {count > 1 && <span className="tag">{t({ pl: `${count} razy`, en: `${count} times` })}</span>}
          </span>
          {object && (
            <span className="activity__about" translate="no">
              <AboutObject object={object} />
            </span>
          )}
          {part && (
            <span className="activity__about soft">
              {t(auditActions[part.act])}, <TimeText at={part.at} />
            </span>
          )}
        </div>
      </Cell>
      <Cell column={columns.origin}>
        {capitalise([device && nameOf(device), address, by].filter(Boolean).join(', '))}
      </Cell>
    </TableRow>
  )
}
