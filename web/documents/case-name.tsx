import type { DocumentCase } from '../../contract/documents.ts'
import { useText } from '../locale.tsx'

export function CaseName({ document }: { document: Pick<DocumentCase, 'process' | 'document'> }) {
  const t = useText()
  return (
    <>
      {t(document.process)}, <span className="mono">{document.document}</span>
    </>
  )
}
