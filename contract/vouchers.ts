import * as z from 'zod/mini'
import { AccessCode } from './access-code.ts'
import { endpoint } from './endpoint.ts'
import { Cursor, Instant, Uuid } from './fields.ts'
import { limits } from './limits.ts'
import { LocalText } from './software.ts'

/** What a voucher is an application for (VCH-3). */
export const VoucherProcess = z.enum(['cloud-certificate', 'card-certificate', 'cloud-seal', 'card-seal'])
export type VoucherProcess = z.infer<typeof VoucherProcess>

/** VCH-4; the provider's own words for these are in case-status.ts. */
export const CaseStatus = z.enum(['in-progress', 'finished-successfully', 'finished-unsuccessfully'])
export type CaseStatus = z.infer<typeof CaseStatus>

/** A case that a voucher opened (VCH-4). */
export const VoucherCase = z.strictObject({
  id: Uuid,
  number: z.string(),
  /** It has been used up, so whoever sees it can do nothing with it. */
  code: z.string(),
  process: VoucherProcess,
  status: CaseStatus,
  /** The provider's own word for the status, once there is one, and its own words to the customer. */
  providerStatus: z.nullable(z.string()),
  note: z.nullable(LocalText),
  createdAt: Instant,
  updatedAt: Instant,
})
export type VoucherCase = z.infer<typeof VoucherCase>

export const VoucherForm = z.strictObject({ code: AccessCode })

/**
 * A code that is unknown, used, expired or somebody else's is refused alike (R30). Whoever redeemed it gets the same case
 * again, so that an answer that was lost is found by repeating.
 */
export const redeemVoucher = endpoint({
  method: 'POST',
  path: '/api/vouchers/redemption',
  summary: 'Redeems a voucher, which opens a case; a renewal code is told as one and stays unused (VCH-1)',
  access: 'customer',
  body: VoucherForm,
  reply: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('voucher'), case: VoucherCase }),
    z.strictObject({ kind: z.literal('renewal') }),
  ]),
  errors: ['voucher-refused', 'too-many-attempts'],
  code: 'stays',
})

export const readVoucherLimit = endpoint({
  method: 'GET',
  path: '/api/vouchers/limit',
  summary: 'Until when the customer can redeem no voucher after too many wrong ones (VCH-2)',
  access: 'customer',
  reply: z.strictObject({ blockedUntil: z.nullable(Instant) }),
})

export const listVoucherCases = endpoint({
  method: 'GET',
  path: '/api/voucher-cases',
  summary: 'The cases that the customer’s vouchers opened, by page, newest first',
  access: 'customer',
  query: z.strictObject({
    cursor: z.optional(Cursor),
    size: z.optional(z.enum(limits.list.sizes.map(String) as ['20', '50', '100'])),
    status: z.optional(CaseStatus),
  }),
  reply: z.strictObject({ items: z.array(VoucherCase), next: z.nullable(z.string()) }),
  errors: ['cursor-refused'],
})
