import { activityObjectText, type ActivityObject } from '../../contract/activity-object.ts'
import * as calls from '../../contract/activity.ts'
import type { ActivityFilters, ActivityEntry, ActivityRow } from '../../contract/activity.ts'
import { auditActions } from '../../contract/audit-actions.ts'
import { deviceName } from '../../contract/device.ts'
import type { Locale, Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { warsawDay } from '../../contract/rules/warsaw-time.ts'
import { csvMoment, csvOf, csvSeparator } from '../platform/http/csv.ts'
import { handler } from '../platform/http/http.ts'
import { listActivityBefore } from './activity-store.ts'

// The customer's own part of the audit trail, by page and as a file (AUT-9, DAT-6).

const listOf = ({ kind, from = '', to = '' }: ActivityFilters) => `activity ${kind ?? 'all'} ${from} ${to}`

/** A row of the history, which may stand for several entries. */
type Row = ActivityRow & {
  /** The id of the oldest entry in the row, after which the next page begins. */
  oldest: string
}

/** Returns the displayed content of an entry except its time. */
const shownOf = ({ id: _, at, ...shown }: ActivityEntry) => JSON.stringify([warsawDay(new Date(at)), shown])

/**
 * Reads at most `count` rows of the history, whole also where a page ends (AUT-12). `read` returns entries older than a given one, newest
 * first. It is called again for more while equal entries leave a page short, each time for twice as many; a row has a limited number of
 * entries, so the number of calls is bounded.
 */
export async function readRows(
  read: (before: string | undefined, most: number) => Promise<readonly ActivityEntry[]>,
  before: string | undefined,
  count: number,
): Promise<Row[]> {
  const rows: Row[] = []
  let shown: string | undefined
  for (let most = count; ; most *= 2) {
    const entries = await read(rows.at(-1)?.oldest ?? before, most)
    for (const entry of entries) {
      const row = rows.at(-1)
      const last = shown
      shown = shownOf(entry)
      if (row && shown === last && row.count < limits.activity.maxGrouped) {
        row.count++
        row.since = entry.at
        row.oldest = entry.id
      } else if (rows.length === count) return rows
      else rows.push({ ...entry, since: entry.at, count: 1, oldest: entry.id })
    }
    if (entries.length < most || rows.length === count) return rows
  }
}

export const listActivity = handler(calls.listActivity, async ({ query, session: { accountId }, page }, portal) => {
  const { cursor, size: asked, ...filters } = query
  const { rows, next } = await page(
    { list: listOf(filters), cursor, size: asked },
    (after: { id: string } | undefined, size) =>
      readRows(
        (before, most) => listActivityBefore(portal, accountId, filters, { before, size: most }),
        after?.id,
        size + 1,
      ),
    ({ oldest }) => ({ id: oldest }),
  )
  return { items: rows.map(({ oldest: _, ...row }) => row), next }
})

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

function activityCsv(locale: Locale, entries: readonly ActivityEntry[]): string {
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

/** Writes the entries as JSON, with the codes of the audit trail next to the texts for people. */
const activityJson = (locale: Locale, entries: readonly ActivityEntry[]): string =>
  JSON.stringify(
    entries.map((entry) => ({ ...entry, words: auditActions[entry.act][locale] })),
    null,
    2,
  )

export const exportActivity = handler(
  calls.exportActivity,
  async ({ query: { format, locale, ...filters }, session, limit, transaction }, portal) => {
    const { accountId } = session
    await limit('too-many-attempts', ['activity-exports', accountId])
    const entries = await listActivityBefore(portal, accountId, filters, {
      before: undefined,
      size: limits.activity.maxExported,
    })
    const content = Buffer.from((format === 'csv' ? activityCsv : activityJson)(locale, entries))
    await transaction((tx, audit) => audit('activity-exported', { format }))
    return {
      name: `${locale === 'pl' ? 'historia-aktywnosci' : 'activity-history'}.${format}`,
      type: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json',
      bytes: content.length,
      content,
    }
  },
)
