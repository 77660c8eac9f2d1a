import { isOff } from '../config.ts'
import { useText } from '../locale.tsx'
import { ReceivedCases } from './received-cases.tsx'
import { VoucherCaseList } from './voucher-case-list.tsx'
import '../certificates/certificate-list.css'
import '../ui/table.css'
import './cases.css'
import { PageHead } from '../page-head.tsx'

/** VCH-4: the cases opened by the customer's vouchers and those opened by the provider. Each list is read, and fails, separately. */
export function MyCasesScreen() {
  const t = useText()
  return (
    <>
      <PageHead
        title={{ pl: 'Moje sprawy', en: 'My cases' }}
        lede={{
          pl: 'Tutaj sprawdzisz, co dzieje się z\u00a0Twoimi wnioskami.',
          en: 'Track the progress of your applications here.',
        }}
      />
      <section className="card sec" aria-labelledby="voucher-cases">
        <h2 id="voucher-cases">{t({ pl: 'Sprawy z\u00a0kodów voucher', en: 'Voucher cases' })}</h2>
        <VoucherCaseList />
      </section>
      {!isOff('documents') && (
        <section className="card sec" aria-labelledby="received-cases">
          <h2 id="received-cases">{t({ pl: 'Sprawy otrzymane', en: 'Received cases' })}</h2>
          <ReceivedCases />
        </section>
      )}
    </>
  )
}
