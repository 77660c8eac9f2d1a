import { putVoucherCodes, type CodeOrder, type CodeState } from '../../../contract/provider/provider-vouchers.ts'
import { redeemVoucher } from '../../../contract/vouchers.ts'
import { openBrowser, type TestBrowser } from '../browser.ts'
import type { TestPortal } from '../portal-nodes.ts'

export const sampleVoucher = (over: Partial<CodeOrder & { kind: 'voucher' }> = {}): CodeOrder => ({
  id: `v-${crypto.randomUUID()}`,
  kind: 'voucher',
  process: 'cloud-certificate',
  customer: null,
  expiresAt: '2036-01-01T00:00:00.000Z',
  ...over,
})

/** Makes codes as the provider, and returns them in that order. */
export async function giveCodes(portal: TestPortal, ...codes: CodeOrder[]): Promise<CodeState[]> {
  const { status, body, problem } = await openBrowser(portal).call(putVoucherCodes, { body: { codes } })
  if (status !== 200 || body.unknown.length) throw new Error(JSON.stringify(problem ?? body.unknown))
  return body.codes
}

export const addVoucher = async (portal: TestPortal, over: Partial<CodeOrder & { kind: 'voucher' }> = {}) =>
  (await giveCodes(portal, sampleVoucher(over)))[0]!

/** Creates a renewal code for a certificate, by the provider's id of the certificate. */
export async function giveRenewalCode(portal: TestPortal, signature: string) {
  const expiresAt = '2036-01-01T00:00:00.000Z'
  const [given] = await giveCodes(portal, { id: `r-${crypto.randomUUID()}`, kind: 'renewal', signature, expiresAt })
  return given!
}

/** Opens a case as the browser's customer does, by redeeming a voucher. */
export async function openVoucherCase(
  portal: TestPortal,
  browser: TestBrowser,
  over: Partial<CodeOrder & { kind: 'voucher' }> = {},
) {
  const voucher = await addVoucher(portal, over)
  const { body, problem } = await browser.call(redeemVoucher, { body: { code: voucher.code } })
  if (body.kind !== 'voucher') throw new Error(JSON.stringify(problem ?? body))
  return { voucher, opened: body.case }
}

/** Well-formed, but not an existing code. */
export const wrongCode = '0000-0000-0000-0000'
