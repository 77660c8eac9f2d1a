import { hash } from 'node:crypto'
import * as z from 'zod/mini'
import type { BotCheckPort } from '../platform/ports.ts'
import { callOut, type OutgoingAnswer } from './outgoing.ts'

/** The differences between the `siteverify` services. `origin` may contain several sources of the CSP. */
const services = {
  // https://developers.cloudflare.com/turnstile/get-started/server-side-validation/
  turnstile: {
    verifyUrl: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    origin: 'https://challenges.cloudflare.com',
  },
  // https://docs.hcaptcha.com/#verify-the-user-response-server-side
  hcaptcha: { verifyUrl: 'https://api.hcaptcha.com/siteverify', origin: 'https://*.hcaptcha.com' },
  // https://developers.google.com/recaptcha/docs/v3; by path, because these hosts also serve content that would weaken the CSP.
  recaptcha: {
    verifyUrl: 'https://www.google.com/recaptcha/api/siteverify',
    origin: 'https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/',
  },
}

/** Seconds: R77. */
const oldest = 300
/** Google's recommended start value; below it reCAPTCHA v3 sees a robot. */
const lowestScore = 0.5

export type SiteverifyOptions = {
  kind: keyof typeof services
  siteKey: string
  secret: string
  /** The portal's host, on which the proof must have been made. */
  hostname: string
  /** Returns the database's time (R94). */
  now: () => Promise<Date>
  /** The address that replaces the service's own. */
  verifyUrl?: string
  timeoutMs?: number
}

/** Creates a bot check by an external service. A proof is accepted only if the service confirms our host and action (R77). */
export function botCheckBySiteverify(options: SiteverifyOptions): BotCheckPort {
  const { kind, siteKey, secret, hostname, now, verifyUrl = services[kind].verifyUrl, timeoutMs = 5_000 } = options
  const target = new URL(verifyUrl)
  return {
    kind,
    siteKey,
    origin: services[kind].origin,

    async verify(proof, { action, address }) {
      if (!proof) return refused
      const form = new URLSearchParams({
        secret,
        response: proof,
        remoteip: address,
        ...(kind === 'hcaptcha' && { sitekey: siteKey }),
      })
      const answer = await requestVerdict(target, form, timeoutMs)
      if (!answer) return unreachable
      if (!answer.success)
        return answer['error-codes']?.some((code) => configurationFaults.has(code)) ? unreachable : refused

      const age = Math.ceil(((await now()).getTime() - Date.parse(answer.challenge_ts ?? '')) / 1000)
      if (Number.isNaN(age)) return unreachable
      const sameAction = !answer.action || answer.action === nameFor(kind, action)
      const isHuman =
        answer.hostname === hostname &&
        sameAction &&
        // In both directions, because the service's clock and ours may differ.
        Math.abs(age) <= oldest &&
        !(kind === 'recaptcha' && answer.score !== undefined && answer.score < lowestScore)
      const nonce = hash('sha256', proof, 'base64url')
      return isHuman ? { verdict: 'human', nonce, expiresInSeconds: Math.max(1, oldest - age) } : refused
    },
  }
}

const refused = { verdict: 'refused', nonce: '', expiresInSeconds: 0 } as const
const unreachable = { verdict: 'unreachable', nonce: '', expiresInSeconds: 0 } as const

/** The service failed, or our secret is wrong: this says nothing about the visitor. */
const configurationFaults = new Set([
  'missing-input-secret',
  'invalid-input-secret',
  'bad-request',
  'internal-error',
  'sitekey-secret-mismatch',
])

/** Returns the name of an action for the service; reCAPTCHA allows no hyphen in it. */
const nameFor = (kind: keyof typeof services, action: string) =>
  kind === 'recaptcha' ? action.replaceAll('-', '_') : action

const Verdict = z.object({
  success: z.boolean(),
  challenge_ts: z.optional(z.string()),
  hostname: z.optional(z.string()),
  action: z.optional(z.string()),
  score: z.optional(z.number()),
  'error-codes': z.optional(z.array(z.string())),
})

async function requestVerdict(
  url: URL,
  form: URLSearchParams,
  timeoutMs: number,
): Promise<z.infer<typeof Verdict> | undefined> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  try {
    return read(await callOut({ url, method: 'POST', headers, body: form.toString(), timeoutMs, maxBytes: 16_384 }))
  } catch {
    return undefined
  }
}

/** Reads the verdict. A refusal may have a 4xx status; an acceptance must have 200. */
function read({ status, body }: OutgoingAnswer) {
  const verdict = Verdict.safeParse(JSON.parse(body)).data
  const isTrustworthy = status === 200 || (status >= 400 && status < 500 && verdict?.success === false)
  return isTrustworthy ? verdict : undefined
}
