import type { Text } from '../../contract/enums.ts'
import { pages, type PageName } from '../../contract/pages.ts'
import { faqTitle } from '../app/support-line.tsx'
import type { IconName } from '../art/icons.tsx'

export type MenuEntry = { page: PageName; icon: IconName; label: Text }
export type MenuGroup = { label?: Text; entries: readonly MenuEntry[] }

const entry = (page: PageName, icon: IconName, pl: string, en: string): MenuEntry => ({ page, icon, label: { pl, en } })

/** The menu of NAV-1, in its order. */
export const menu: readonly MenuGroup[] = [
  { entries: [entry('home', 'home', 'Start', 'Home')] },
  {
    label: { pl: 'Certyfikaty', en: 'Certificates' },
    entries: [
      entry('signatures', 'pen', 'Podpis kwalifikowany', 'Qualified signature'),
      entry('seals', 'stamp', 'Pieczęć kwalifikowana', 'Qualified seal'),
      entry('timestamps', 'clock', 'Znacznik czasu', 'Timestamp'),
    ],
  },
  {
    label: { pl: 'Moje konto', en: 'My account' },
    entries: [
      entry('myData', 'user', 'Moje dane', 'My data'),
      entry('security', 'lock', 'Bezpieczeństwo', 'Security'),
      entry('changePassword', 'key', 'Zmiana hasła', 'Change password'),
      entry('myCases', 'cases', 'Moje sprawy', 'My cases'),
    ],
  },
  {
    label: { pl: 'Dokumenty i\u00a0pomoc', en: 'Documents and help' },
    entries: [
      entry('documents', 'document', 'Dokumenty', 'Documents'),
      entry('sign', 'sign', 'Podpisz pliki', 'Sign files'),
      { page: 'faq', icon: 'help', label: faqTitle },
      entry('software', 'laptop', 'Oprogramowanie', 'Software'),
    ],
  },
]

/**
 * The four entries of a phone's tab bar; the fifth tab opens the rest. `marks`: a page for which the tab is current
 * too, though it does not lead there.
 */
export const tabs: readonly (MenuEntry & { covers: readonly PageName[]; marks?: PageName })[] = [
  { ...entry('home', 'home', 'Start', 'Home'), covers: ['home'] },
  {
    ...entry('signatures', 'shield-check', 'Certyfikaty', 'Certificates'),
    covers: ['signatures', 'seals', 'timestamps'],
  },
  { ...entry('documents', 'document', 'Dokumenty', 'Documents'), covers: ['documents'], marks: 'sign' },
  { ...entry('myData', 'user', 'Konto', 'Account'), covers: ['myData', 'security', 'changePassword', 'myCases'] },
]

export const pathOf = (page: PageName) => pages[page].path

/** Checks whether a page is in the menu, but under none of the first four tabs. */
export const isUnderMore = (page: PageName | undefined) =>
  !!page &&
  !tabs.some(({ covers, marks }) => covers.includes(page) || marks === page) &&
  menu.some(({ entries }) => entries.some((each) => each.page === page))

/** Returns the position of a page in the menu, for the breadcrumbs; undefined for home and for pages outside of it. */
export function positionInMenu(page: PageName | undefined) {
  for (const { label, entries } of menu) {
    const found = entries.find((each) => each.page === page)
    if (found) return label && { group: label, entry: found.label }
  }
  return undefined
}
