import * as calls from '../../contract/calendar.ts'
import { limits } from '../../contract/limits.ts'
import { newToken } from '../platform/authentication/session.ts'
import { handler } from '../platform/http/http.ts'
import { endEvent, type CalendarOwner } from '../platform/messages/calendar-ends.ts'
import { calendarFile, type CalendarEvent } from '../platform/messages/calendar-file.ts'
import { networkOf } from '../platform/observability/network.ts'
import type { Portal } from '../platform/portal.ts'
import { addressMadeAt, findOwner, putAddress, removeAddress } from './calendar-store.ts'

// CAL: the customer’s expiry dates for calendar programs, by a private address.

export const readCalendar = handler(calls.readCalendar, async ({ session }, { db }) => ({
  since: (await addressMadeAt(db, session.accountId))?.toISOString() ?? null,
}))

export const makeCalendarAddress = handler(
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

export const revokeCalendarAddress = handler(
  calls.revokeCalendarAddress,
  async ({ session: { accountId }, transaction }) => {
    await transaction(async (tx, audit) => {
      if (await removeAddress(tx, accountId)) await audit('calendar-address-revoked')
    })
  },
)

export const readCalendarFile = handler(
  calls.readCalendarFile,
  async ({ params: { token }, address, limit, found }, portal) => {
    const known = await findOwner(portal.db, token)
    await limit(
      'too-many-attempts',
      known ? ['calendar-read', known.accountId] : ['calendar-unknown', networkOf(address)],
    )
    const { now, ...owner } = found(known)
    const content = calendarFile(await eventsOf(portal, owner, now), {
      name: `${portal.settings.brand.product}: ${{ pl: 'terminy wygaśnięcia', en: 'expiry dates' }[owner.locale]}`,
      everyHours: limits.calendar.every,
    })
    return { name: 'expiry.ics', type: 'text/calendar; charset=utf-8', bytes: content.length, content }
  },
)

/** The ends of all features that are on. Written as of the beginning of the validity, so that the file changes only with its content. */
async function eventsOf(portal: Portal, owner: CalendarOwner, now: Date): Promise<CalendarEvent[]> {
  const { features, settings } = portal
  const lists = features.flatMap(({ ends }) => (ends && !settings.featuresOff.includes(ends.of) ? [ends.list] : []))
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
