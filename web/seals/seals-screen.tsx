import { CertificatesHead } from '../layouts/certificates-head.tsx'
import { usePage } from '../page-title.ts'
import '../ui/certificate-list.css'
import '../ui/table.css'
import { SealList } from './seal-list.tsx'
import './seals.css'

/** SEA-1…SEA-6. */
export function SealsScreen() {
  usePage({ title: { pl: 'Pieczęć kwalifikowana', en: 'Qualified seal' } })

  return (
    <>
      <CertificatesHead />
      <SealList />
    </>
  )
}
