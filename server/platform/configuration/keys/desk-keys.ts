import * as z from 'zod/mini'
import { deskRoles, type DeskRole } from '../../../../contract/desk/desk-permissions.ts'
import * as schemas from './key-schemas.ts'

const isRole = (name: string): name is DeskRole => deskRoles.some((role) => role === name)

/** `agent=support, agent=support-night`: a role can have several groups. */
const groups = z.pipe(
  z.string(),
  z.transform((value, context) => {
    const pairs = schemas.wordsOf(value).map((word) => word.split(/=(.*)/s, 2) as [string, string | undefined])
    for (const [role, group] of pairs)
      if (!isRole(role) || !group)
        context.issues.push({
          code: 'custom',
          message: `has ${role}, which is not a role with a group such as agent=support; roles are ${deskRoles.join(', ')}`,
          input: value,
        })
    return Object.fromEntries(
      deskRoles.map((name) => [name, pairs.flatMap(([role, group]) => (role === name && group ? group : []))]),
    )
  }),
) as unknown as z.ZodMiniType<Record<DeskRole, string[]>, string>

/** Checks that an issuer uses TLS or is on this machine: keys and sign-in codes that cross a network without TLS could be anybody's. */
const isSafeIssuer = (value: string) =>
  URL.canParse(value) && (new URL(value).protocol === 'https:' || schemas.isLoopback(new URL(value).hostname))

/** The desk of your staff, which is off without a port. */
export const deskKeys = {
  DESK_PORT: {
    about: 'The port of the [desk](desk.md) for your staff.',
    type: 'port',
    schema: schemas.wholeNumber(0, 65_535),
    otherwise: 'no desk',
    example: '3002',
  },
  DESK_ADDRESS: {
    about: 'The address of `DESK_PORT`.',
    ...schemas.ownAddressKey,
  },
  DESK_URL: {
    about: 'The origin that your staff use, with another host name than `PUBLIC_URL`.',
    type: '`https://` origin, without a path',
    schema: schemas.webUrl,
    otherwise: 'required with `DESK_PORT` in production',
    example: 'https://desk.provider.example',
    isReal: (value) => !schemas.isLoopback(new URL(value).hostname),
  },
  DESK_ISSUER: {
    about: 'The OpenID provider at which your staff sign in.',
    type: 'https:// address, or http:// on this machine',
    schema: schemas.webUrl.check(z.refine(isSafeIssuer, 'must begin with https://, unless it is on this machine')),
    otherwise: 'required with `DESK_PORT` in production',
    example: 'https://login.provider.example/realms/staff',
    isReal: schemas.always,
  },
  DESK_CLIENT_ID: {
    about: 'The desk as a client there.',
    ...schemas.nameKey,
    otherwise: 'needed with `DESK_ISSUER`',
    example: 'sygnet-desk',
  },
  DESK_CLIENT_SECRET: {
    about: 'The secret of that client.',
    ...schemas.secretKey,
    otherwise: 'needed with `DESK_ISSUER`',
  },
  DESK_GROUPS: {
    about: 'The groups of the ID token (`groups`) that have a role: `reader`, `agent`, `auditor`, `administrator`.',
    type: 'list of `role=group`',
    schema: groups,
    otherwise: 'needed with `DESK_ISSUER`',
    example: 'reader=support, agent=support-senior, auditor=audit, administrator=portal-admins',
  },
  DESK_ACR: {
    about: 'Authentication contexts (`acr`) of which each sign-in has to state one.',
    type: 'list',
    schema: schemas.listOf(() => true, 'never refused'),
    standard: '',
    example: 'phr, phrh',
  },
  DESK_READS_SHOWN: {
    about: 'Whether a customer’s history shows, without a name, that a member of your staff has read their whole data.',
    ...schemas.onOffKey,
    standard: 'on',
    example: 'off',
  },
  DESK_TASKS: {
    about:
      'Whether agents judge identity documents, refuse uploads and cancel document cases. Turn it on only if no system of yours does so.',
    ...schemas.onOffKey,
    standard: 'off',
    example: 'on',
  },
} as const satisfies Record<string, schemas.ConfigurationKey>
