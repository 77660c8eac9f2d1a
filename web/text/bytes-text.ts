import type { Locale } from '../../contract/enums.ts'
import { formatNumber } from './format.ts'

/**
 * Formats a size as `1,8 MB` (UIX-7), in the units of the limit (10 MB are 10,485,760 bytes, DOC-5) and of most computers: steps of 1024.
 * Rounds up to one decimal place, so that a file above a limit never looks as if it were within it.
 */
export function formatBytes(locale: Locale, bytes: number) {
  const inUnit = (step: number) => Math.ceil((bytes / 1024 ** step) * 10) / 10
  const step = [0, 1, 2].find((each) => inUnit(each) < 1024) ?? 3
  return `${formatNumber(locale, inUnit(step))}\u00a0${['B', 'kB', 'MB', 'GB'][step]}`
}
