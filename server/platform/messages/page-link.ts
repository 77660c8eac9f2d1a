import type { Locale } from '../../../contract/enums.ts'
import { offParts } from '../../../contract/features.ts'
import { inLocale, pages, type PageName } from '../../../contract/pages.ts'
import type { Settings } from '../settings.ts'

/** Returns the button of a mail that leads to a page, at `path` where the page has a parameter; none while the page is off (ERR-5). */
export const pageLink = (
  { publicUrl, featuresOff }: Pick<Settings, 'publicUrl' | 'featuresOff'>,
  locale: Locale,
  page: PageName,
  label: string,
  path: string = pages[page].path,
) => (offParts(featuresOff).includes(page) ? {} : { action: { label, url: publicUrl + inLocale(locale, path) } })
