import type { Brand } from '../../contract/page-config.ts'
import type { Text } from '../../contract/enums.ts'
import { formatTime, weekdayOf } from './format.ts'

/** From when the support answers, as the end of a sentence; Sunday and Saturday are never among them. */
const from = [
  { pl: 'od\u00a0poniedziałku', en: 'from Monday' },
  { pl: 'od\u00a0wtorku', en: 'from Tuesday' },
  { pl: 'od\u00a0środy', en: 'from Wednesday' },
  { pl: 'od\u00a0czwartku', en: 'from Thursday' },
  { pl: 'od\u00a0piątku', en: 'from Friday' },
]

/** When the support next answers its phone; undefined while it does. Public holidays are not known here. */
export function nextAnswer(hours: Brand['hours'], now: number): Text | undefined {
  const weekday = weekdayOf(now)
  const time = formatTime('pl', now)
  const isWorkday = weekday >= 1 && weekday <= 5
  // `8:00` is compared as `08:00`.
  const isBefore = (end: string) => isWorkday && time < end.padStart(5, '0')
  if (isBefore(hours.from)) return { pl: `dzisiaj od\u00a0${hours.from}`, en: `from ${hours.from} today` }
  if (isBefore(hours.to)) return undefined
  // Tomorrow, or Monday after a Friday, whose index is 0.
  return onDay(weekday < 5 ? weekday : 0, hours)
}

/** The longest that it says in each language: „od poniedziałku”, “from Wednesday”. A page for everyone keeps the place of it. */
export const longestAnswer = (hours: Brand['hours']): Text => ({ pl: onDay(0, hours).pl, en: onDay(2, hours).en })

function onDay(index: number, hours: Brand['hours']): Text {
  const { pl, en } = from[index]!
  return { pl: `${pl},\u00a0${hours.from}`, en: `${en},\u00a0${hours.from}` }
}
