import type { Reply } from '../contract/endpoint.ts'
import {
  putCaseStatus,
  putVoucherCodes,
  type CaseReport,
  type CodeOrder,
  type CodeState,
} from '../contract/provider-vouchers.ts'
import { redeemVoucher, VoucherProcess } from '../contract/vouchers.ts'
import { openCustomerBrowser, type Mailbox } from './customer-browser.ts'
import { people } from './demonstration-people.ts'
import { PortalRefused, type PortalClient } from './portal-client.ts'

const dayMs = 86_400_000
const owner = people.find(({ id }) => id === 'demo-malgorzata')!

/** Every status of VCH-4, by the words of a provider's system. */
const cases: readonly { id: string; process: VoucherProcess; report: Pick<CaseReport, 'status' | 'note'> }[] = [
  { id: 'demo-case-progress', process: 'cloud-seal', report: { status: 'Przyjęto do realizacji', note: null } },
  { id: 'demo-case-done', process: 'cloud-certificate', report: { status: 'Zakończona pomyślnie', note: null } },
  {
    id: 'demo-case-refused',
    process: 'card-certificate',
    report: {
      status: 'Odmowa wydania',
      note: {
        pl: 'Zdjęcie w\u00a0dokumencie tożsamości było nieczytelne.',
        en: 'The photo in the identity document was not legible.',
      },
    },
  },
]

/** Signatures that are due: one that ends soon, one whose document cuts it, one whose document has expired, one in English. */
const renewed = ['demo-malgorzata-app', 'demo-kamila-app', 'demo-bruno-app', 'demo-oliver-app', 'demo-tomasz-now']

type Desk = { url: string; portal: PortalClient; now: Date; mailbox: Mailbox; password: string }

/**
 * Makes codes to try, one for each process and a renewal code, anew each day, and has a customer redeem others, so that there
 * is a case in every status. Answers with what there is to try.
 */
export async function fillVouchers({ url, portal, now, mailbox, password }: Desk): Promise<CodeState[]> {
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
  { url, mailbox, password }: Pick<Desk, 'url' | 'mailbox' | 'password'>,
  codes: CodeState[],
  onOpened: (id: string, number: string) => Promise<unknown>,
) {
  const customer = { login: owner.login, password, phone: owner.phone }
  const browser = await openCustomerBrowser(url, mailbox, customer).catch((error: unknown) => {
    // A visitor may have given this customer another password; there are no cases to see then.
    if (!(error instanceof PortalRefused)) throw error
  })
  if (!browser) return
  for (const { id, code } of codes) {
    const answer = await browser.send(redeemVoucher, { body: { code } })
    const redeemed = JSON.parse(Buffer.from(answer).toString()) as Reply<typeof redeemVoucher>
    if (redeemed.kind === 'voucher') await onOpened(id, redeemed.case.number)
  }
  await browser.leave()
}

async function report(portal: PortalClient, id: string, number: string, now: Date) {
  const told = cases.find((one) => one.id === id)!.report
  const params = { case: number }
  await portal.call(putCaseStatus, { params, body: { ...told, at: now.toISOString() } })
}
