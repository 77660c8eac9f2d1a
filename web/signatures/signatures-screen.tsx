import { useText } from '../locale.tsx'
import { usePage } from '../page-title.ts'
import { CertificateTabs } from './certificate-tabs.tsx'
import { SignatureList } from './signature-list.tsx'
import './signatures.css'

/** SIG-1…SIG-3 and the details of SIG-5. */
export function SignaturesScreen() {
  const t = useText()
  usePage({ title: { pl: 'Podpis kwalifikowany', en: 'Qualified signature' } })

  return (
    <>
      <div className="page__head">
        <div>
          <h1>{t({ pl: 'Certyfikaty', en: 'Certificates' })}</h1>
        </div>
      </div>
      <CertificateTabs />
      <SignatureList />
    </>
  )
}
