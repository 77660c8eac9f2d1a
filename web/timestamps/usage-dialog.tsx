import { useState } from 'react'
import type { Reply } from '../../contract/endpoint.ts'
import { addDays } from '../../contract/rules/warsaw-time.ts'
import { readTimestampUsage, type TimestampAccount } from '../../contract/timestamps.ts'
import { useText } from '../app/locale.tsx'
import { useRead } from '../calls/reads.ts'
import { DateText } from '../text/date-text.tsx'
import { formatDate, formatNumber } from '../text/format.ts'
import { timestampsText } from '../text/timestamp-text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fold } from '../ui/fold.tsx'
import { Region } from '../ui/region.tsx'
import { AccountName } from './timestamps-text.tsx'

type Usage = Reply<typeof readTimestampUsage>

/** Shows the timestamps spent, day by day, as a chart and as a table (TSP-4). */
export function UsageDialog({ account, onClose }: { account: TimestampAccount; onClose: () => void }) {
  const t = useText()
  const [until, setUntil] = useState<string>()
  const usage = useRead(readTimestampUsage, { params: { id: account.id }, query: { ...(until && { until }) } })
  // The previous days stay until the new ones are loaded, so the button and the open table do not move.
  const [held, setHeld] = useState<Usage>()
  if (usage.data && usage.data !== held) setHeld(usage.data)
  return (
    <Dialog
      title={t({ pl: 'Zużycie znaczników', en: 'Timestamp usage' })}
      description={<AccountName login={account.login} />}
      width="l"
      initialFocus="title"
      onClose={onClose}
      footer={<Button onClick={onClose}>{t({ pl: 'Zamknij', en: 'Close' })}</Button>}
    >
      <Region
        query={{ ...usage, data: usage.data ?? (usage.error ? undefined : held) }}
        lines={7}
        label={t({ pl: 'Wczytujemy zużycie', en: 'Loading usage' })}
      >
        {(data) => <Period usage={data} onUntil={setUntil} />}
      </Region>
    </Dialog>
  )
}

function Period({ usage: { days, today, hasEarlier }, onUntil }: { usage: Usage; onUntil: (day: string) => void }) {
  const t = useText()
  const [first, last] = [days[0]?.day ?? today, days.at(-1)?.day ?? today]
  const total = days.reduce((sum, { spent }) => sum + spent, 0)
  const isLater = last < today
  return (
    <>
      <p role="status" className="usage__total">
        {t({
          pl: `Od ${formatDate(t.locale, first)} do ${formatDate(t.locale, last)}: `,
          en: `${formatDate(t.locale, first)} to ${formatDate(t.locale, last)}: `,
        })}
        <b>{timestampsText(t.locale, total)}</b>
      </p>
      <UsageChart days={days} />
      <nav className="buttons usage__turn" aria-label={t({ pl: 'Okres', en: 'Period' })}>
        <Button size="s" aria-disabled={!hasEarlier} onClick={() => onUntil(addDays(first, -1))}>
          {t({ pl: 'Wcześniejsze dni', en: 'Earlier days' })}
        </Button>
        <Button size="s" aria-disabled={!isLater} onClick={() => onUntil(addDays(last, days.length))}>
          {t({ pl: 'Późniejsze dni', en: 'Later days' })}
        </Button>
      </nav>
      <Fold className="usage__table" summary={t({ pl: 'Pokaż jako tabelę', en: 'Show as a table' })}>
        <table>
          <caption className="unseen">
            {t({ pl: 'Znaczniki zużyte każdego dnia', en: 'Timestamps used each day' })}
          </caption>
          <thead>
            <tr>
              <th scope="col">{t({ pl: 'Dzień', en: 'Day' })}</th>
              <th scope="col">{t({ pl: 'Znaczniki', en: 'Timestamps' })}</th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, spent }) => (
              <tr key={day}>
                <th scope="row">
                  <DateText at={day} length="short" />
                </th>
                <td>{formatNumber(t.locale, spent)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Fold>
    </>
  )
}

type Days = Reply<typeof readTimestampUsage>['days']

const height = 100
/** Part of a day's width; the rest is the gap to the next bar. */
const barWidth = 0.72

/** Returns the top of a scale for values up to `most`: 1, 2, 4 or 5 times a power of ten, so that its half is a round number too. */
export function niceTop(most: number) {
  if (most <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(most))
  return [1, 2, 4, 5, 10].map((step) => step * power).find((top) => top >= most) ?? most
}

/** Shows one bar per day. The drawing is stretched, so its labels are outside of it; the table below has the details. */
function UsageChart({ days }: { days: Days }) {
  const t = useText()
  const most = days.reduce((best, each) => (each.spent > best.spent ? each : best))
  const top = niceTop(most.spent)
  const label = most.spent
    ? t({
        pl: `Wykres zużycia na dzień. Najwięcej: ${timestampsText(t.locale, most.spent)}, ${formatDate(t.locale, most.day)}.`,
        en: `Chart of usage per day. Highest: ${timestampsText(t.locale, most.spent)}, ${formatDate(t.locale, most.day)}.`,
      })
    : t({ pl: 'W\u00a0tych dniach nie zużyto znaczników.', en: 'No timestamps used on these days.' })
  return (
    <figure className="usage">
      <span className="usage__scale number" aria-hidden="true">
        <span>{formatNumber(t.locale, top)}</span>
        <span>{formatNumber(t.locale, top / 2)}</span>
        <span>0</span>
      </span>
      <svg
        className="usage__bars"
        viewBox={`0 0 ${days.length} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {[0, height / 2, height].map((y) => (
          <line key={y} x1="0" x2={days.length} y1={y} y2={y} />
        ))}
        {days.map(({ day, spent }, i) => {
          const tall = (spent / top) * height
          return (
            <rect key={day} x={i + (1 - barWidth) / 2} y={height - tall} width={barWidth} height={tall}>
              <title>{`${formatDate(t.locale, day)}: ${formatNumber(t.locale, spent)}`}</title>
            </rect>
          )
        })}
      </svg>
      <figcaption className="usage__days" aria-hidden="true">
        {[0, Math.floor(days.length / 2), days.length - 1]
          .map((index) => days[index]?.day ?? '')
          .map((day) => (
            <span key={day}>{formatDate(t.locale, day, 'short')}</span>
          ))}
      </figcaption>
    </figure>
  )
}
