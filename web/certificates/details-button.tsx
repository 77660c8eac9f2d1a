import { useState, type ReactNode } from 'react'
import { useText } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { Icon } from '../art/icons.tsx'
import type { CertificateDialogProps } from './certificate-dialog.tsx'

const CertificateDialog = partOnDemand(() => import('./certificate-dialog.tsx').then((file) => file.CertificateDialog))

type Props = Omit<CertificateDialogProps, 'onClose'> & { nameSuffix: ReactNode }

/** Opens the details of the certificate of a signature or a seal. */
export function DetailsButton({ nameSuffix, ...dialog }: Props) {
  const t = useText()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" className="link" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        <Icon name="document" />
        <span>
          {t({ pl: 'Szczegóły certyfikatu', en: 'Certificate details' })}
          <span className="unseen">{nameSuffix}</span>
        </span>
      </button>
      {isOpen && <CertificateDialog {...dialog} onClose={() => setIsOpen(false)} />}
    </>
  )
}
