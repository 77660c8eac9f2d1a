import type { Locale } from '../../contract/enums.ts'
import { useLocale, useText } from '../locale.tsx'

type Props = { end: string | null; format: (locale: Locale, end: string) => string; never: string }

/** Until when something is valid. */
export function Until({ end, format, never }: Props) {
  const t = useText()
  const locale = useLocale()
  if (end === null) return never
  return (
    <>
      {t({ pl: 'do ', en: 'until ' })}
      <time dateTime={end}>{format(locale, end)}</time>
    </>
  )
}
