import { useText } from '../locale.tsx'
import { Code } from '../ui/verbatim.tsx'
import './document-mark.css'

/** R33: the first digits of the document's hash, which the text message repeats. */
export function DocumentMark({ sha256 }: { sha256: string }) {
  const t = useText()
  return (
    <div className="docmark">
      <p>
        {t({ pl: 'Oznaczenie dokumentu: ', en: 'Document reference: ' })}
        <b>
          <Code>{sha256.slice(0, 8)}</Code>
        </b>
      </p>
      <p className="hint">
        {t({
          pl: 'Powtarza je SMS z\u00a0kodem. Jeśli widzisz w\u00a0nim inne, nie wpisuj kodu i\u00a0zadzwoń do nas.',
          en: 'The text message with the code repeats it. If it shows another one, don’t enter the code, and call us.',
        })}
      </p>
    </div>
  )
}
