import { useState } from 'react'
import { resendAccessCode, type DocumentCase } from '../../contract/documents.ts'
import { limits } from '../../contract/limits.ts'
import { call } from '../api.ts'
import { useText } from '../locale.tsx'
import { useResend } from '../ui/resend.tsx'

/** The mail with the access code once more, a minute after the last one at the earliest (DOC-3). */
export function AccessCodeResend({ document, onSent }: { document: DocumentCase; onSent: () => void }) {
  const t = useText()
  const [first] = useState(() => secondsTo(document.codeResendAt))
  const { button, said } = useResend(
    async () => {
      await call(resendAccessCode, { params: { id: document.id } })
      onSent()
    },
    { pl: 'Kod jest w\u00a0drodze. To ten sam kod, co poprzednio.', en: 'The code is on its way. It is the same one.' },
    { first },
  )
  return (
    <div className="resend">
      <p className="btns">
        <span>{t({ pl: 'Kod nie dotarł?', en: 'No code yet?' })}</span>
        {button}
      </p>
      <p role="status" className="small">
        {said || t({ pl: 'Zajrzyj też do folderu spam.', en: 'Look into your spam folder too.' })}
      </p>
    </div>
  )
}

/** The clock of this device may be wrong, and what was sent a moment ago is not known here yet. */
function secondsTo(instant: string | null) {
  const most = limits.documents.codeResendAfter
  return instant === null ? most : Math.min(most, Math.max(0, (Date.parse(instant) - Date.now()) / 1000))
}
