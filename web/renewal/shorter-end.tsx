import { acceptShortening, type Renewal } from '../../contract/renewal.ts'
import type { Validity } from '../../contract/rules/renewal-rules.ts'
import { call } from '../api.ts'
import { useText } from '../locale.tsx'
import { formatDate } from '../text/format.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { updateDocumentText } from './identity-document-form.ts'
import { useMoveAction } from './renewal-move.ts'

type Props = { renewal: Renewal; validity: Validity; onChanged: (renewal: Renewal) => void; onEditDocument: () => void }

/** REN-4: new details of the document have made another end of what was chosen, so the customer confirms it again. */
export function ShorterEnd({ renewal, validity: { to, fullTo }, onChanged, onEditDocument }: Props) {
  const { uid, state, version } = renewal
  const t = useText()
  const [end, full] = [formatDate(t.locale, to), formatDate(t.locale, fullTo)]

  const body = { expected: { state, version }, shortenedTo: to.toISOString() }
  const { run, busy, failureText } = useMoveAction(() => call(acceptShortening, { params: { uid }, body }), onChanged)

  return (
    <Notice
      kind="warn"
      className="blk"
      title={t({ pl: 'Certyfikat będzie ważny krócej', en: 'The certificate will expire early' })}
    >
      <p>
        {t({
          pl: `Wygaśnie razem z\u00a0dokumentem tożsamości: ${end} zamiast ${full}.`,
          en: `It will expire with your identity document: on ${end} instead of ${full}.`,
        })}
      </p>
      <p className="btns">
        <Button variant="primary" busy={busy} busyText={t({ pl: 'Zapisujemy…', en: 'Saving…' })} onClick={run}>
          {t({ pl: `Akceptuję ważność do ${end}`, en: `Accept validity until ${end}` })}
        </Button>
        <Button disabled={busy} aria-haspopup="dialog" onClick={onEditDocument}>
          {t(updateDocumentText)}
        </Button>
      </p>
      <p role="alert">{failureText}</p>
    </Notice>
  )
}
