import type { DocumentCase, DocumentStatus } from '../../contract/documents.ts'
import { useText } from '../locale.tsx'
import { Badge } from '../ui/badge.tsx'
import { generatingText, statusLook } from './document-text.ts'

export const isGenerating = ({ status, content }: DocumentCase) =>
  status === 'passed-to-subscriber' && content === 'generating'

export function StatusBadge({ status }: { status: DocumentStatus }) {
  const t = useText()
  const { kind, icon, text } = statusLook[status]
  return (
    <Badge kind={kind} icon={icon}>
      {t(text)}
    </Badge>
  )
}

/** A document that is still being made can do nothing yet, whatever its status. */
export function DocumentBadge({ document }: { document: DocumentCase }) {
  const t = useText()
  if (!isGenerating(document)) return <StatusBadge status={document.status} />
  return (
    <Badge kind="mute" icon="hour">
      {t(generatingText)}
    </Badge>
  )
}
