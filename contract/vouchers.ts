import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { type Text, keysOf } from './enums.ts'
import { Instant, Uuid, LocalText } from './fields.ts'
import { pages, PageSize, searches } from './list-pages.ts'
import { AccessCodeForm } from './rules/access-code.ts'

/** The purpose of a voucher, by the name of the case that it opens (VCH-3). */
export const processText = {
  'cloud-certificate': {
    pl: 'Wniosek o\u00a0certyfikat w\u00a0aplikacji mobilnej',
    en: 'Application for a certificate in the mobile app',
  },
  'card-certificate': {
    pl: 'Wniosek o\u00a0certyfikat na karcie lub tokenie',
    en: 'Application for a certificate on a card or token',
  },
  'file-certificate': { pl: 'Wniosek o\u00a0certyfikat w\u00a0pliku', en: 'Application for a certificate in a file' },
  'cloud-seal': {
    pl: 'Wniosek o\u00a0pieczęć w\u00a0aplikacji mobilnej',
    en: 'Application for a seal in the mobile app',
  },
  'card-seal': { pl: 'Wniosek o\u00a0pieczęć na karcie lub tokenie', en: 'Application for a seal on a card or token' },
  'psd2-seal': { pl: 'Wniosek o\u00a0pieczęć PSD2 na karcie', en: 'Application for a PSD2 seal on a card' },
  'file-seal': { pl: 'Wniosek o\u00a0pieczęć w\u00a0pliku', en: 'Application for a seal in a file' },
  timestamps: { pl: 'Wniosek o\u00a0znaczniki czasu', en: 'Application for timestamps' },
} as const satisfies Record<string, Text>
export const VoucherProcess = component('VoucherProcess', 'What a voucher is for.', z.enum(keysOf(processText)))
export type VoucherProcess = z.infer<typeof VoucherProcess>

/** The provider's own names for these are in `case-status.ts` (VCH-4). */
export const CaseStatus = component(
  'CaseStatus',
  'The status of a case that the customer sees.',
  z.enum(['in-progress', 'finished-successfully', 'finished-unsuccessfully']),
)
export type CaseStatus = z.infer<typeof CaseStatus>

export const VoucherCase = component(
  'OwnVoucherCase',
  'A case of a redeemed voucher, as its customer sees it.',
  z.strictObject({
    id: Uuid,
    number: described('The number of the case.', z.string()),
    code: described('The voucher, in full, because a used code is worthless.', z.string()),
    process: VoucherProcess,
    status: CaseStatus,
    providerStatus: described(
      'The provider’s own name of the status; null if it has sent none.',
      z.nullable(z.string()),
    ),
    note: described('The provider’s note to the customer; null if there is none.', z.nullable(LocalText)),
    createdAt: Instant,
    updatedAt: Instant,
  }),
)
export type VoucherCase = z.infer<typeof VoucherCase>

/**
 * A code that is unknown, used, expired or another customer's is refused in the same way (R30). The customer who redeemed it
 * gets the same case again, so that a lost answer can be repeated.
 */
export const redeemVoucher = endpoint('customer', 'POST /api/vouchers/redemption', {
  summary: 'Redeems a voucher, which creates a case; a renewal code is recognised and stays unused', // VCH-1
  description: 'The customer who redeemed a code gets the same case again.',
  body: AccessCodeForm,
  reply: z.discriminatedUnion('kind', [
    z.strictObject({ kind: described('A case was created, or found again.', z.literal('voucher')), case: VoucherCase }),
    z.strictObject({ kind: described('It is a renewal code, which stays unused.', z.literal('renewal')) }),
  ]),
  errors: ['voucher-refused', 'too-many-attempts', 'unavailable'],
  idempotent: 'code',
})

export const readVoucherLimit = endpoint('customer', 'GET /api/vouchers/limit', {
  summary: 'Returns until when the customer cannot redeem vouchers after too many wrong codes', // VCH-2
  description: 'Null while the customer may redeem.',
  offlineCopy: true,
  reply: z.strictObject({
    blockedUntil: described('Until when; null while the customer may redeem.', z.nullable(Instant)),
  }),
})

export const listVoucherCases = endpoint('customer', 'GET /api/voucher-cases', {
  summary:
    'Lists the cases of the customer’s vouchers, by page, status, search and id: those in progress first, then the others, newest first',
  description: 'Each with the provider’s status and note.',
  offlineCopy: true,
  ...pages(VoucherCase, { size: PageSize, status: described('Only those with this status.', CaseStatus), ...searches }),
})
