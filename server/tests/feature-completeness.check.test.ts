import { expect, test } from 'vitest'
import { stepUpPurposes } from '../../contract/enums.ts'
import { features } from '../features.ts'
import type { Channel } from '../platform/messages/message.ts'

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
