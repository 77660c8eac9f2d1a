import { CertificatesHead } from '../certificates/certificates-head.tsx'
import { SignatureList } from './signature-list.tsx'
import { UseCodeButton } from './use-code-button.tsx'
import '../certificates/certificate-list.css'

/** SIG-1…SIG-4 and the details of SIG-5. */
export function SignaturesScreen() {
  return (
    <>
      <CertificatesHead page="signatures" action={<UseCodeButton />} />
      <SignatureList />
    </>
  )
}
