import type { Endpoint } from '../endpoint.ts'

/** What a member of the provider's staff may do (DSK-3): each role is a group at the OpenID provider, and one person can have several. */
export const deskRoles = ['reader', 'agent', 'auditor', 'administrator'] as const
export type DeskRole = (typeof deskRoles)[number]

const everyone = deskRoles

/** Who may make which call of the desk. A call that is not in this table cannot be served. */
const permissions: Record<string, readonly DeskRole[]> = {
  'GET /desk/api/session': everyone,
  'POST /desk/api/sign-out': everyone,
  'GET /desk/api/sessions': everyone,
  'DELETE /desk/api/sessions/:id': everyone,
  'POST /desk/api/search': ['reader', 'agent'],
  'GET /desk/api/customers/:id': ['reader', 'agent'],
  'POST /desk/api/customers/:id/unmasking': ['agent'],
  'POST /desk/api/customers/:id/unblock': ['agent'],
  'POST /desk/api/customers/:id/sessions/end': ['agent'],
  'POST /desk/api/customers/:id/password-link': ['agent'],
}

/** The roles of which a caller needs one. */
export function rolesFor({ method, path }: Pick<Endpoint, 'method' | 'path'>): readonly DeskRole[] {
  const roles = permissions[`${method} ${path}`]
  if (!roles) throw new Error(`${method} ${path} is not in the table of permissions.`)
  return roles
}

export const mayCall = (endpoint: Pick<Endpoint, 'method' | 'path'>, roles: readonly DeskRole[]): boolean =>
  rolesFor(endpoint).some((role) => roles.includes(role))
