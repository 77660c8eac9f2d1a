import { useState } from 'react'
import type { DocumentCase } from '../../contract/documents.ts'
import { refusalText } from '../../contract/refusal-text.ts'
import { useText } from '../app/locale.tsx'
import { AnswerLink } from '../text/answer-link.tsx'
import { CallButton } from '../ui/call-button.tsx'
import { Notice } from '../ui/notice.tsx'
import { DataTable } from '../ui/table.tsx'
import { Code } from '../ui/verbatim.tsx'
import { DocumentActions, type DocumentDialog, type Watch } from './document-actions.tsx'
import { documentColumns, isActionable, isGenerating } from './document-status.tsx'
import { afterRefusal } from './document-text.ts'

type Props = {
  documents: readonly DocumentCase[]
  isCompact: boolean
  /** Whether the cases that wait for the customer come before newer ones. */
  startsWithWaiting: boolean
  watch: Watch
  onOpen: (dialog: DocumentDialog, document: DocumentCase) => void
}

/** Shows why an upload was refused, in the provider’s own words if there are any, and what to do (DOC-6). */
export function RefusalNotice({ refusal: { reason, note } }: { refusal: NonNullable<DocumentCase['refusal']> }) {
  const t = useText()
  return (
    <Notice
      kind="error"
      title={`${t({ pl: 'Nie przyjęliśmy przesłanego pliku.', en: 'We didn’t accept the file you uploaded.' })} ${t(note ?? refusalText[reason].why)}`}
    >
      <p>
        {t(afterRefusal[reason])} <AnswerLink to="file-refused" />
      </p>
      <CallButton />
    </Notice>
  )
}

/** Shows documents as a table; in a narrow window each row is a card, and the roles of the table stay. */
export function DocumentTable({ documents, isCompact, startsWithWaiting, watch, onOpen }: Props) {
  const ordered = useSteadyOrder(documents, startsWithWaiting)
  // One row has the primary button.
  const foremost = ordered.find(isActionable)
  return (
    <DataTable
      className="documents"
      isCompact={isCompact}
      caption={{ pl: 'Otrzymane dokumenty', en: 'Documents received' }}
      columns={[
        {
          title: { pl: 'Dokument', en: 'Document' },
          cell: (document) => <DocumentName document={document} onOpen={() => onOpen('details', document)} />,
        },
        ...documentColumns,
      ]}
      rows={ordered}
      keyOf={({ id }) => id}
      rowOf={({ id }) => ({ id: `document-${id}`, tabIndex: -1 })}
      actions={(document) => (
        <DocumentActions
          document={document}
          watch={isGenerating(document) ? watch : undefined}
          isForemost={document === foremost}
          onOpen={onOpen}
        />
      )}
      actionsClass="table-actions"
      noteOf={({ refusal }) => refusal && <RefusalNotice refusal={refusal} />}
    />
  )
}

/** Shows the name of a document, which opens its details, and its numbers. */
function DocumentName({ document, onOpen }: { document: DocumentCase; onOpen: () => void }) {
  const t = useText()
  return (
    <>
      <button type="button" className="link documents__name" aria-haspopup="dialog" onClick={onOpen}>
        {t(document.process)}
        <span className="unseen">
          {' '}
          <Code>{document.document}</Code> {t({ pl: '(szczegóły)', en: '(details)' })}
        </span>
      </button>
      <span className="subtext">
        <span className="nowrap">
          <Code>{document.document}</Code>,
        </span>{' '}
        <span className="nowrap">
          {t({ pl: 'sprawa ', en: 'case ' })}
          <Code>{document.application}</Code>
        </span>
      </span>
    </>
  )
}

/**
 * Orders the documents of a page: those that wait for the customer come first, before those still being prepared. The order is decided once
 * for each page, because a later change of state, by the customer or not, must not move the rows.
 */
function useSteadyOrder(documents: readonly DocumentCase[], startsWithWaiting: boolean) {
  const isFirst = (document: DocumentCase) => startsWithWaiting && isActionable(document)
  const wanted = [...documents.filter(isFirst), ...documents.filter((each) => !isFirst(each))]
  const [decided, setDecided] = useState(wanted.map(({ id }) => id))
  const isSamePage = decided.length === wanted.length && wanted.every(({ id }) => decided.includes(id))
  if (isSamePage) return decided.flatMap((id) => documents.filter((each) => each.id === id))
  setDecided(wanted.map(({ id }) => id))
  return wanted
}
