import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { deskLimits } from '../../../contract/desk/desk-limits.ts'
import { limits } from '../../../contract/limits.ts'
import { deviceCookie } from '../authentication/devices.ts'
import { visitorCookie } from '../authentication/passkey-challenges.ts'
import { sessionCookie } from '../authentication/session.ts'
import { signInCookie, staffCookie } from '../authentication/staff-session.ts'

/** The cookies that an answer sets; null removes one. */
export type Cookies = {
  /** The token of the customer's session. */
  token?: string | null
  /** The token of a device that was used to sign in before (R17). */
  device?: string
  /** The token that binds the challenge of a passkey to a browser before sign-in (R121). */
  visitor?: string
  /** The token of the session at the desk. */
  staff?: string | null
  /** The token that binds a sign-in at the OpenID provider to a browser. */
  signIn?: string | null
}

/** The tokens that a browser sent. */
export type SentCookies = Record<keyof Cookies, string | undefined>

export const readCookies = (cookies: FastifyRequest['cookies']): SentCookies => ({
  token: cookies[sessionCookie],
  device: cookies[deviceCookie],
  visitor: cookies[visitorCookie],
  staff: cookies[staffCookie],
  signIn: cookies[signInCookie],
})

/** Options of cookies that are not accessible to scripts or other origins (R5). */
const cookieOptions = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' } as const

/**
 * Options of the desk's cookies, which browsers send only from pages of its own site, to which the customers' portal may belong too (R234).
 */
const staffCookieOptions = { ...cookieOptions, sameSite: 'strict' } as const

function putStaffCookie(reply: FastifyReply, name: string, token: string | null | undefined, maxAge?: number) {
  if (token === null) reply.clearCookie(name, staffCookieOptions)
  else if (token !== undefined) reply.setCookie(name, token, { ...staffCookieOptions, ...(maxAge && { maxAge }) })
}

/** Sets and removes the cookies of an answer. */
export function putCookies(reply: FastifyReply, { token, device, visitor, staff, signIn }: Cookies) {
  putStaffCookie(reply, staffCookie, staff)
  putStaffCookie(reply, signInCookie, signIn, deskLimits.signIn)
  if (token === null) reply.clearCookie(sessionCookie, cookieOptions)
  else if (token !== undefined) reply.setCookie(sessionCookie, token, cookieOptions)
  if (device !== undefined)
    reply.setCookie(deviceCookie, device, { ...cookieOptions, maxAge: limits.device.knownDays * 86_400 })
  if (visitor !== undefined)
    reply.setCookie(visitorCookie, visitor, { ...cookieOptions, maxAge: limits.passkeys.challengeLife })
}
