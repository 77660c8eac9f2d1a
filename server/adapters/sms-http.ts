import * as z from 'zod/mini'
import { PhoneNumber } from '../../contract/fields.ts'
import { isOneSegment } from '../platform/messages/gsm7.ts'
import { callOut, faultOf, type OutgoingAnswer } from './outgoing.ts'
import { DeliveryFailed, type Sms, type SmsPort } from '../platform/ports.ts'
import { serviceFault } from './service-fault.ts'

type GatewayOptions = {
  token: string
  /** The sender name registered with the gateway; by default the gateway's own. */
  from?: string | undefined
  timeoutMs?: number
}

/** Any gateway with the protocol of docs/guides/sms-gateway.md. */
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
        JSON.stringify({ id: sms.id, to: sms.to, text: sms.text, ...(from ? { from } : {}) }),
        timeoutMs,
      )
      if (!isAccepted(status)) throw refusedByStatus(status)
    },
  }
}

/** The HTTP API of SMSAPI (https://www.smsapi.pl/docs), which reports failures by a number in the answer's body. */
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
        ...(from ? { from } : {}),
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

/** The idx was used before, so the first attempt has arrived. */
const sentBefore = 53
/** Permanent errors: text too long or not GSM-7, too many parts, invalid number, blacklisted, opted out. */
const permanentErrors = new Set([11, 12, 13, 57, 59])

function checkSmsapiAnswer({ status, body }: OutgoingAnswer): void {
  const answer = SmsapiAnswer.safeParse(parseJson(body)).data
  if (!answer)
    throw isAccepted(status)
      ? new DeliveryFailed('The answer of the SMS gateway cannot be read: check SMS_GATEWAY and SMS_URL.', false)
      : refusedByStatus(status)
  if ('error' in answer) {
    if (answer.error === sentBefore) return
    throw new DeliveryFailed(
      `The SMS gateway refused the message (error ${answer.error}, see its documentation).`,
      permanentErrors.has(answer.error),
    )
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

/** Refusals that are not about this message, but about our key or a temporary state; a retry can succeed. */
const temporaryStatuses = new Set([401, 403, 408, 409, 425, 429])

const refusedByStatus = (status: number) =>
  status === 401 || status === 403
    ? new DeliveryFailed(`The SMS gateway refused the token (HTTP ${status}): check SMS_TOKEN.`, false)
    : new DeliveryFailed(
        `The SMS gateway refused the message (HTTP ${status}).`,
        status >= 400 && status < 500 && !temporaryStatuses.has(status),
      )
