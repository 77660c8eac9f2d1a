import { useState } from 'react'
import type { Renewal } from '../../contract/renewal.ts'
import { isCurable } from '../../contract/rules/renewal-rules.ts'
import { BuyLink } from '../certificates/buy-link.tsx'
import { useText } from '../locale.tsx'
import { Button } from '../ui/button.tsx'
import { CertificateDifferences } from './certificate-differences.tsx'
import { updateDocumentText } from './identity-document-form.ts'
import { IdentityDocumentDialog } from './identity-document-dialog.tsx'
import { IdentityNotice } from './identity-notice.tsx'
import { BackToSignatures } from './step-buttons.tsx'
import { StopReason } from './stop-reason.tsx'

type Props = { renewal: Renewal; onChanged: (renewal: Renewal) => void }

/** Why the renewal is not possible with any choice, until when, and what to do (REN-6, ux.md §3.4). */
export function StopsNotice({ renewal, onChanged }: Props) {
  const t = useText()
  const [editing, setEditing] = useState(false)
  const [stop] = renewal.stops
  const isChecking = renewal.identityCheck?.state === 'asked'
  if (!stop) return null
  const edit = () => setEditing(true)

  const curable = renewal.stops.every(isCurable)
  return (
    <>
      <IdentityNotice renewal={renewal} />
      {!isChecking && <StopReason reason={stop} canUpdate={curable} onUpdate={edit} />}
      <CertificateDifferences renewal={renewal} />
      <div className="btns blk">
        {!curable ? (
          <BuyLink product="newSignature" variant="primary" />
        ) : (
          isChecking && (
            <Button aria-haspopup="dialog" onClick={edit}>
              {t(updateDocumentText)}
            </Button>
          )
        )}
        <BackToSignatures variant="quiet" />
      </div>
      {editing && <IdentityDocumentDialog renewal={renewal} onChanged={onChanged} onClose={() => setEditing(false)} />}
    </>
  )
}
