import { Fragment, useState } from 'react'
import { documentActions, type DocumentCase } from '../../contract/documents.ts'
import { useLocale, useText } from '../locale.tsx'
import { formatDate } from '../text/format.ts'
import { DocumentBadge, isGenerating } from '../ui/document-status.tsx'
import { as, TableHead } from '../ui/table.tsx'
import { DocumentActions } from './document-actions.tsx'
import { RefusalNotice } from './refusal-notice.tsx'

export type DocumentDialog = 'download' | 'sign-here' | 'upload' | 'details'

/** Of the documents that are still being made: looks for them, `late` once that takes longer than usual. */
export type Watch = { late: boolean; checking: boolean; failed: boolean; check: () => void }

type Props = {
  documents: readonly DocumentCase[]
  /** Whether what is to be done may stand before what is newer. */
  startsWithFirst: boolean
  watch: Watch
  onOpen: (dialog: DocumentDialog, document: DocumentCase) => void
}

/** What waits for the customer: to be downloaded, or signed and sent. */
const isActionable = (document: DocumentCase) =>
  document.status === 'subscriber-downloaded' ||
  (document.status === 'passed-to-subscriber' && documentActions(document).includes('download'))

/** On a narrow place each row is a card, and the roles stay (ux 5.8). */
export function DocumentTable({ documents, startsWithFirst, watch, onOpen }: Props) {
  const t = useText()
  const ordered = useSteadyOrder(documents, startsWithFirst)
  // One view has one primary button (ux 3.2).
  const foremost = ordered.find(isActionable)
  const columns = {
    document: t({ pl: 'Dokument', en: 'Document' }),
    received: t({ pl: 'Otrzymano', en: 'Received' }),
    changed: t({ pl: 'Ostatnia zmiana', en: 'Last change' }),
    status: t({ pl: 'Status', en: 'Status' }),
  }
  return (
    <div className="tplace">
      <table className="table tcards docs" {...as.table}>
        <caption className="vh">{t({ pl: 'Otrzymane dokumenty', en: 'Documents received' })}</caption>
        <TableHead columns={Object.values(columns)} actions />
        <tbody {...as.rowgroup}>
          {ordered.map((document) => (
            <Fragment key={document.id}>
              <tr {...as.row} id={`document-${document.id}`} tabIndex={-1}>
                <th scope="row" {...as.rowheader} className="t-main">
                  <button
                    type="button"
                    className="link docs__name"
                    aria-haspopup="dialog"
                    onClick={() => onOpen('details', document)}
                  >
                    {t(document.process)}
                    <span className="vh">{t({ pl: ': szczegóły', en: ': details' })}</span>
                  </button>
                  <span className="sub">
                    <span className="nowrap">
                      {t({ pl: 'Wniosek ', en: 'Application ' })}
                      <span className="mono">{document.application}</span>,
                    </span>{' '}
                    <span className="nowrap">
                      {t({ pl: 'dokument ', en: 'document ' })}
                      <span className="mono">{document.document}</span>
                    </span>
                  </span>
                </th>
                <td {...as.cell} data-label={columns.received}>
                  <Day at={document.createdAt} />
                </td>
                <td {...as.cell} data-label={columns.changed}>
                  <Day at={document.updatedAt} />
                </td>
                <td {...as.cell} data-label={columns.status}>
                  <DocumentBadge document={document} />
                </td>
                <td {...as.cell} className="t-act">
                  <DocumentActions
                    document={document}
                    watch={isGenerating(document) ? watch : undefined}
                    foremost={document === foremost}
                    onOpen={onOpen}
                  />
                </td>
              </tr>
              {document.refusal && (
                <tr {...as.row} className="docs__refusal">
                  <td {...as.cell} colSpan={5}>
                    <RefusalNotice refusal={document.refusal} />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/**
 * The newest case that waits for the customer comes first. That is decided once for each page: what changes its state later,
 * by the customer or by itself, must not move the rows about.
 */
function useSteadyOrder(documents: readonly DocumentCase[], startsWithFirst: boolean) {
  const ids = documents.map(({ id }) => id).join(' ')
  const decide = () => ({ ids, first: startsWithFirst ? documents.find(isActionable)?.id : undefined })
  const [decided, setDecided] = useState(decide)
  if (decided.ids !== ids) setDecided(decide())
  const isFirst = ({ id }: DocumentCase) => id === decided.first
  return [...documents.filter(isFirst), ...documents.filter((each) => !isFirst(each))]
}

function Day({ at }: { at: string }) {
  const locale = useLocale()
  return (
    <time className="nowrap" dateTime={at}>
      {formatDate(locale, at, 'short')}
    </time>
  )
}
