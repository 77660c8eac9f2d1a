import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Instant, ProviderId } from '../fields.ts'
import { pages } from '../list-pages.ts'
import { VoucherProcess } from '../vouchers.ts'
import { deskLimits } from './desk-limits.ts'

export const CodeStatus = z.enum(['unused', 'used', 'expired'])
export type CodeStatus = z.infer<typeof CodeStatus>

const ListedCode = z.strictObject({
  /** The provider's id of the code. */
  id: z.string(),
  /** Masked. */
  code: z.string(),
  kind: z.enum(['voucher', 'renewal']),
  /** The process that a voucher starts; null for a renewal code. */
  process: z.nullable(VoucherProcess),
  /** The provider's id of who alone may use it, or has used it. */
  customer: z.nullable(z.string()),
  /** The provider's id of the signature that a renewal code renews. */
  signature: z.nullable(z.string()),
  expiresAt: Instant,
  status: CodeStatus,
  /** The number of the case that it has opened. */
  case: z.nullable(z.string()),
  canWithdraw: z.boolean(),
})
export type ListedCode = z.infer<typeof ListedCode>

const { query, reply, errors } = pages(ListedCode, { customer: ProviderId, idPrefix: ProviderId, status: CodeStatus })

export const listCodesAtDesk = endpoint('staff', 'GET /desk/api/operations/voucher-codes', {
  summary: 'Lists voucher and renewal codes, masked',
  description: 'By page, the newest first: of a customer, of a status, or by how their ids begin, then by id.',
  query,
  reply,
  errors: [...errors, 'too-many-requests'],
})

const days = z.int().check(z.gte(1), z.lte(deskLimits.codes.daysMost))

export const NewCodes = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('voucher'),
    process: VoucherProcess,
    /** The provider's id of the only customer who may redeem them. */
    customer: z.nullable(ProviderId),
    count: z.int().check(z.gte(1), z.lte(deskLimits.codes.atOnce)),
    days,
  }),
  z.strictObject({ kind: z.literal('renewal'), signature: ProviderId, days }),
])
export type NewCodes = z.infer<typeof NewCodes>

export const createCodesAtDesk = endpoint('staff', 'POST /desk/api/operations/voucher-codes', {
  summary: 'Creates vouchers, or a renewal code',
  description:
    'The codes are shown only once. It needs a recent sign-in at the OpenID provider. The ids of the codes begin with `idPrefix`.',
  body: z.strictObject({ codes: NewCodes }),
  reply: z.strictObject({ idPrefix: z.string(), codes: z.array(z.string()) }),
  /** `not-found`: the portal does not know the customer or the signature. `unavailable`: vouchers or renewals are switched off. */
  errors: ['step-up-required', 'not-found', 'too-many-requests', 'unavailable'],
})

export const withdrawCodeAtDesk = endpoint('staff', 'POST /desk/api/operations/voucher-codes/:id/withdrawal', {
  summary: 'Withdraws an unused code',
  description: 'It expires at once. The provider API can still give it a later end.',
  params: { id: ProviderId },
  /** `state-passed`: it is used, has opened a renewal, or has expired. */
  errors: ['not-found', 'state-passed', 'too-many-requests'],
})
