import {
  putCaseStatus,
  putVoucherCodes,
  type CaseReport,
  type CodeOrder,
  type CodeState,
} from '../../contract/provider/provider-vouchers.ts'
import { dayMs } from '../../contract/rules/warsaw-time.ts'
import { redeemVoucher, VoucherProcess } from '../../contract/vouchers.ts'
import type { PortalClient } from '../portal-client.ts'
import { openCustomerBrowser, type Mailbox } from './customer-browser.ts'
import { findPerson } from './demonstration-people.ts'

const owner = findPerson({ id: 'demo-malgorzata' })

/** Every status of VCH-4, with a provider's own texts. */
const cases: readonly { id: string; process: VoucherProcess; report: Pick<CaseReport, 'status' | 'note'> }[] = [
  { id: 'demo-case-progress', process: 'cloud-seal', report: { status: 'Przyjęto do realizacji', note: null } },
  { id: 'demo-case-file-seal', process: 'file-seal', report: { status: 'W toku', note: null } },
  { id: 'demo-case-done', process: 'cloud-certificate', report: { status: 'Zakończona pomyślnie', note: null } },
  {
    id: 'demo-case-refused',
    process: 'card-certificate',
    report: {
      status: 'Odmowa wydania',
      note: {
        pl: 'Zdjęcie w\u00a0dokumencie tożsamości było nieczytelne.',
        en: 'The photo in the identity document wasn’t legible.',
      },
    },
  },
]

/** Renewable signatures: expiring soon, shortened by the identity document, with an expired one, in English. */
const renewed = ['demo-malgorzata-app', 'demo-kamila-app', 'demo-bruno-app', 'demo-oliver-app', 'demo-tomasz-now']

type Services = { url: string; portal: PortalClient; now: Date; mailbox: Mailbox; password: string }

/**
 * Creates codes to try each day, one per process and renewal codes, and lets a customer redeem others, so that there is a
 * case in every status. Returns the codes to try.
 */
export async function fillVouchers({ url, portal, now, mailbox, password }: Services): Promise<CodeState[]> {
  const expiresAt = new Date(now.getTime() + 30 * dayMs).toISOString()
  const today = expiresAt.slice(0, 10)
  const tries: CodeOrder[] = [
    ...VoucherProcess.options.map((process): CodeOrder => ({
      id: `demo-${process}-${today}`,
      kind: 'voucher',
      process,
      customer: null,
      expiresAt,
    })),
    ...renewed.map((signature): CodeOrder => ({ id: `${signature}-${today}`, kind: 'renewal', signature, expiresAt })),
  ]
  const ofCases = cases.map(({ id, process }): CodeOrder => ({
    id,
    kind: 'voucher',
    process,
    customer: owner.id,
    expiresAt,
  }))
  const { codes } = await portal.call(putVoucherCodes, { body: { codes: [...tries, ...ofCases] } })
  const unopened = codes.slice(tries.length).filter(({ status }) => status === 'unused')
  if (unopened.length)
    await redeem({ url, mailbox, password }, unopened, (id, number) => report(portal, id, number, now))
  return codes.slice(0, tries.length)
}

async function redeem(
  { url, mailbox, password }: Pick<Services, 'url' | 'mailbox' | 'password'>,
  codes: CodeState[],
  onOpened: (id: string, number: string) => Promise<unknown>,
) {
  const customer = { login: owner.login, password, phone: owner.phone }
  const browser = await openCustomerBrowser(url, mailbox, customer)
  if (!browser) return
  for (const { id, code } of codes) {
    const redeemed = await browser.call(redeemVoucher, { json: { code } })
    if (redeemed.kind === 'voucher') await onOpened(id, redeemed.case.number)
  }
  await browser.leave()
}

async function report(portal: PortalClient, id: string, number: string, now: Date) {
  const status = cases.find((voucherCase) => voucherCase.id === id)?.report
  if (!status) return
  await portal.call(putCaseStatus, { params: { case: number }, body: { ...status, at: now.toISOString() } })
}
