import { limits } from '../../../contract/limits.ts'
import { callingCode, countryMeant } from '../../../contract/rules/phone.ts'
import { raiseAlarm, type AlarmContext } from '../audit/alarms.ts'
import { DeliveryFailed } from '../ports.ts'
import { rateLimit } from '../rate-limits/rate-limit-table.ts'
import { charge, settle, type LimitKey } from '../rate-limits/rate-limits.ts'
import type { Settings } from '../settings.ts'
import type { SmsKind, SmsOrder } from './message.ts'

type SmsContext = AlarmContext & { settings: Settings }

/** Returns the country of a number by its calling code; if several share the code and the number does not decide, the first of them. */
const countryOf = (phone: string) => countryMeant(phone, 'PL')

/** Returns the calling code of a number: `+48`, `+380`. */
export const dialCodeOf = (phone: string) => `+${callingCode(countryOf(phone))}`

/** Returns the range of numbers that one fraudster can rent: the country's code and three digits (R27). */
const rangeOf = (phone: string) => phone.slice(0, dialCodeOf(phone).length + 3)

/** Returns the limit of messages to one range of numbers in a day. */
export const sendsToRange = ({ sms }: Settings, phone: string, kind: SmsKind): LimitKey => [
  rateLimit(rangeLimits[kind], {
    limit: kind === 'unconfirmed' ? Math.ceil(sms.perRange * limits.code.unconfirmedOfRange) : sms.perRange,
  }),
  rangeOf(phone),
]

const rangeLimits = { code: 'sms-range', unconfirmed: 'sms-range-unconfirmed', notice: 'sms-range-notices' } as const

/** Checks whether the operator has chosen the country of a number (R27). */
export const isChosenCountry = ({ sms }: Settings, phone: string) => sms.countries.includes(countryOf(phone))

export type PolicyRefusal = 'sms-stopped' | 'sms-country-refused'

/** Returns the reason why the operator's settings forbid a message: sending is off, or the country is not chosen (R27). */
export function policyRefusal(settings: Settings, phone: string): PolicyRefusal | undefined {
  if (!settings.sms.sending) return 'sms-stopped'
  return isChosenCountry(settings, phone) ? undefined : 'sms-country-refused'
}

/** Returns the reason why the settings forbid a message that somebody has requested; a foreign number raises an alarm. */
export function refusedByPolicy(portal: SmsContext, phone: string): PolicyRefusal | undefined {
  const refused = policyRefusal(portal.settings, phone)
  if (refused === 'sms-country-refused') raiseAlarm(portal, { name: 'sms-foreign-number', about: countryOf(phone) })
  return refused
}

/** Delivers an SMS of the outbox. It is charged before it is sent, so that the limit holds even after a crash. */
export async function sendSms(portal: SmsContext, { kind = 'code', ...sms }: SmsOrder): Promise<void> {
  const { db, keys, settings, ports } = portal
  if (!settings.sms.sending) throw new DeliveryFailed('SMS_SENDING is off: no SMS is sent until it is on.', false)
  const limitKey = sendsToRange(settings, sms.to, kind)
  const charged = await charge(db, keys, limitKey)
  if (!charged.ok || charged.left[0] === 0) raiseAlarm(portal, { name: 'sms-range-spent', about: rangeOf(sms.to) })
  if (!charged.ok)
    throw new DeliveryFailed('SMS_PER_RANGE is used up for this range of numbers, see the alarm sms-range-spent.', true)
  await ports.sms.send(sms).catch(async (error: unknown) => {
    await settle(db, keys, { refund: limitKey })
    throw error
  })
}
