import { isOff } from '../config.ts'
import { useText } from '../locale.tsx'
import { usePage } from '../page-title.ts'
import { ReceivedCases } from './received-cases.tsx'
import { VoucherCaseList } from './voucher-case-list.tsx'
import '../ui/certificate-list.css'
import '../ui/table.css'
import './cases.css'

/** VCH-4: what the customer's vouchers have opened, and what the provider has. Each list is read, and fails, by itself. */
export function MyCasesScreen() {
  const t = useText()
  usePage({ title: { pl: 'Moje sprawy', en: 'My cases' } })
  return (
    <>
      <div className="page__head">
        <div>
          <h1>{t({ pl: 'Moje sprawy', en: 'My cases' })}</h1>
          <p className="lede">
            {t({
              pl: 'Tutaj zobaczysz, co dzieje się z\u00a0Twoimi wnioskami.',
              en: 'Here you can see how your applications are doing.',
            })}
          </p>
        </div>
      </div>
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
