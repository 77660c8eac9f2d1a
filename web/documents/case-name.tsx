import type { DocumentCase } from '../../contract/documents.ts'
import { useText } from '../app/locale.tsx'
import { Code } from '../ui/verbatim.tsx'

export function CaseName({ document }: { document: Pick<DocumentCase, 'process' | 'document'> }) {
  const t = useText()
  return (
    <>
      {t(document.process)}, <Code>{document.document}</Code>
    </>
  )
}
