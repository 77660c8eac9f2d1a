import type { Reply } from '../../contract/endpoint.ts'
import type { readTimestampUsage } from '../../contract/timestamps.ts'
import { useText } from '../locale.tsx'
import { formatDate, formatNumber } from '../text/format.ts'
import { niceTop } from './chart-scale.ts'
import { timestampsText } from '../text/timestamp-text.ts'

type Days = Reply<typeof readTimestampUsage>['days']

const height = 100
/** Part of a day's width; the rest is the gap to the next bar. */
const barWidth = 0.72

/** One bar per day. The drawing is stretched, so its labels are outside of it; the table below has the details. */
export function UsageChart({ days }: { days: Days }) {
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
      <span className="usage__scale num" aria-hidden="true">
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
