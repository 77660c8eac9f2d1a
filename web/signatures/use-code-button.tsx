import { useState } from 'react'
import { isOff } from '../config.ts'
import { useText } from '../locale.tsx'
import { partOnDemand } from '../on-demand.tsx'
import { Button } from '../ui/button.tsx'

const RenewalCodeDialog = partOnDemand(() =>
  import('../certificates/renewal-code-dialog.tsx').then((file) => file.RenewalCodeDialog),
)

/** SIG-4: for customers with a code, which identifies the signature. */
export function UseCodeButton() {
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
