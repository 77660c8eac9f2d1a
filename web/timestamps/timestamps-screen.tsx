import { CertificatesHead } from '../certificates/certificates-head.tsx'
import { AccountList } from './account-list.tsx'
import '../certificates/certificate-list.css'
import './timestamps.css'

/** TSP-1…TSP-4. */
export function TimestampsScreen() {
  return (
    <>
      <CertificatesHead page="timestamps" />
      <AccountList />
    </>
  )
}
