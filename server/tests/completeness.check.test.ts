import { expect, test } from 'vitest'
import { activityObjectKinds } from '../../contract/activity-object.ts'
import { locales } from '../../contract/enums.ts'
import { sectionsIn } from '../../contract/legal/legal-sections.ts'
import { privacySections } from '../../contract/legal/privacy-text.ts'
import { pendingSignOutCookie } from '../../contract/pending-sign-out.ts'
import { stepUpPurposes } from '../../contract/step-up-purpose.ts'
import { features } from '../features.ts'
import { deviceCookie } from '../platform/authentication/devices.ts'
import { visitorCookie } from '../platform/authentication/passkey-challenges.ts'
import { sessionCookie } from '../platform/authentication/session.ts'
import { demonstrationBrand } from '../platform/brand/brand.ts'
import type { Channel } from '../platform/messages/message.ts'
import { openPortal } from '../testing/open-portal.ts'
import { describedColumns, omittedTables, readStoredColumns } from '../testing/samples/customer-tables.ts'

/** The channels that features deliver: all but the two that the portal's own ports deliver. */
const featureChannels = Object.keys({
  'password-link': true,
  registration: true,
  'seal-invitation': true,
  'agreement-signature': true,
  'data-export': true,
  'customer-invitation': true,
  'app-activation': true,
  'certificate-status': true,
  'lost-phone': true,
  webhook: true,
} satisfies Record<Exclude<Channel, 'mail' | 'sms'>, true>)

test('R92 exactly one feature delivers the messages of each channel', () => {
  const delivered = features.flatMap(({ deliver = {} }) => Object.keys(deliver))
  expect(delivered.toSorted()).toEqual(featureChannels.toSorted())
})

test('AUT-7 exactly one feature has the objects of each step-up purpose', () => {
  const purposes = features.flatMap(({ stepUpObjects = {} }) => Object.keys(stepUpObjects))
  expect(purposes.toSorted()).toEqual(stepUpPurposes.toSorted())
})

test('AUT-12 exactly one feature finds the objects of each kind in the history', () => {
  const kinds = features.flatMap(({ historyObjects = {} }) => Object.keys(historyObjects))
  expect(kinds.toSorted()).toEqual(Object.keys(activityObjectKinds).toSorted())
})

const portal = await openPortal()

test('DAT-6 R87 every column of every table is exported, or is omitted with the reason', async () => {
  const stored = (await readStoredColumns(portal.owner)).filter(
    ({ table, column }) => !omittedTables.has(table) && column !== 'account_id',
  )
  expect(describedColumns()).toEqual(stored.map(({ table, column }) => `${table}.${column}`).toSorted())
})

test.each(locales)('REG-7 the privacy notice in %s names every cookie that the portal sets', (locale) => {
  const { body } = sectionsIn(locale, privacySections(demonstrationBrand)).at(-1)!
  const named = body.flat().map((part) => part.split(' ')[0])
  for (const cookie of [sessionCookie, deviceCookie, visitorCookie, pendingSignOutCookie, 'locale'])
    expect(named).toContain(cookie)
})
