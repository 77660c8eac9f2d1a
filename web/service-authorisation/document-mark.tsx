import type { Text } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import { SupportPhone } from '../app/support-line.tsx'
import { Code } from '../ui/verbatim.tsx'
import './signing-wait.css'

const documentName: Text = { pl: 'Oznaczenie dokumentu', en: 'Document reference' }

/** Shows the first digits of the document's hash, which the text message repeats (R33). */
export function DocumentMark({ sha256, name = documentName }: { sha256: string; name?: Text }) {
  const t = useText()
  return (
    <div className="document-mark">
      <p>
        {`${t(name)}: `}
        <b>
          <Code>{sha256.slice(0, 8)}</Code>
        </b>
      </p>
      <p className="hint">
        {t({
          pl: 'To samo oznaczenie jest w\u00a0SMS\u2011ie. Jeśli się różni, nie wpisuj kodu i\u00a0zadzwoń: ',
          en: 'The text message shows the same reference. If it differs, don’t enter the code, and call ',
        })}
        <SupportPhone />.
      </p>
    </div>
  )
}
