import * as z from 'zod/mini'
import { component, described } from '../documented.ts'
import { endpoint, readsOne } from '../endpoint.ts'
import { Email, Instant, line, ProviderId, LocalText } from '../fields.ts'
import { limits } from '../limits.ts'
import { pages } from '../list-pages.ts'
import { CaseStatus, VoucherProcess } from '../vouchers.ts'
import { ProviderText } from './provider-api.ts'

// Vouchers, renewal codes and cases in the provider API (OPS-4): a PUT states the whole state, in any order (R55).

export const CodeOrder = component(
  'CodeOrder',
  'A code to be made: a voucher for a process, or a code that renews a signature.',
  z.discriminatedUnion('kind', [
    z.strictObject({
      id: described('Your id of the code.', ProviderId),
      kind: z.literal('voucher'),
      process: VoucherProcess,
      customer: described(
        'Your id of the only customer who may redeem it; null if anybody may.',
        z.nullable(ProviderId),
      ),
      expiresAt: described('Until when it can be redeemed.', Instant),
    }),
    z.strictObject({
      id: described('Your id of the code.', ProviderId),
      kind: z.literal('renewal'),
      signature: described('Your id of the signature that it renews; only its owner can use the code.', ProviderId),
      expiresAt: described('Until when it can be used.', Instant),
    }),
  ]),
)
export type CodeOrder = z.infer<typeof CodeOrder>

const CodeState = component(
  'CodeState',
  'A code as the portal knows it.',
  z.strictObject({
    id: described('Your id of the code.', ProviderId),
    code: described('The code that the customer gets: 16 letters and digits in groups of four.', z.string()),
    kind: described('What it is.', z.enum(['voucher', 'renewal'])),
    process: described('What the voucher is for; null for a renewal code.', z.nullable(VoucherProcess)),
    customer: described(
      'Your id of the only customer who may redeem it; null if anybody may, and for a renewal code.',
      z.nullable(ProviderId),
    ),
    signature: described('Your id of the signature that it renews; null for a voucher.', z.nullable(ProviderId)),
    expiresAt: described('Until when it can be redeemed.', Instant),
    status: described('Whether it can still be redeemed.', z.enum(['unused', 'used', 'expired'])),
    case: described(
      'The number of the case that the redeemed voucher has opened; null before that, and for a renewal code.',
      z.nullable(z.string()),
    ),
  }),
)
export type CodeState = z.infer<typeof CodeState>

export const putVoucherCodes = endpoint('provider', 'PUT /provider/v1/voucher-codes', {
  summary: 'Makes voucher and renewal codes; a known id keeps its code and purpose, and its expiry is updated',
  description:
    'At most 200 codes in a call, each with your own id. A repeated call returns the same codes, so none is made twice. `unknown` lists the ids whose customer or signature the portal does not know.',
  body: z.strictObject({
    codes: described(
      'The codes to be made, 1 to 200, each with another id.',
      z.array(CodeOrder).check(
        z.minLength(1),
        z.maxLength(limits.voucher.maxCodes),
        z.refine((codes) => new Set(codes.map(({ id }) => id)).size === codes.length),
      ),
    ),
  }),
  reply: z.strictObject({
    codes: described('The codes, in the order of the call.', z.array(CodeState)),
    unknown: described(
      'Ids of codes whose customer or signature the portal does not know: none was made for them.',
      z.array(ProviderId),
    ),
  }),
})

export const getVoucherCode = endpoint('provider', 'GET /provider/v1/voucher-codes/:code', {
  summary: 'Returns a code by the provider’s own id',
  description:
    '`status` is `unused`, `used` or `expired`, and `case` the number of the case that a redeemed voucher has opened.',
  ...readsOne(CodeState),
})

const CaseState = component(
  'VoucherCaseState',
  'A case of a redeemed voucher, as the portal knows it.',
  z.strictObject({
    case: described('The portal’s number of the case, as the customer sees it.', ProviderId),
    customer: described(
      'Your id of the customer who redeemed the voucher; null for somebody who registered in the portal.',
      z.nullable(ProviderId),
    ),
    email: Email,
    code: described('Your id of the voucher.', ProviderId),
    process: VoucherProcess,
    status: CaseStatus,
    providerStatus: described('Your own name of the status; null before you have sent one.', z.nullable(z.string())),
    known: described('Whether the portal knows that name; an unknown one counts as in progress.', z.boolean()),
    note: described('Your note to the customer; null if there is none.', z.nullable(LocalText)),
    at: described('Since when the case has this status; null before you have sent one.', z.nullable(Instant)),
    createdAt: Instant,
    updatedAt: Instant,
  }),
)

const params = { case: described('The portal’s number of the case.', ProviderId) }

export const listProviderCases = endpoint('provider', 'GET /provider/v1/voucher-cases', {
  summary:
    'Lists cases of vouchers by page, optionally of one customer or one status, or only those whose status name the portal does not know',
  description:
    'Pages of 100. `known=false` lists the cases whose status name the portal does not know. Pass `next` as `cursor` to get the next page.',
  ...pages(CaseState, {
    customer: described('Only those of this customer, by your id.', ProviderId),
    status: described('Only those with this status.', CaseStatus),
    known: described('`false`: only those whose status name the portal does not know.', z.enum(['true', 'false'])),
  }),
})

export const getProviderCase = endpoint('provider', 'GET /provider/v1/voucher-cases/:case', {
  summary: 'Returns a case of a voucher as the portal knows it',
  description: 'The status that the customer sees, your own name of it, and your note to the customer.',
  params,
  ...readsOne(CaseState),
})

export const CaseReport = component(
  'VoucherCaseReport',
  'What you report on a case.',
  z.strictObject({
    status: described('Your own name of the status, such as „Przyjęto do realizacji”.', line(limits.text.name)),
    at: described('Since when the case has this status: the latest time wins, in any order of arrival.', Instant),
    note: described('Your note to the customer; null for none.', z.nullable(ProviderText)),
  }),
)
export type CaseReport = z.infer<typeof CaseReport>

export const putCaseStatus = endpoint('provider', 'PUT /provider/v1/voucher-cases/:case/status', {
  summary: 'Sets the status of a case; an unknown status name counts as in progress and raises an alarm',
  description:
    '`at` is the time since when the case has this status: the latest time wins, so reports may arrive in any order and be repeated.',
  params,
  body: CaseReport,
  ...readsOne(CaseState),
})
