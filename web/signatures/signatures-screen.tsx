import { CertificatesHead } from '../certificates/certificates-head.tsx'
import { SignatureList } from './signature-list.tsx'
import '../certificates/certificate-list.css'
import { useState } from 'react'
import { isOff } from '../config.ts'
import { useText } from '../locale.tsx'
import { partOnDemand } from '../on-demand.tsx'
import { Button } from '../ui/button.tsx'

/** SIG-1…SIG-4 and the details of SIG-5. */
export function SignaturesScreen() {
  return (
    <>
      <CertificatesHead page="signatures" action={<UseCodeButton />} />
      <SignatureList />
    </>
  )
}

const RenewalCodeDialog = partOnDemand(() =>
  import('../certificates/renewal-code-dialog.tsx').then((file) => file.RenewalCodeDialog),
)

/** SIG-4: for customers with a code, which identifies the signature. */
function UseCodeButton() {
  const t = useText()
  const [open, setOpen] = useState(false)
  if (isOff('renewal')) return null
  return (
    <>
      <Button icon="key" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t({ pl: 'Użyj kodu odnowienia', en: 'Use renewal code' })}
      </Button>
      {open && <RenewalCodeDialog onClose={() => setOpen(false)} />}
    </>
  )
}
