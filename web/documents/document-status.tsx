import { documentActions, type DocumentCase, type DocumentStatus } from '../../contract/documents.ts'
import { useText } from '../app/locale.tsx'
import { formatDate } from '../text/format.ts'
import { Badge, LookBadge, type StatusLook } from '../ui/badge.tsx'
import { DayText, type Column } from '../ui/table.tsx'
import { signsHere } from './document-address.ts'

/** The text and the shape of each status, without a grammatical gender: what is listed are agreements, annexes and renewals. */
const statusLook: Record<DocumentStatus, StatusLook> = {
  'passed-to-subscriber': {
    kind: 'info',
    icon: 'send',
    text: { pl: 'Do pobrania i\u00a0podpisania', en: 'To download and sign' },
  },
  'subscriber-downloaded': {
    kind: 'warning',
    icon: 'pen',
    text: { pl: 'Pobrano, czeka na podpis', en: 'Downloaded, awaiting signature' },
  },
  'subscriber-uploaded': { kind: 'info', icon: 'hourglass', text: { pl: 'W\u00a0weryfikacji', en: 'Being checked' } },
  'issuer-uploaded': { kind: 'info', icon: 'document', text: { pl: 'Do pobrania', en: 'Ready to download' } },
  finished: { kind: 'ok', icon: 'check-circle', text: { pl: 'Zakończono', en: 'Completed' } },
  canceled: { kind: 'muted', icon: 'minus-circle', text: { pl: 'Anulowano', en: 'Cancelled' } },
}

/** The look of a case that was canceled because the provider has refused the upload (DOC-13). */
const rejectedLook: StatusLook = { kind: 'error', icon: 'alert', text: { pl: 'Odrzucono', en: 'Rejected' } }

/** The look for those who can sign it here, for whom it does not matter whether it was downloaded (DOC-10). */
const toSignLook: StatusLook = {
  kind: 'warning',
  icon: 'pen',
  text: { pl: 'Czeka na podpis', en: 'Awaiting your signature' },
}

/**
 * Look of each status in the filter, which finds documents that are signed here as well as others, and rejected documents as well as
 * canceled ones.
 */
export const statusFilterLook: Record<DocumentStatus, StatusLook> = {
  ...statusLook,
  'passed-to-subscriber': {
    ...statusLook['passed-to-subscriber'],
    text: { pl: 'Czeka na podpis, przed pobraniem', en: 'Awaiting signature, not downloaded' },
  },
  'subscriber-downloaded': {
    ...statusLook['subscriber-downloaded'],
    text: { pl: 'Czeka na podpis, po pobraniu', en: 'Awaiting signature, downloaded' },
  },
  canceled: { ...statusLook.canceled, text: { pl: 'Anulowano lub odrzucono', en: 'Cancelled or rejected' } },
}

export const isGenerating = ({ status, content }: DocumentCase) =>
  status === 'passed-to-subscriber' && content === 'generating'

/** Shows the status of a document, or that it is still being generated: then it has no actions, in any status. */
export function DocumentBadge({ document }: { document: DocumentCase }) {
  const t = useText()
  if (document.refusal) return <LookBadge look={rejectedLook} />
  if (signsHere(document)) return <LookBadge look={toSignLook} />
  if (!isGenerating(document)) return <LookBadge look={statusLook[document.status]} />
  return (
    <Badge kind="muted" icon="hourglass">
      {t({ pl: 'Przygotowujemy', en: 'Being prepared' })}
    </Badge>
  )
}

/** The dates and the status of a document in a table; the day of its last change only where it is another one. */
export const documentColumns: Column<DocumentCase>[] = [
  {
    title: { pl: 'Otrzymano', en: 'Received' },
    cell: ({ createdAt, updatedAt }, t) => (
      <div>
        <DayText at={createdAt} />
        {formatDate(t.locale, createdAt, 'short') !== formatDate(t.locale, updatedAt, 'short') && (
          <span className="subtext nowrap">
            {t({ pl: 'zmiana ', en: 'changed ' })}
            <DayText at={updatedAt} />
          </span>
        )}
      </div>
    ),
  },
  { title: { pl: 'Status', en: 'Status' }, cell: (document) => <DocumentBadge document={document} /> },
]

/** Checks whether the document waits for the customer: to be downloaded, or signed and sent. */
export const isActionable = (document: DocumentCase) =>
  document.status === 'subscriber-downloaded' ||
  (document.status === 'passed-to-subscriber' && documentActions(document).includes('download'))
