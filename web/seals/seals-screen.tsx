import { CertificatesHead } from '../certificates/certificates-head.tsx'
import '../certificates/certificate-list.css'
import '../ui/table.css'
import { SealList } from './seal-list.tsx'
import './seals.css'

/** SEA-1…SEA-6. */
export function SealsScreen() {
  return (
    <>
      <CertificatesHead page="seals" />
      <SealList />
    </>
  )
}
