import * as z from 'zod/mini'
import { PhoneNumber } from '../../contract/fields.ts'
import { isOneSegment } from '../platform/messages/sms-text.ts'
import { DeliveryFailed, type Sms, type SmsPort } from '../platform/ports.ts'
import { callOut, faultOf, type OutgoingAnswer } from './outgoing.ts'
import { serviceFault } from './service-fault.ts'

type GatewayOptions = {
  token: string
  /** The sender name registered with the gateway; by default the gateway's own. */
  from?: string | undefined
  timeoutMs?: number
}

/** Sends by any gateway with the protocol of docs/guides/integrate.md. */
export function smsByGenericGateway({
  url,
  token,
  from,
  timeoutMs = 10_000,
}: GatewayOptions & { url: string }): SmsPort {
  const target = new URL(url)
  return {
    async send(sms) {
      requireSendable(sms)
      const { status } = await deliver(
        target,
        { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'idempotency-key': sms.id },
        JSON.stringify({ id: sms.id, to: sms.to, text: sms.text, ...(from && { from }) }),
        timeoutMs,
      )
      if (!isAccepted(status)) throw refusedByStatus(status)
    },
  }
}

/** Creates the adapter for the HTTP API of SMSAPI (https://www.smsapi.pl/docs), which reports failures by a number in the answer's body. */
export function smsBySmsapi({
  token,
  from,
  url = 'https://api.smsapi.pl/sms.do',
  timeoutMs = 10_000,
}: GatewayOptions & { url?: string }): SmsPort {
  const target = new URL(url)
  return {
    async send(sms) {
      requireSendable(sms)
      const form = new URLSearchParams({
        to: sms.to.slice(1),
        message: sms.text,
        format: 'json',
        encoding: 'utf-8',
        // The gateway refuses a second message with the same idx, so retries are safe (R92).
        idx: sms.id,
        check_idx: '1',
        // The gateway also limits the cost (R75).
        nounicode: '1',
        max_parts: '1',
        ...(from && { from }),
      })
      const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization: `Bearer ${token}` }
      checkSmsapiAnswer(await deliver(target, headers, form.toString(), timeoutMs))
    },
  }
}

const SmsapiAnswer = z.union([
  z.object({ error: z.coerce.number() }),
  z.object({ list: z.array(z.object({ error: z.optional(z.nullable(z.unknown())) })).check(z.minLength(1)) }),
])

/** The error of an `idx` that was used before, so the first attempt has arrived. */
const sentBefore = 53
/** Permanent errors: text too long or not GSM-7, too many parts, invalid number, blacklisted, opted out. */
const permanentErrors = new Set([11, 12, 13, 57, 59])

/** Errors of the account or the configuration; a retry succeeds once they are corrected. */
const smsapiRemedies = new Map([
  [14, 'does not know the sender: check SMS_FROM'],
  [101, 'refused the token: check SMS_TOKEN'],
  [102, 'refused the token: check SMS_TOKEN'],
  [103, 'has no credit for the message: top up the account'],
  [105, 'refused the address of this machine: add it to the allowed ones of the account'],
])

function checkSmsapiAnswer({ status, body }: OutgoingAnswer): void {
  const answer = SmsapiAnswer.safeParse(parseJson(body)).data
  if (!answer)
    throw isAccepted(status)
      ? new DeliveryFailed('The answer of the SMS gateway cannot be read: check SMS_GATEWAY and SMS_URL.', false)
      : refusedByStatus(status)
  if ('error' in answer) {
    if (answer.error === sentBefore) return
    const remedy = smsapiRemedies.get(answer.error) ?? 'refused the message: see its documentation'
    throw new DeliveryFailed(`The SMS gateway ${remedy} (error ${answer.error}).`, permanentErrors.has(answer.error))
  }
  if (!isAccepted(status)) throw refusedByStatus(status)
  if (answer.list.some(({ error }) => (error ?? null) !== null))
    throw new DeliveryFailed('The SMS gateway did not accept the message.', false)
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function requireSendable({ to, text }: Sms): void {
  if (!PhoneNumber.safeParse(to).success) throw new DeliveryFailed('SMS: not a phone number', true)
  if (!isOneSegment(text)) throw new DeliveryFailed('SMS: not one GSM-7 part', true)
}

async function deliver(
  url: URL,
  headers: Record<string, string>,
  body: string,
  timeoutMs: number,
): Promise<OutgoingAnswer> {
  try {
    return await callOut({ url, method: 'POST', headers, body, timeoutMs })
  } catch (error) {
    throw new DeliveryFailed(serviceFault('the SMS gateway', faultOf(error), 'SMS_URL'), false)
  }
}

const isAccepted = (status: number) => status >= 200 && status < 300

/** Refusals caused by our configuration rather than by the message; a retry succeeds once it is corrected. */
const configurationFaults = new Map([
  [401, 'refused the token (HTTP 401): check SMS_TOKEN'],
  [403, 'refused the token (HTTP 403): check SMS_TOKEN'],
  [404, 'has nothing at this address (HTTP 404): check the path in SMS_URL'],
  [405, 'takes no POST at this address (HTTP 405): check the path in SMS_URL'],
])

/** Temporary states; a retry can succeed. */
const temporaryStatuses = new Set([408, 409, 425, 429])

function refusedByStatus(status: number) {
  const fault = configurationFaults.get(status)
  if (fault) return new DeliveryFailed(`The SMS gateway ${fault}.`, false)
  const isPermanent = status >= 400 && status < 500 && !temporaryStatuses.has(status)
  const remedy = isPermanent ? 'its answer or log says why' : 'if that stays, ask its operator'
  return new DeliveryFailed(`The SMS gateway refused the message (HTTP ${status}): ${remedy}.`, isPermanent)
}
