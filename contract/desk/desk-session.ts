import * as z from 'zod/mini'
import { Device } from '../device.ts'
import { endpoint } from '../endpoint.ts'
import { Instant, text, Uuid } from '../fields.ts'
import { deskRoles } from './desk-permissions.ts'

const Role = z.enum(deskRoles)

export const DeskSession = z.strictObject({
  /** `sub` at the OpenID provider. */
  subject: z.string(),
  name: z.string(),
  roles: z.array(Role),
  endsAt: Instant,
  absoluteEndsAt: Instant,
  /** Time until which secrets can be made without another sign-in at the OpenID provider (R252); null if that time is over. */
  recentUntil: z.nullable(Instant),
  /** Whether tasks are done at the desk (DSK-38). */
  hasTasks: z.boolean(),
})
export type DeskSession = z.infer<typeof DeskSession>

export const startDeskSignIn = endpoint('open', 'POST /desk/api/sign-in', {
  summary: 'Begins a sign-in: the address of the OpenID provider to go to',
  description: 'The browser gets a cookie, to which the answer of the provider is bound.',
  reply: z.strictObject({ url: z.string() }),
  errors: ['unavailable'],
})

export const renewDeskSignIn = endpoint('staff', 'POST /desk/api/session/renewal', {
  summary: 'Begins another sign-in: the address of the OpenID provider, which asks for the password again',
  description: 'Its answer ends this session and begins another one.',
  reply: z.strictObject({ url: z.string() }),
  errors: ['unavailable'],
})

export const finishDeskSignIn = endpoint('open', 'POST /desk/api/sign-in/answer', {
  summary: 'Ends a sign-in with what the OpenID provider has answered',
  description: 'The query string with which the provider has sent the browser back.',
  body: z.strictObject({ answer: text(4096) }),
  reply: DeskSession,
  /** `reason`: `no-role` for somebody in none of the groups, `answer` for any other answer. */
  errors: ['login-refused', 'unavailable'],
})

export const readDeskSession = endpoint('staff', 'GET /desk/api/session', {
  summary: 'Returns the session of the caller',
  description: 'Who has signed in, with which roles, and until when.',
  reply: DeskSession,
  background: true,
})

export const endDeskSession = endpoint('staff', 'POST /desk/api/sign-out', {
  summary: 'Ends the session of the caller',
  description: 'The session at the OpenID provider ends at `url`, if the provider has an address for that.',
  reply: z.strictObject({ url: z.nullable(z.string()) }),
})

const ListedDeskSession = z.strictObject({
  id: Uuid,
  isOwn: z.boolean(),
  name: z.string(),
  roles: z.array(Role),
  device: Device,
  address: z.string(),
  startedAt: Instant,
  usedAt: Instant,
})
export type ListedDeskSession = z.infer<typeof ListedDeskSession>

export const listDeskSessions = endpoint('staff', 'GET /desk/api/sessions', {
  summary: 'Lists the live sessions of the caller; for an administrator those of everybody',
  description: 'The newest first.',
  reply: z.strictObject({ items: z.array(ListedDeskSession) }),
})

export const revokeDeskSession = endpoint('staff', 'DELETE /desk/api/sessions/:id', {
  summary: 'Ends a session of the caller; for an administrator one of anybody',
  description: 'It ends at once, on every node.',
  errors: ['not-found'],
})
