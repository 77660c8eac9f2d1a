import type { Locale, SealUserRole } from '../../contract/enums.ts'
import { inLocale, pages } from '../../contract/pages.ts'
import type { CalendarEnd } from '../platform/messages/calendar-ends.ts'
import { endReminderMail } from '../platform/messages/end-reminders.ts'
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

type DueMail = Omit<EndingSeal, 'role'> & { locale: Locale; now: Date }

/** Reminds an Administrator, or somebody in their place, of the end. `sentence`: until when it is valid. */
export function sealEndMail(settings: Settings, due: DueMail, own: { sentence: string; note?: string }) {
  const { locale, now, organisation } = due
  const { sentence, ...note } = own
  const say = (pl: string, en: string) => ({ pl, en })[locale]
  const end = sealEnd(settings, locale, { ...due, role: 'admin' })
  return endReminderMail(settings, {
    locale,
    now,
    subject: say('pieczęć', 'a seal'),
    paragraphs: [sentence, say(`Organizacja: ${organisation}`, `Organisation: ${organisation}`), end.description],
    label: say('Zobacz pieczęć', 'View seal'),
    end,
    fileName: say('koniec-pieczeci.ics', 'seal-end.ics'),
    ...note,
  })
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
