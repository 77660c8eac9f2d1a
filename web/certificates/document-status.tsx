import type { Text } from '../../contract/enums.ts'
import type { DocumentCase, DocumentStatus } from '../../contract/documents.ts'
import { useText } from '../locale.tsx'
import { Badge, LookBadge, type StatusLook } from '../ui/badge.tsx'
import { Cell, Day } from '../ui/table.tsx'

/** Each status of a document as a text and a shape (ux 5.8). */
export const statusLook: Record<DocumentStatus, StatusLook> = {
  'passed-to-subscriber': {
    kind: 'info',
    icon: 'send',
    text: { pl: 'Do pobrania i\u00a0podpisania', en: 'To download and sign' },
  },
  'subscriber-downloaded': {
    kind: 'warn',
    icon: 'pen',
    text: { pl: 'Pobrany, czeka na podpis', en: 'Downloaded, awaiting signature' },
  },
  'subscriber-uploaded': { kind: 'info', icon: 'hour', text: { pl: 'W\u00a0weryfikacji', en: 'Being checked' } },
  'issuer-uploaded': { kind: 'info', icon: 'doc', text: { pl: 'Gotowy do pobrania', en: 'Ready to download' } },
  finished: { kind: 'ok', icon: 'okc', text: { pl: 'Zakończony', en: 'Completed' } },
  canceled: { kind: 'mute', icon: 'minusc', text: { pl: 'Anulowany', en: 'Cancelled' } },
}

/** DOC-13: the provider has refused the upload, which cancelled the case. */
const rejectedLook: StatusLook = { kind: 'err', icon: 'alert', text: { pl: 'Odrzucony', en: 'Rejected' } }

/** A filter by status finds both. */
export const statusFilterLook: Record<DocumentStatus, StatusLook> = {
  ...statusLook,
  canceled: { ...statusLook.canceled, text: { pl: 'Anulowany lub odrzucony', en: 'Cancelled or rejected' } },
}

export const isGenerating = ({ status, content }: DocumentCase) =>
  status === 'passed-to-subscriber' && content === 'generating'

export const StatusBadge = ({ status }: { status: DocumentStatus }) => <LookBadge look={statusLook[status]} />

/** A document that is still being generated has no actions, in any status. */
export function DocumentBadge({ document }: { document: DocumentCase }) {
  const t = useText()
  if (document.refusal) return <LookBadge look={rejectedLook} />
  if (!isGenerating(document)) return <StatusBadge status={document.status} />
  return (
    <Badge kind="mute" icon="hour">
      {t({ pl: 'Przygotowujemy', en: 'Being prepared' })}
    </Badge>
  )
}

type CellsProps = { document: DocumentCase; columns: Record<'received' | 'changed' | 'status', Text> }

/** The dates and the status of a document in a table. */
export const DocumentCells = ({ document, columns }: CellsProps) => (
  <>
    <Cell column={columns.received} className="t-more">
      <Day at={document.createdAt} />
    </Cell>
    <Cell column={columns.changed}>
      <Day at={document.updatedAt} />
    </Cell>
    <Cell column={columns.status}>
      <DocumentBadge document={document} />
    </Cell>
  </>
)
