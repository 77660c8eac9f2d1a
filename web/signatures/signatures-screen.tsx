import { CertificatesHead } from '../layouts/certificates-head.tsx'
import { usePage } from '../page-title.ts'
import { SignatureList } from './signature-list.tsx'
import { UseCodeButton } from './use-code-button.tsx'
import '../ui/certificate-list.css'

/** SIG-1…SIG-4 and the details of SIG-5. */
export function SignaturesScreen() {
  usePage({ title: { pl: 'Podpis kwalifikowany', en: 'Qualified signature' } })

  return (
    <>
      <CertificatesHead action={<UseCodeButton />} />
      <SignatureList />
    </>
  )
}
