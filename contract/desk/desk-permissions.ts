import type { Endpoint } from '../endpoint.ts'

/** Roles of the provider's staff (DSK-3): each is a group at the OpenID provider, and one person can have several. */
export const deskRoles = ['reader', 'agent', 'auditor', 'administrator'] as const
export type DeskRole = (typeof deskRoles)[number]

const everyone = deskRoles

/** Roles that may make each call of the desk. A call that is not in this table cannot be served. */
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
  'GET /desk/api/audit': ['auditor'],
  'GET /desk/api/audit/export': ['auditor'],
  'POST /desk/api/audit/verification': ['auditor'],
  'GET /desk/api/readers': ['auditor'],
  'POST /desk/api/customers/:id/messages/resend': ['agent'],
  'POST /desk/api/customers/:id/invitations/:invitation/resend': ['agent'],
  'POST /desk/api/customers/:id/invitations/:invitation/withdrawal': ['agent'],
  'GET /desk/api/customers/:id/cases/:kind/:case': ['reader', 'agent'],
  'POST /desk/api/customers/:id/cases/:kind/:case/actions': ['agent'],
  'POST /desk/api/customers/:id/objects/:kind/:object/target': ['agent'],
  'POST /desk/api/customers/:id/objects/:kind/:object/move': ['agent'],
  'POST /desk/api/customers/:id/block': ['agent'],
  'POST /desk/api/customers/:id/proposals': ['agent'],
  'GET /desk/api/approvals': ['agent', 'administrator'],
  'GET /desk/api/approvals/count': ['agent', 'administrator'],
  'GET /desk/api/approvals/:id': ['agent', 'administrator'],
  'POST /desk/api/approvals/:id/approval': ['agent', 'administrator'],
  'POST /desk/api/approvals/:id/refusal': ['agent', 'administrator'],
  'POST /desk/api/approvals/:id/withdrawal': ['agent'],
  'GET /desk/api/tasks': ['agent'],
  'POST /desk/api/customers/:id/renewals/:renewal/identity': ['agent'],
  'POST /desk/api/customers/:id/renewals/:renewal/judgement': ['agent'],
  'POST /desk/api/customers/:id/documents/:document/refusal': ['agent'],
  'POST /desk/api/customers/:id/documents/:document/cancellation': ['agent'],
  'POST /desk/api/session/renewal': everyone,
  'GET /desk/api/operations/health': ['administrator'],
  'POST /desk/api/operations/checks': ['administrator'],
  'GET /desk/api/operations/features': ['administrator'],
  'GET /desk/api/operations/messages': ['administrator'],
  'POST /desk/api/operations/messages/resend': ['administrator'],
  'GET /desk/api/operations/client-keys': ['administrator'],
  'POST /desk/api/operations/client-keys': ['administrator'],
  'POST /desk/api/operations/client-keys/:id/rotation': ['administrator'],
  'DELETE /desk/api/operations/client-keys/:id': ['administrator'],
  'GET /desk/api/operations/webhooks': ['administrator'],
  'PUT /desk/api/operations/webhooks/:webhook': ['administrator'],
  'POST /desk/api/operations/webhooks/:webhook/secret': ['administrator'],
  'DELETE /desk/api/operations/webhooks/:webhook': ['administrator'],
  'POST /desk/api/operations/webhooks/:webhook/replay': ['administrator'],
  'GET /desk/api/operations/software': ['administrator'],
  'PUT /desk/api/operations/software/:release': ['administrator'],
  'DELETE /desk/api/operations/software/:release': ['administrator'],
  'GET /desk/api/operations/voucher-codes': ['administrator'],
  'POST /desk/api/operations/voucher-codes': ['administrator'],
  'POST /desk/api/operations/voucher-codes/:id/withdrawal': ['administrator'],
}

/** Returns the roles that may make a call; the caller needs one of them. */
export function rolesFor({ method, path }: Pick<Endpoint, 'method' | 'path'>): readonly DeskRole[] {
  const roles = permissions[`${method} ${path}`]
  if (!roles) throw new Error(`${method} ${path} is not in the table of permissions.`)
  return roles
}

export const mayCall = (endpoint: Pick<Endpoint, 'method' | 'path'>, roles: readonly DeskRole[]): boolean =>
  rolesFor(endpoint).some((role) => roles.includes(role))
