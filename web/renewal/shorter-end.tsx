import { useState } from 'react'
import { acceptShortening, type Renewal } from '../../contract/renewal.ts'
import type { Validity } from '../../contract/renewal-rules.ts'
import { call, CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { describeFailure } from '../text/failure-text.ts'
import { formatDate } from '../text/format.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useMove } from './current-state.ts'

type Props = { renewal: Renewal; validity: Validity; onChanged: (renewal: Renewal) => void }

/** REN-4: new details of the document have made another end of what was chosen, so it is asked for once more. */
export function ShorterEnd({ renewal: { uid, state, version }, validity: { to, fullTo }, onChanged }: Props) {
  const t = useText()
  const locale = useLocale()
  const move = useMove()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<CallFailed>()
  const [end, full] = [formatDate(locale, to), formatDate(locale, fullTo)]

  async function accept() {
    setBusy(true)
    setFailure(undefined)
    try {
      const body = { expected: { state, version }, shortenedTo: to.toISOString() }
      onChanged(await move(() => call(acceptShortening, { params: { uid }, body })))
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      if (error.code !== 'cancelled') setFailure(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Notice
      kind="warn"
      className="blk"
      title={t({ pl: 'Certyfikat będzie ważny krócej', en: 'The certificate will be valid for less time' })}
    >
      <p>
        {t({
          pl: `Skończy się razem z\u00a0dokumentem tożsamości: ${end} zamiast ${full}.`,
          en: `It will end together with your identity document: on ${end} instead of ${full}.`,
        })}
      </p>
      <p className="btns">
        <Button
          variant="primary"
          busy={busy}
          busyText={t({ pl: 'Zapisujemy…', en: 'Saving…' })}
          onClick={() => void accept()}
        >
          {t({ pl: `Akceptuję ważność do ${end}`, en: `I accept validity until ${end}` })}
        </Button>
      </p>
      <p role="alert">{failure && describeFailure(locale, failure)}</p>
    </Notice>
  )
}
