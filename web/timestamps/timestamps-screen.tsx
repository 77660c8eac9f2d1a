import { CertificatesHead } from '../layouts/certificates-head.tsx'
import { usePage } from '../page-title.ts'
import { AccountList } from './account-list.tsx'
import './timestamps.css'

/** TSP-1…TSP-4. */
export function TimestampsScreen() {
  usePage({ title: { pl: 'Znacznik czasu', en: 'Timestamp' } })

  return (
    <>
      <CertificatesHead />
      <AccountList />
    </>
  )
}
