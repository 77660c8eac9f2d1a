import { useLocale } from '../app/locale.tsx'
import { formatDate, formatDateTime, formatTime } from './format.ts'

type Props = { at: string | number | Date; length?: 'short' }

const iso = (at: Props['at']) => (typeof at === 'string' ? at : new Date(at).toISOString())

/** Shows a day or a moment in words, and in a machine-readable form. */
export const DateText = ({ at, length }: Props) => <time dateTime={iso(at)}>{formatDate(useLocale(), at, length)}</time>

export const DateTimeText = ({ at, length }: Props) => (
  <time dateTime={iso(at)}>{formatDateTime(useLocale(), at, length)}</time>
)

export const TimeText = ({ at }: Pick<Props, 'at'>) => <time dateTime={iso(at)}>{formatTime(useLocale(), at)}</time>
