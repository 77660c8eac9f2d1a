import { readDocument, type DocumentCase } from '../../contract/documents.ts'
import { useText } from '../app/locale.tsx'
import { useRead } from '../calls/reads.ts'
import { formatBytes } from '../text/bytes-text.ts'
import { DateTimeText } from '../text/date-text.tsx'
import { Button } from '../ui/button.tsx'
import { CodeRow, DescriptionList, Row } from '../ui/description-list.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Region } from '../ui/region.tsx'
import { DocumentBadge, isGenerating } from './document-status.tsx'
import { RefusalNotice } from './document-table.tsx'
import { nextOf } from './document-text.ts'
import { ReportView } from './report-view.tsx'

/** Shows all details of a case, the next step, and the report on the submitted file. */
export function DetailsDialog({ document, onClose }: { document: DocumentCase; onClose: () => void }) {
  const t = useText()
  const details = useRead(readDocument, { params: { id: document.id } })
  return (
    <Dialog
      title={t({ pl: 'Szczegóły dokumentu', en: 'Document details' })}
      description={t(document.process)}
      width="l"
      initialFocus="title"
      onClose={onClose}
      footer={<Button onClick={onClose}>{t({ pl: 'Zamknij', en: 'Close' })}</Button>}
    >
      <Region query={details} lines={8} label={t({ pl: 'Wczytujemy szczegóły', en: 'Loading details' })}>
        {({ upload, ...now }) => (
          <div className="stack">
            <Particulars document={now} />
            {upload && (
              <section className="stack stack--small">
                <h3>{t({ pl: 'Przesłany plik', en: 'The file you uploaded' })}</h3>
                <ReportView report={upload.report} isPast />
                <FileFacts bytes={upload.bytes} sha256={upload.sha256} />
              </section>
            )}
          </div>
        )}
      </Region>
    </Dialog>
  )
}

function Particulars({ document }: { document: DocumentCase }) {
  const t = useText()
  const { application, document: number, createdAt, updatedAt, codeSentAt } = document
  return (
    <>
      <DescriptionList className="rows--certificate">
        <Row name={t({ pl: 'Status', en: 'Status' })}>
          <DocumentBadge document={document} />
        </Row>
        <CodeRow name={t({ pl: 'Numer sprawy', en: 'Case number' })}>{application}</CodeRow>
        <CodeRow name={t({ pl: 'Numer dokumentu', en: 'Document number' })}>{number}</CodeRow>
        <Row name={t({ pl: 'Otrzymano', en: 'Received' })}>
          <DateTimeText at={createdAt} />
        </Row>
        <Row name={t({ pl: 'Ostatnia zmiana', en: 'Last change' })}>
          <DateTimeText at={updatedAt} />
        </Row>
        {codeSentAt && (
          <Row name={t({ pl: 'Wysłano kod do dokumentu', en: 'Document code sent' })}>
            <DateTimeText at={codeSentAt} />
          </Row>
        )}
      </DescriptionList>
      {document.refusal ? (
        <RefusalNotice refusal={document.refusal} />
      ) : (
        <p>
          {isGenerating(document)
            ? t({
                pl: 'Jeszcze przygotowujemy dokument. Gdy będzie gotowy, pobierzesz go z\u00a0listy.',
                en: 'We’re still preparing the document. Once it’s ready, you can download it from the list.',
              })
            : t(nextOf(document))}
        </p>
      )}
    </>
  )
}

function FileFacts({ bytes, sha256 }: { bytes: number; sha256: string }) {
  const t = useText()
  return (
    <DescriptionList className="rows--certificate rows--first">
      <Row name={t({ pl: 'Rozmiar', en: 'Size' })}>{formatBytes(t.locale, bytes)}</Row>
      <CodeRow
        name={t({ pl: 'Suma kontrolna SHA-256', en: 'SHA-256 checksum' })}
        copyLabel={t({ pl: 'Skopiuj sumę', en: 'Copy checksum' })}
      >
        {sha256}
      </CodeRow>
    </DescriptionList>
  )
}
