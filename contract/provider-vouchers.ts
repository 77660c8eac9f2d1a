import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Cursor, Email, Instant, line } from './fields.ts'
import { limits } from './limits.ts'
import { ProviderId } from './provider-api.ts'
import { CaseStatus, VoucherProcess } from './vouchers.ts'

/** The provider's side of vouchers, renewal codes and the cases that vouchers open (OPS-4): PUT states what is, in any order (R55). */

const Words = z.strictObject({ pl: line(limits.text.words), en: line(limits.text.words) })

/** A code to be made, by an id of the provider's. */
export const CodeOrder = z.discriminatedUnion('kind', [
  z.strictObject({
    id: ProviderId,
    kind: z.literal('voucher'),
    process: VoucherProcess,
    /** Null for whoever has the code. */
    customer: z.nullable(ProviderId),
    expiresAt: Instant,
  }),
  z.strictObject({
    id: ProviderId,
    kind: z.literal('renewal'),
    /** The certificate that it renews; its owner alone can use it (R31). */
    signature: ProviderId,
    expiresAt: Instant,
  }),
])
export type CodeOrder = z.infer<typeof CodeOrder>

const CodeState = z.strictObject({
  id: ProviderId,
  /** As the customer gets it: 80 random bits that the portal has drawn (R30). */
  code: z.string(),
  kind: z.enum(['voucher', 'renewal']),
  process: z.nullable(VoucherProcess),
  customer: z.nullable(ProviderId),
  signature: z.nullable(ProviderId),
  expiresAt: Instant,
  status: z.enum(['unused', 'used', 'expired']),
  /** The case that it opened. */
  case: z.nullable(z.string()),
})
export type CodeState = z.infer<typeof CodeState>

export const putVoucherCodes = endpoint({
  method: 'PUT',
  path: '/provider/v1/voucher-codes',
  summary: 'Makes voucher and renewal codes; a known id keeps its code and what it is for, and its end is updated',
  access: 'provider',
  body: z.strictObject({
    codes: z.array(CodeOrder).check(
      z.minLength(1),
      z.maxLength(limits.voucher.codesAtOnce),
      z.refine((codes) => new Set(codes.map(({ id }) => id)).size === codes.length),
    ),
  }),
  /** `unknown`: ids whose customer or signature the portal does not know; no code was made for them. */
  reply: z.strictObject({ codes: z.array(CodeState), unknown: z.array(ProviderId) }),
})

export const getVoucherCode = endpoint({
  method: 'GET',
  path: '/provider/v1/voucher-codes/:code',
  summary: 'A code by the provider’s id of it',
  access: 'provider',
  params: z.strictObject({ code: ProviderId }),
  reply: CodeState,
  errors: ['not-found'],
})

const CaseState = z.strictObject({
  /** The portal's number of the case, which the customer sees too. */
  case: ProviderId,
  /** The provider's id of whoever redeemed the voucher; null for somebody who has registered by themselves. */
  customer: z.nullable(ProviderId),
  email: Email,
  /** The provider's id of the voucher. */
  code: ProviderId,
  process: VoucherProcess,
  /** As the customer sees it, and the provider's word that it was read from; `known` is whether that is in the table. */
  status: CaseStatus,
  providerStatus: z.nullable(z.string()),
  known: z.boolean(),
  note: z.nullable(z.strictObject({ pl: z.string(), en: z.string() })),
  at: z.nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant,
})
export type ProviderCaseState = z.infer<typeof CaseState>

const caseParams = z.strictObject({ case: ProviderId })

export const listProviderCases = endpoint({
  method: 'GET',
  path: '/provider/v1/voucher-cases',
  summary:
    'Cases of vouchers by page, of one status where it is asked for, or with a word that the portal does not know',
  access: 'provider',
  query: z.strictObject({
    status: z.optional(CaseStatus),
    known: z.optional(z.enum(['true', 'false'])),
    cursor: z.optional(Cursor),
  }),
  reply: z.strictObject({ items: z.array(CaseState), next: z.nullable(z.string()) }),
  errors: ['cursor-refused'],
})

export const getProviderCase = endpoint({
  method: 'GET',
  path: '/provider/v1/voucher-cases/:case',
  summary: 'A case of a voucher as the portal knows it',
  access: 'provider',
  params: caseParams,
  reply: CaseState,
  errors: ['not-found'],
})

export const CaseReport = z.strictObject({
  /** In the provider's own words, such as „Przyjęto do realizacji”. */
  status: line(limits.text.name),
  /** Since when it is so at the provider: the latest stands, whatever comes last. */
  at: Instant,
  /** What the customer is told beside it. */
  note: z.nullable(Words),
})
export type CaseReport = z.infer<typeof CaseReport>

export const putCaseStatus = endpoint({
  method: 'PUT',
  path: '/provider/v1/voucher-cases/:case/status',
  summary: 'Says where a case stands; a word that the portal does not know counts as in progress and raises an alarm',
  access: 'provider',
  params: caseParams,
  body: CaseReport,
  reply: CaseState,
  errors: ['not-found'],
})
