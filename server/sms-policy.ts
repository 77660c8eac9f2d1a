import { callingCode, countryMeant } from '../contract/phone.ts'
import { limits } from '../contract/limits.ts'
import { raiseAlarm } from './alarms.ts'
import { refund, spend, type Claim } from './budgets.ts'
import type { Portal, Settings } from './portal.ts'
import { DeliveryFailed, type Sms } from './ports/ports.ts'

/** The country of a number as far as its code tells; a code shared by several is its first country's unless the number says more. */
const countryOf = (phone: string) => countryMeant(phone, 'PL')

/** `+48`, `+380`. */
export const dialCodeOf = (phone: string) => `+${callingCode(countryOf(phone))}`

/** The range of numbers that one fraudster can rent: the country's code and three digits (R27). */
const rangeOf = (phone: string) => phone.slice(0, dialCodeOf(phone).length + 3)

/**
 * Messages to one range of numbers in a day, whoever asks for them. Looked at when a code is asked for, paid when it is sent. Numbers that
 * are only claimed have a budget of their own, or whoever invents some would use up that of the range's customers (R115).
 */
export const sendsToRange = ({ sms }: Settings, phone: string, confirmed: boolean): Claim => [
  confirmed
    ? { name: 'sms-range', limit: sms.perRange, window: 86_400 }
    : {
        name: 'sms-range-unconfirmed',
        limit: Math.ceil(sms.perRange * limits.code.unconfirmedOfRange),
        window: 86_400,
      },
  rangeOf(phone),
]

/** Whether the operator has chosen the country of a number (R27). */
export const isChosenCountry = ({ sms }: Settings, phone: string) => sms.countries.includes(countryOf(phone))

/** What the operator does not want sent at all: anything while sending is off, and to other countries than those chosen (R27). */
export function refusedByPolicy(portal: Portal, phone: string): 'sms-stopped' | 'sms-country-refused' | undefined {
  if (!portal.settings.sms.sending) return 'sms-stopped'
  if (isChosenCountry(portal.settings, phone)) return undefined
  raiseAlarm(portal, { name: 'sms-foreign-number', about: countryOf(phone) })
  return 'sms-country-refused'
}

/** `unconfirmed`: nobody has confirmed the number yet. */
export type SmsOrder = Sms & { unconfirmed?: true }

/** What the outbox does with an SMS: each is paid for before it leaves, so that no more leave than are allowed, whatever happens. */
export async function sendSms(portal: Portal, { unconfirmed, ...sms }: SmsOrder): Promise<void> {
  const { db, keys, settings, ports } = portal
  if (!settings.sms.sending) throw new DeliveryFailed('SMS are switched off', false)
  const claim = sendsToRange(settings, sms.to, !unconfirmed)
  const [budget, ...key] = claim
  const paid = await spend(db, keys, budget, ...key)
  if (!paid.ok || paid.left === 0) raiseAlarm(portal, { name: 'sms-range-spent', about: rangeOf(sms.to) })
  if (!paid.ok) throw new DeliveryFailed('no more SMS to this range of numbers today', true)
  await ports.sms.send(sms).catch(async (error: unknown) => {
    await refund(db, keys, claim)
    throw error
  })
}
