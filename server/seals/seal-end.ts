import type { Locale, SealUserRole } from '../../contract/enums.ts'
import { inLocale, pages } from '../../contract/pages.ts'
import type { CalendarEnd } from '../platform/messages/calendar-ends.ts'
import type { Settings } from '../platform/settings.ts'

export type EndingSeal = { seal: string; validTo: Date; organisation: string; role: SealUserRole }

/** Names the seal by its organisation, because somebody may use several. */
export function sealEnd(
  { publicUrl }: Settings,
  locale: Locale,
  { seal, validTo, organisation, role }: EndingSeal,
): CalendarEnd {
  return {
    uid: `seal-${seal}`,
    validTo,
    what: { pl: `pieczęć (${organisation})`, en: `seal (${organisation})` }[locale],
    description: advice[role][locale],
    url: publicUrl + inLocale(locale, pages.seals.path),
  }
}

const advice = {
  admin: {
    pl: 'Zamów nową pieczęć wcześniej, aby uniknąć przerwy: po tym terminie nie opatrzysz już dokumentu obecną pieczęcią.',
    en: 'Order a new seal before then to avoid a gap: afterwards you can’t seal documents with this one.',
  },
  user: {
    pl: 'Po tym terminie nie opatrzysz już dokumentu tą pieczęcią. Nową może zamówić jej administrator.',
    en: 'Afterwards you can’t seal documents with this seal. Its administrator can order a new one.',
  },
}
