import type { ActivityEntry } from '../../contract/activity.ts'
import { activityObjectText, type ActivityObject } from '../../contract/activity-object.ts'
import { auditActions } from '../../contract/audit-actions.ts'
import { deviceName } from '../../contract/device.ts'
import type { Locale, Text } from '../../contract/enums.ts'
import { csvMoment, csvOf, csvSeparator } from '../platform/http/csv.ts'

const heads: readonly Text[] = [
  { pl: 'Kiedy', en: 'When' },
  { pl: 'Co się stało', en: 'What happened' },
  { pl: 'Czego dotyczy', en: 'About' },
  { pl: 'Kto', en: 'Who' },
  { pl: 'Urządzenie', en: 'Device' },
  { pl: 'Adres IP', en: 'IP address' },
]

const actors: Record<ActivityEntry['actor'], Text> = {
  customer: { pl: 'klient', en: 'customer' },
  provider: { pl: 'dostawca', en: 'provider' },
  operator: { pl: 'obsługa portalu', en: 'portal staff' },
  system: { pl: 'portal', en: 'portal' },
}

const aboutText = (locale: Locale, object: ActivityObject | null) =>
  object ? activityObjectText(locale, object, (instant) => csvMoment(instant).slice(0, 10)) : ''

export function activityCsv(locale: Locale, entries: readonly ActivityEntry[]): string {
  const rows = entries.map(({ at, act, object, actor, device, address }) => [
    csvMoment(at),
    auditActions[act][locale],
    aboutText(locale, object),
    actors[actor][locale],
    device ? deviceName(device) : '',
    address ?? '',
  ])
  return csvOf([heads.map((head) => head[locale]), ...rows], csvSeparator[locale])
}

/** The same with the codes of the audit trail next to the texts for people. */
export const activityJson = (locale: Locale, entries: readonly ActivityEntry[]): string =>
  JSON.stringify(
    entries.map((entry) => ({ ...entry, words: auditActions[entry.act][locale] })),
    null,
    2,
  )
