import { CertificatesHead } from '../layouts/certificates-head.tsx'
import { usePage } from '../page-title.ts'
import { SignatureList } from './signature-list.tsx'
import '../ui/certificate-list.css'

/** SIG-1…SIG-3 and the details of SIG-5. */
export function SignaturesScreen() {
  usePage({ title: { pl: 'Podpis kwalifikowany', en: 'Qualified signature' } })

  return (
    <>
      <CertificatesHead />
      <SignatureList />
    </>
  )
}
