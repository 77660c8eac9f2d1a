import * as z from 'zod/mini'
import { endpoint, readsOne } from '../endpoint.ts'
import { Email, Instant, line, ProviderId } from '../fields.ts'
import { limits } from '../limits.ts'
import { pages } from '../list-pages.ts'
import { ProviderText } from './provider-api.ts'
import { LocalText } from '../software.ts'
import { CaseStatus, VoucherProcess } from '../vouchers.ts'

/** Vouchers, renewal codes and cases in the provider API (OPS-4): a PUT states the whole state, in any order (R55). */

/** A code to be made, with the provider's own id. */
export const CodeOrder = z.discriminatedUnion('kind', [
  z.strictObject({
    id: ProviderId,
    kind: z.literal('voucher'),
    process: VoucherProcess,
    /** Null if any customer may redeem it. */
    customer: z.nullable(ProviderId),
    expiresAt: Instant,
  }),
  z.strictObject({
    id: ProviderId,
    kind: z.literal('renewal'),
    /** The certificate that it renews; only its owner can use it (R31). */
    signature: ProviderId,
    expiresAt: Instant,
  }),
])
export type CodeOrder = z.infer<typeof CodeOrder>

const CodeState = z.strictObject({
  id: ProviderId,
  /** The code that the customer gets: 80 random bits, made by the portal (R30). */
  code: z.string(),
  kind: z.enum(['voucher', 'renewal']),
  process: z.nullable(VoucherProcess),
  customer: z.nullable(ProviderId),
  signature: z.nullable(ProviderId),
  expiresAt: Instant,
  status: z.enum(['unused', 'used', 'expired']),
  /** The case of the redeemed code. */
  case: z.nullable(z.string()),
})
export type CodeState = z.infer<typeof CodeState>

export const putVoucherCodes = endpoint('provider', 'PUT /provider/v1/voucher-codes', {
  summary: 'Makes voucher and renewal codes; a known id keeps its code and purpose, and its expiry is updated',
  description:
    'At most 200 codes in a call, each with your own id. A repeated call returns the same codes, so none is made twice. `unknown` lists the ids whose customer or signature the portal does not know.',
  body: z.strictObject({
    codes: z.array(CodeOrder).check(
      z.minLength(1),
      z.maxLength(limits.voucher.codesAtOnce),
      z.refine((codes) => new Set(codes.map(({ id }) => id)).size === codes.length),
    ),
  }),
  /** `unknown`: ids whose customer or signature the portal does not know; they got no code. */
  reply: z.strictObject({ codes: z.array(CodeState), unknown: z.array(ProviderId) }),
})

export const getVoucherCode = endpoint('provider', 'GET /provider/v1/voucher-codes/:code', {
  summary: 'A code by the provider’s own id',
  description:
    '`status` is `unused`, `used` or `expired`, and `case` the number of the case that a redeemed voucher has opened.',
  ...readsOne(CodeState),
})

const CaseState = z.strictObject({
  /** The portal's number of the case, as the customer sees it. */
  case: ProviderId,
  /** The provider's id of the customer who redeemed the voucher; null for a customer who registered in the portal. */
  customer: z.nullable(ProviderId),
  email: Email,
  /** The provider's id of the voucher. */
  code: ProviderId,
  process: VoucherProcess,
  /** The status that the customer sees, and the provider's name of it; `known`: whether the portal knows that name. */
  status: CaseStatus,
  providerStatus: z.nullable(z.string()),
  known: z.boolean(),
  note: z.nullable(LocalText),
  at: z.nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant,
})
export type ProviderCaseState = z.infer<typeof CaseState>

export const listProviderCases = endpoint('provider', 'GET /provider/v1/voucher-cases', {
  summary:
    'Cases of vouchers by page, optionally of one customer or one status, or only those whose status name the portal does not know',
  description:
    'Pages of 100. `known=false` lists the cases whose status name the portal does not know. Pass `next` as `cursor` to get the next page.',
  ...pages(CaseState, { customer: ProviderId, status: CaseStatus, known: z.enum(['true', 'false']) }),
})

export const getProviderCase = endpoint('provider', 'GET /provider/v1/voucher-cases/:case', {
  summary: 'A case of a voucher as the portal knows it',
  description: 'The status that the customer sees, your own name of it, and your note to the customer.',
  ...readsOne(CaseState),
})

export const CaseReport = z.strictObject({
  /** The provider's own name of the status, such as „Przyjęto do realizacji”. */
  status: line(limits.text.name),
  /** Since when the case has this status: the latest time wins, in any order of arrival. */
  at: Instant,
  /** The provider's note to the customer. */
  note: z.nullable(ProviderText),
})
export type CaseReport = z.infer<typeof CaseReport>

export const putCaseStatus = endpoint('provider', 'PUT /provider/v1/voucher-cases/:case/status', {
  summary: 'Sets the status of a case; an unknown status name counts as in progress and raises an alarm',
  description:
    '`at` is the time since when the case has this status: the latest time wins, so reports may arrive in any order and be repeated.',
  body: CaseReport,
  ...readsOne(CaseState),
})
