import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { ProviderId, Uuid } from '../fields.ts'
import { DeskCustomer, MaskedIdentity } from './desk-customers.ts'

/**
 * Kinds of objects that the provider can have filed under the wrong customer (DSK-21). Nothing states the owner of a timestamp account, so
 * the provider's own system files it again.
 */
const movableKinds = ['certificate', 'document', 'seal'] as const
const MovableKind = z.enum(movableKinds)
export type MovableKind = z.infer<typeof MovableKind>

/**
 * Reasons why an object cannot be moved. `holder`: by what the provider has filed, the object is not that customer's. `same`: it is there
 * already. `in-use`: the customer uses the seal already. `legal-hold`: one of the two customers is under a legal hold. The others name what
 * has been done with the object.
 */
export const moveObstacles = [
  'same',
  'holder',
  'renewal',
  'status-request',
  'signing',
  'app',
  'signed-document',
  'in-use',
  'legal-hold',
] as const
const MoveObstacle = z.enum(moveObstacles)
export type MoveObstacle = z.infer<typeof MoveObstacle>

const params = { kind: MovableKind, object: Uuid }

export const findMoveTarget = endpoint('staff', 'POST /desk/api/customers/:id/objects/:kind/:object/target', {
  summary: 'Returns the customer to whom a misfiled object is to be moved, with masked data, and what is against it',
  description: 'By the provider’s id of the customer, whose account is confirmed.',
  params,
  body: z.strictObject({ customer: ProviderId }),
  reply: z.strictObject({ to: MaskedIdentity, obstacle: z.nullable(MoveObstacle) }),
  errors: ['not-found', 'too-many-requests'],
})

export const moveAtDesk = endpoint('staff', 'POST /desk/api/customers/:id/objects/:kind/:object/move', {
  summary: 'Moves a misfiled object to the customer whose it is',
  description: '`to` is the account that the caller has seen. The customer who had the object, as they are then.',
  params,
  body: z.strictObject({ to: Uuid }),
  reply: DeskCustomer,
  /** `reason`: one of the obstacles. */
  errors: ['not-found', 'too-many-requests', 'object-in-use'],
})
