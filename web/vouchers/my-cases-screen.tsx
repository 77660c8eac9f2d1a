import { isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { PageHead } from '../app/page-head.tsx'
import type { Page, PagedList } from '../lists/paged-list.tsx'
import { Empty } from '../ui/empty.tsx'
import { ReceivedCases, useReceivedCases } from './received-cases.tsx'
import '../certificates/certificate-list.css'
import './cases.css'
import { useVoucherCases, VoucherCaseList, EnterVoucher } from './voucher-case-list.tsx'

/** Checks whether the unfiltered list is empty. */
const hasNoCases = ({ list, isFiltered, page }: Pick<PagedList<Page, object>, 'list' | 'isFiltered' | 'page'>) =>
  list.data?.items.length === 0 && !isFiltered && page === 1

/** Shows the cases opened by the customer's vouchers and those opened by the provider (VCH-4). Each list is read, and fails, separately. */
export function MyCasesScreen() {
  const t = useText()
  const vouchers = useVoucherCases()
  const received = useReceivedCases()
  const hasDocuments = !isOff('documents')
  const hasNone = hasNoCases(vouchers) && (!hasDocuments || hasNoCases(received))
  return (
    <>
      <PageHead
        title={{ pl: 'Moje sprawy', en: 'My cases' }}
        lede={{
          pl: 'Wnioski złożone za pomocą kodu voucher i\u00a0dokumenty od nas.',
          en: 'Applications you started with a voucher code, and documents we’ve sent you.',
        }}
      />
      {hasNone ? (
        <section className="card section">
          <NoCases hasDocuments={hasDocuments} />
        </section>
      ) : (
        <>
          <section className="card section" aria-labelledby="voucher-cases">
            <h2 id="voucher-cases">{t({ pl: 'Sprawy z\u00a0voucherów', en: 'Voucher cases' })}</h2>
            <VoucherCaseList cases={vouchers} />
          </section>
          {hasDocuments && (
            <section className="card section" aria-labelledby="received-cases">
              <h2 id="received-cases">{t({ pl: 'Sprawy otrzymane', en: 'Received cases' })}</h2>
              <ReceivedCases cases={received} />
            </section>
          )}
        </>
      )}
    </>
  )
}

/** Shows one empty state for both lists, not one for each (VCH-6). */
function NoCases({ hasDocuments }: { hasDocuments: boolean }) {
  const t = useText()
  return (
    <Empty
      icon="cases"
      reason={
        hasDocuments
          ? t({
              pl: 'Sprawa pojawi się tutaj, gdy użyjesz kodu voucher albo dostaniesz od nas dokument do podpisania.',
              en: 'You’ll see a case here when you use a voucher code, or when we send you a document to sign.',
            })
          : t({
              pl: 'Sprawa pojawi się tutaj, gdy użyjesz kodu voucher.',
              en: 'You’ll see a case here when you use a voucher code.',
            })
      }
      action={<EnterVoucher />}
    />
  )
}
