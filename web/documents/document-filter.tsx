import { useId } from 'react'
import { documentStatuses, type DocumentStatus } from '../../contract/documents.ts'
import { useText } from '../locale.tsx'
import { statusLook } from '../ui/document-status.tsx'

type Props = { status: DocumentStatus | undefined; onAsk: (status: string) => void }

/** From nine rows on (defaults.md, lists). */
export function DocumentFilter({ status, onAsk }: Props) {
  const t = useText()
  const id = useId()
  return (
    <search className="docs__filter">
      <div className="field">
        <label htmlFor={id}>{t({ pl: 'Status', en: 'Status' })}</label>
        <select id={id} className="select" value={status ?? ''} onChange={({ target }) => onAsk(target.value)}>
          <option value="">{t({ pl: 'Wszystkie', en: 'All' })}</option>
          {documentStatuses.map((each) => (
            <option key={each} value={each}>
              {t(statusLook[each].text)}
            </option>
          ))}
        </select>
      </div>
    </search>
  )
}
