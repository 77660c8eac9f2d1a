import { useState } from 'react'
import type { Renewal } from '../../contract/renewal.ts'
import { isCurable } from '../../contract/renewal-rules.ts'
import { pages } from '../../contract/pages.ts'
import { config } from '../config.ts'
import { useText } from '../locale.tsx'
import { renewalReasonWords } from '../text/renewal-words.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { SupportLine } from '../ui/support-line.tsx'
import { IdentityDocumentDialog } from './identity-document-dialog.tsx'
import { IdentityNotice } from './identity-notice.tsx'

type Props = { renewal: Renewal; onChanged: (renewal: Renewal) => void }

/** What stands against the renewal whatever is chosen, until when, and what to do (REN-6, ux.md §3.4). */
export function StopsNotice({ renewal, onChanged }: Props) {
  const t = useText()
  const [editing, setEditing] = useState(false)
  const [stop] = renewal.stops
  const asked = renewal.identityCheck?.state === 'asked'
  if (!stop) return null
  const words = renewalReasonWords[stop]

  const curable = renewal.stops.every(isCurable)
  return (
    <>
      <IdentityNotice renewal={renewal} />
      {!asked && (
        <Notice kind={curable ? 'warn' : 'err'} className="blk" title={t(words.what)}>
          <p>{t(words.advice)}</p>
          <p>
            {t({ pl: 'Pomoc: ', en: 'Help: ' })}
            <SupportLine />
          </p>
        </Notice>
      )}
      <div className="btns blk">
        {curable ? (
          <Button variant={asked ? 'secondary' : 'primary'} aria-haspopup="dialog" onClick={() => setEditing(true)}>
            {asked
              ? t({ pl: 'Popraw dane dokumentu', en: 'Correct the document details' })
              : t({ pl: 'Podaj dane dokumentu', en: 'Enter the document details' })}
          </Button>
        ) : (
          <ButtonLink variant="primary" href={config.brand.links.newSignature}>
            {t({ pl: 'Kup nowy podpis', en: 'Buy a new signature' })}
          </ButtonLink>
        )}
        <ButtonLink variant="quiet" icon="back" to={pages.signatures.path}>
          {t({ pl: 'Wróć do podpisów', en: 'Back to the signatures' })}
        </ButtonLink>
      </div>
      {editing && <IdentityDocumentDialog renewal={renewal} onChanged={onChanged} onClose={() => setEditing(false)} />}
    </>
  )
}
