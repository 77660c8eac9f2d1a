import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { listDocuments, readDocument, summariseDocuments, type DocumentCase } from '../../contract/documents.ts'
import type { Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { CallFailed } from '../api.ts'
import { useText } from '../locale.tsx'
import { partOnDemand } from '../on-demand.tsx'
import { forget, readAgain, useRead } from '../reads.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { ListPages } from '../ui/list-pages.tsx'
import { Region } from '../ui/region.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.tsx'
import { isGenerating } from '../ui/document-status.tsx'
import { DocumentFilter } from './document-filter.tsx'
import { DocumentTable, type DocumentDialog } from './document-table.tsx'
import { whichText } from './document-text.ts'
import { useWish } from './document-wish.ts'
import { useGeneratingWatch } from './generating-watch.ts'

const DownloadDialog = partOnDemand(() => import('./download-dialog.tsx').then((file) => file.DownloadDialog))
const UploadDialog = partOnDemand(() => import('./upload-dialog.tsx').then((file) => file.UploadDialog))
const SignHereDialog = partOnDemand(() => import('./sign-here-dialog.tsx').then((file) => file.SignHereDialog))
const DetailsDialog = partOnDemand(() => import('./details-dialog.tsx').then((file) => file.DetailsDialog))

/** DOC-1: the cases page by page, and the dialogs that act on one. */
export function DocumentList() {
  const t = useText()
  const { wish, cursors, ask, turn } = useWish()
  const heading = useRef<HTMLHeadingElement>(null)
  const [open, setOpen] = useState<{ dialog: DocumentDialog; document: DocumentCase }>()
  const cursor = cursors.at(-1)
  const query = { ...wish, ...(cursor && { cursor }) }
  const list = useRead(listDocuments, { query })
  const { data, error } = list
  const filtered = wish.status !== undefined

  const [tools, setTools] = useState(filtered)
  // Once drawn they stay, so that nobody loses the field they are choosing in.
  if (!tools && (data?.next || (data?.items.length ?? 0) > limits.list.toolsBeyond)) setTools(true)
  const [paged, setPaged] = useState(false)
  // No pages while one holds all; while another is being read, they stay under the finger.
  const pages = data ? !!(cursors.length || data.next || wish.size) : paged
  if (pages !== paged) setPaged(pages)

  const beginAnew = useEffectEvent(() => turn([]))
  useEffect(() => {
    // A cursor that was cut short, or is someone else's; the first page is always right.
    if (cursor && error instanceof CallFailed && error.status === 400) beginAnew()
  }, [cursor, error])

  const watch = useGeneratingWatch(!!data?.items.some(isGenerating), {
    look: () => readAgain(listDocuments, { query }),
    lookAsked: list.refetch,
  })
  const refresh = () => forget(listDocuments, summariseDocuments, readDocument)
  const [moved, setMoved] = useState<string>()

  function turnTo(page: readonly string[]) {
    turn(page)
    heading.current!.focus()
  }

  /** What was a button of its row is gone now, and the focus goes on with the row itself (ux 8.5). */
  async function handedOver(document: DocumentCase, title: Text) {
    setOpen(undefined)
    toast({
      title: t(title),
      description: t({
        pl: `${whichText(document).pl}. Wynik weryfikacji wyślemy e-mailem.`,
        en: `${whichText(document).en}. We will send the result of the verification by e-mail.`,
      }),
    })
    await refresh()
    setMoved(document.id)
  }

  useEffect(() => {
    if (!moved) return
    ;(window.document.getElementById(`document-${moved}`) ?? heading.current)?.focus()
    setMoved(undefined)
  }, [moved])

  // A case is looked for by its row (VCH-4); the page that is arrived at takes the focus to its heading first.
  const { hash } = useLocation()
  const isRead = !!data
  useEffect(() => {
    if (!isRead || !hash.startsWith('#document-')) return
    const frame = requestAnimationFrame(() => window.document.getElementById(hash.slice(1))?.focus())
    return () => cancelAnimationFrame(frame)
  }, [isRead, hash])

  const dialog = open && {
    // As it is by now, for what the dialog does changes it.
    document: data?.items.find(({ id }) => id === open.document.id) ?? open.document,
    onClose: () => setOpen(undefined),
  }
  return (
    <>
      {tools && <DocumentFilter status={wish.status} onAsk={(status) => ask({ status })} />}
      <section className="card" aria-labelledby="documents">
        <h2 id="documents" className="vh" tabIndex={-1} ref={heading}>
          {cursors.length
            ? t({ pl: `Sprawy, strona ${cursors.length + 1}`, en: `Cases, page ${cursors.length + 1}` })
            : t({ pl: 'Sprawy z\u00a0dokumentami', en: 'Cases with documents' })}
        </h2>
        <Region
          query={list}
          skeleton={<Skeleton lines={6} />}
          label={t({ pl: 'Wczytujemy dokumenty', en: 'Loading documents' })}
        >
          {({ items }) =>
            items.length ? (
              <DocumentTable
                documents={items}
                startsWithFirst={!cursors.length && !filtered}
                watch={{ ...watch, failed: !!error }}
                onOpen={(which, document) => setOpen({ dialog: which, document })}
              />
            ) : (
              <NoDocuments filtered={filtered || cursors.length > 0} onClear={() => ask({ status: '' })} />
            )
          }
        </Region>
      </section>
      {pages && (
        <ListPages
          page={cursors.length + 1}
          next={data?.next ?? null}
          size={wish.size ?? '20'}
          onBack={() => turnTo(cursors.slice(0, -1))}
          onNext={(next) => turnTo([...cursors, next])}
          onSize={(size) => ask({ size: size === '20' ? '' : size })}
        />
      )}
      {dialog && open.dialog === 'download' && <DownloadDialog {...dialog} onChanged={() => void refresh()} />}
      {dialog && open.dialog === 'upload' && (
        <UploadDialog
          {...dialog}
          onChanged={() => void refresh()}
          onUploaded={(document) => void handedOver(document, { pl: 'Dokument przesłany', en: 'Document sent' })}
        />
      )}
      {dialog && open.dialog === 'sign-here' && (
        <SignHereDialog
          {...dialog}
          onSigned={(document) => void handedOver(document, { pl: 'Dokument podpisany', en: 'Document signed' })}
        />
      )}
      {dialog && open.dialog === 'details' && <DetailsDialog {...dialog} />}
    </>
  )
}

function NoDocuments({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const t = useText()
  return filtered ? (
    <Empty
      reason={t({ pl: 'Żaden dokument nie ma tego statusu.', en: 'No document has this status.' })}
      action={<Button onClick={onClear}>{t({ pl: 'Wyczyść filtry', en: 'Clear filters' })}</Button>}
    />
  ) : (
    <Empty
      reason={t({
        pl: 'Nie mamy teraz dla Ciebie żadnego dokumentu do podpisania. Gdy się pojawi, napiszemy e-mail.',
        en: 'We have no document for you to sign now. When there is one, we will write you an e-mail.',
      })}
    />
  )
}
