import { sql } from 'kysely'
import * as calls from '../../contract/calendar.ts'
import { limits } from '../../contract/limits.ts'
import { newToken, hashToken } from '../platform/authentication/session.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { labels, reasons, type ExportedList } from '../platform/exported-data.ts'
import { handler } from '../platform/http/http.ts'
import { calendarFile, type CalendarEvent, endEvent, type CalendarOwner } from '../platform/messages/calendar-file.ts'
import { networkOf } from '../platform/observability/network.ts'
import type { ServerFeature, Portal } from '../platform/portal.ts'

/** Creation time of the calendar address, in the copy of all data. */
const exportedCalendar: ExportedList = {
  table: 'calendar_addresses',
  columns: 'made_at',
  omitted: { token_hash: reasons.secret },
  order: 'made_at',
  title: { pl: 'Adres kalendarza', en: 'Calendar link' },
  rows: [[labels.created, 'madeAt']],
}

async function findAddressTime(db: Db, accountId: string): Promise<Date | undefined> {
  const row = await query(db).first(sql<{ madeAt: Date }>`
    select made_at from calendar_addresses where account_id = ${accountId}`)
  return row?.madeAt
}

/** Stores a calendar address; the previous one becomes invalid. */
const putAddress = (tx: Tx, accountId: string, token: string): Promise<unknown> =>
  query(tx).run(sql`
    insert into calendar_addresses (account_id, token_hash) values (${accountId}, ${hashToken(token)})
    on conflict (account_id) do update set token_hash = excluded.token_hash, made_at = portal_now()`)

/** Returns whether there was one. */
async function removeAddress(tx: Tx, accountId: string): Promise<boolean> {
  return query(tx).changesOne(sql`delete from calendar_addresses where account_id = ${accountId}`)
}

/** Finds whose calendar an address opens. An account that is blocked for unknown devices only is its owner’s as before (R211). */
async function findOwner(db: Db, token: string): Promise<(CalendarOwner & { now: Date }) | undefined> {
  return query(db).first(sql<CalendarOwner & { now: Date }>`
    select a.id as account_id, a.locale, portal_now() as now
    from calendar_addresses c join accounts a on a.id = c.account_id
    where c.token_hash = ${hashToken(token)} and (a.blocked_at is null or a.blocked_for_strangers)`)
}

// CAL: the customer’s expiry dates for calendar programs, by a private address.

const readCalendar = handler(calls.readCalendar, async ({ session }, { db }) => ({
  since: (await findAddressTime(db, session.accountId)) ?? null,
}))

const makeCalendarAddress = handler(
  calls.makeCalendarAddress,
  async ({ session: { accountId }, transaction }, { settings }) => {
    const token = newToken()
    await transaction(async (tx, audit) => {
      await putAddress(tx, accountId, token)
      await audit('calendar-address-made')
    })
    return { address: settings.publicUrl + calls.readCalendarFile.path.replace(':token', token) }
  },
)

const revokeCalendarAddress = handler(calls.revokeCalendarAddress, async ({ session: { accountId }, transaction }) => {
  await transaction(async (tx, audit) => {
    if (await removeAddress(tx, accountId)) await audit('calendar-address-revoked')
  })
})

const readCalendarFile = handler(
  calls.readCalendarFile,
  async ({ params: { token }, address, limit, orNotFound }, portal) => {
    const known = await findOwner(portal.db, token)
    await limit(
      'too-many-attempts',
      known ? ['calendar-read', known.accountId] : ['calendar-unknown', networkOf(address)],
    )
    const { now, ...owner } = orNotFound(known)
    const content = calendarFile(await listEvents(portal, owner, now), {
      name: `${portal.settings.brand.product}: ${{ pl: 'terminy wygaśnięcia', en: 'expiry dates' }[owner.locale]}`,
      everyHours: limits.calendar.everyHours,
    })
    return { name: 'expiry.ics', type: 'text/calendar; charset=utf-8', bytes: content.length, content }
  },
)

/**
 * Returns the ends of all features that are on. They are written as of the beginning of the validity, so that the file changes only with
 * its content.
 */
async function listEvents(portal: Portal, owner: CalendarOwner, now: Date): Promise<CalendarEvent[]> {
  const { features, settings } = portal
  const lists = features.flatMap(({ ends }) =>
    ends && !settings.featuresOff.includes(ends.feature) ? [ends.list] : [],
  )
  const ends = (await Promise.all(lists.map((list) => list(portal, owner)))).flat()
  return ends.map(({ validFrom, ...end }) => {
    const middle = (validFrom.getTime() + end.validTo.getTime()) / 2
    return endEvent(settings, end, {
      locale: owner.locale,
      writtenAt: validFrom,
      noAlarmBefore: new Date(Math.max(middle, now.getTime())),
    })
  })
}

export const calendarFeature: ServerFeature = {
  calls: [readCalendar, makeCalendarAddress, revokeCalendarAddress, readCalendarFile],
  exportData: [exportedCalendar],
  erasure: { remove: (id) => [sql`delete from calendar_addresses where account_id = ${id}`] },
}
