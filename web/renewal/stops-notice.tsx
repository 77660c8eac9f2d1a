import { useState } from 'react'
import type { Renewal } from '../../contract/renewal.ts'
import { isCurable } from '../../contract/rules/renewal-rules.ts'
import { BuyLink } from '../certificates/buy-link.tsx'
import { useText } from '../locale.tsx'
import { AnswerLink } from '../text/answer-link.tsx'
import { renewalReasonText } from '../text/renewal-text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { HelpLine } from '../support-line.tsx'
import { updateDocumentText } from './identity-document-form.ts'
import { IdentityDocumentDialog } from './identity-document-dialog.tsx'
import { IdentityNotice } from './identity-notice.tsx'
import { BackToSignatures } from './step-buttons.tsx'

type Props = { renewal: Renewal; onChanged: (renewal: Renewal) => void }

/** Why the renewal is not possible with any choice, until when, and what to do (REN-6, ux.md §3.4). */
export function StopsNotice({ renewal, onChanged }: Props) {
  const t = useText()
  const [editing, setEditing] = useState(false)
  const [stop] = renewal.stops
  const isChecking = renewal.identityCheck?.state === 'asked'
  if (!stop) return null
  const text = renewalReasonText[stop]

  const curable = renewal.stops.every(isCurable)
  return (
    <>
      <IdentityNotice renewal={renewal} />
      {!isChecking && (
        <Notice kind={curable ? 'warn' : 'err'} className="blk" title={t(text.what)}>
          <p>
            {t(text.advice)} <AnswerLink to="renewal-refused" />
          </p>
          <HelpLine />
        </Notice>
      )}
      <div className="btns blk">
        {curable ? (
          <Button
            variant={isChecking ? 'secondary' : 'primary'}
            aria-haspopup="dialog"
            onClick={() => setEditing(true)}
          >
            {t(updateDocumentText)}
          </Button>
        ) : (
          <BuyLink product="newSignature" variant="primary" />
        )}
        <BackToSignatures variant="quiet" />
      </div>
      {editing && <IdentityDocumentDialog renewal={renewal} onChanged={onChanged} onClose={() => setEditing(false)} />}
    </>
  )
}
