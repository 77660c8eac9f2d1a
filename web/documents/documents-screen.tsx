import '../certificates/certificate-list.css'
import { useEffect, useEffectEvent, useState, type ReactNode, type RefObject } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { listDocuments, readDocument, summariseDocuments, type DocumentCase } from '../../contract/documents.ts'
import type { Text } from '../../contract/enums.ts'
import { isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { PageHead } from '../app/page-head.tsx'
import { HelpLine } from '../app/support-line.tsx'
import { call, hasFailedWith } from '../calls/api.ts'
import { invalidate, refetch } from '../calls/reads.ts'
import { SignFilesLink } from '../file-signing/sign-files-link.tsx'
import { ListScreen } from '../lists/list-screen.tsx'
import { useAddressFilters, usePagedList } from '../lists/paged-list.tsx'
import { useSigningReturn, type SigningReturn } from '../service-authorisation/signing-return.ts'
import { explainFailure } from '../text/failure-answer.tsx'
import { toast } from '../toast/toast.tsx'
import { Notice } from '../ui/notice.tsx'
import { RetryButton } from '../ui/retry-button.tsx'
import { CaseName } from './case-name.tsx'
import type { DocumentDialog } from './document-actions.tsx'
import { signFragment, signsHere } from './document-address.ts'
import { documentSearch } from './document-filters.ts'
import { isActionable, isGenerating } from './document-status.tsx'
import { DocumentTable } from './document-table.tsx'
import './documents.css'
import { HowItWorks } from './how-it-works.tsx'

const DownloadDialog = partOnDemand(() => import('./download-dialog.tsx').then((file) => file.DownloadDialog))
const UploadDialog = partOnDemand(() => import('./upload-dialog.tsx').then((file) => file.UploadDialog))
const SignHereDialog = partOnDemand(() => import('./sign-here-dialog.tsx').then((file) => file.SignHereDialog))
const DetailsDialog = partOnDemand(() => import('./details-dialog.tsx').then((file) => file.DetailsDialog))

/** Seconds after which a document that is still being generated is checked automatically; after that only by hand. */
const refetchAt = [5, 15, 45]

/** Checks the documents that are still being generated: `refetchList` runs automatically, `refetchByHand` for the customer. */
function useGeneratingWatch(
  isWaiting: boolean,
  { refetchList, refetchByHand }: { refetchList: () => unknown; refetchByHand: () => Promise<unknown> },
) {
  const [attempts, setAttempts] = useState(0)
  const [isChecking, setIsChecking] = useState(false)
  const refetchNow = useEffectEvent(refetchList)

  useEffect(() => {
    const next = refetchAt[attempts]
    if (!isWaiting || next === undefined) return
    const seconds = next - (refetchAt[attempts - 1] ?? 0)
    const timer = setTimeout(() => {
      setAttempts(attempts + 1)
      refetchNow()
    }, seconds * 1000)
    return () => clearTimeout(timer)
  }, [isWaiting, attempts])

  return {
    /** Whether it takes longer than usual. */
    isLate: attempts >= refetchAt.length,
    isChecking,
    check: async () => {
      setIsChecking(true)
      await refetchByHand()
      setIsChecking(false)
      setAttempts(0)
    },
  }
}

/** Dialog that is open above the list. */
type OpenedDialog = {
  dialog: DocumentDialog
  document: DocumentCase
  /** What the customer has brought back from the signing service's page (SGN-13). */
  returned?: SigningReturn
}

/**
 * Shows the documents that the provider has passed to the customer to be signed, page by page, and the dialogs of their actions
 * (DOC-1…DOC-14).
 */
export function DocumentsScreen() {
  const documents = usePagedList(listDocuments, useAddressFilters(documentSearch.filtersOf))
  const { list, query, isFiltered, isLong, page } = documents
  const { data, error } = list
  const place = useSigningPlace(data?.items)
  const [open, setOpen] = useState<OpenedDialog>()
  const watch = useGeneratingWatch(!!data?.items.some(isGenerating), {
    refetchList: () => refetch(listDocuments, { query }),
    refetchByHand: list.refetch,
  })
  const focusRow = useRowFocus(!!data, documents.heading)
  const signingFailure = useOpeningToSign(!!data, setOpen)
  return (
    <>
      <PageHead title={title} lede={ledes[place ?? 'unknown']} action={<SignFilesLink />} />
      {signingFailure}
      <ListScreen
        paged={documents}
        heading={{ pl: 'Sprawy z\u00a0dokumentami', en: 'Cases with documents' }}
        isCard
        search={documentSearch}
        loading={{ pl: 'Wczytujemy dokumenty', en: 'Loading documents' }}
        skeleton={<DocumentSkeletons />}
        empty={empty}
      >
        {({ items }) => (
          <>
            {items.some(isActionable) && <HowItWorks signsHere={items.some(({ signHere }) => signHere)} />}
            <DocumentTable
              documents={items}
              isCompact={isLong}
              startsWithWaiting={page === 1 && !isFiltered}
              watch={{ ...watch, hasFailed: !!error }}
              onOpen={(dialog, document) => setOpen({ dialog, document })}
            />
          </>
        )}
      </ListScreen>
      {error && !data && <HelpLine className="section" />}
      {open && <OpenDialog open={open} documents={data?.items ?? []} setOpen={setOpen} onSubmitted={focusRow} />}
    </>
  )
}

type OpenDialogProps = {
  open: OpenedDialog
  documents: readonly DocumentCase[]
  setOpen: (open: OpenedDialog | undefined) => void
  onSubmitted: (document: DocumentCase) => void
}

function OpenDialog({ open, documents, setOpen, onSubmitted }: OpenDialogProps) {
  const t = useText()
  const refresh = () => invalidate(listDocuments, summariseDocuments, readDocument)
  async function onSent(document: DocumentCase, done: Text) {
    setOpen(undefined)
    toast({
      title: t(done),
      description: (
        <>
          <CaseName document={document} />
          {'. '}
          {t({ pl: 'Wynik weryfikacji wyślemy e-mailem.', en: 'We’ll e-mail you the result.' })}
        </>
      ),
    })
    await refresh()
    onSubmitted(document)
  }
  const dialog = {
    // The current state, because the dialog's actions change it.
    document: documents.find(({ id }) => id === open.document.id) ?? open.document,
    onClose: () => setOpen(undefined),
  }
  const onChanged = () => void refresh()
  if (open.dialog === 'details') return <DetailsDialog {...dialog} />
  if (open.dialog === 'download') return <DownloadDialog {...dialog} onChanged={onChanged} />
  if (open.dialog === 'upload')
    return (
      <UploadDialog
        {...dialog}
        onChanged={onChanged}
        onDownload={() => setOpen({ ...open, dialog: 'download' })}
        onUploaded={(document) => void onSent(document, { pl: 'Dokument przesłany', en: 'Document uploaded' })}
      />
    )
  const another = documents.find((document) => document.id !== open.document.id && signsHere(document))
  return (
    <SignHereDialog
      key={dialog.document.id}
      {...dialog}
      next={another && { document: another, open: () => setOpen({ dialog: 'sign-here', document: another }) }}
      returned={open.returned}
      onChanged={onChanged}
      onSigned={(document) => void onSent(document, { pl: 'Dokument podpisany', en: 'Document signed' })}
    />
  )
}

/** Moves the focus to the row of a case that was submitted, because its button is gone, and to the one in the address (VCH-4). */
function useRowFocus(isRead: boolean, heading: RefObject<HTMLElement | null>) {
  const [moved, setMoved] = useState<string>()
  useEffect(() => {
    if (!moved) return
    ;(window.document.getElementById(`document-${moved}`) ?? heading.current)?.focus()
    setMoved(undefined)
  }, [moved, heading])

  // The page moves the focus to its heading first.
  const { hash } = useLocation()
  useEffect(() => {
    if (!isRead || !hash.startsWith('#document-')) return
    const frame = requestAnimationFrame(() => window.document.getElementById(hash.slice(1))?.focus())
    return () => cancelAnimationFrame(frame)
  }, [isRead, hash])
  return ({ id }: DocumentCase) => setMoved(id)
}

/**
 * Opens the document that the address asks to sign, or whose signing the customer is back from (SGN-13); it may be on
 * another page of the list.
 */
function useOpeningToSign(isRead: boolean, setOpen: (open: OpenedDialog) => void) {
  const t = useText()
  const returned = useSigningReturn()
  const asked = useAskedToSign()
  const toSign = returned?.case ?? asked
  const [failure, setFailure] = useState<ReactNode>()
  const openToSign = async (id: string) => {
    setFailure(undefined)
    try {
      const { upload: _, ...document } = await call(readDocument, { params: { id } })
      if (returned || signsHere(document)) setOpen({ dialog: 'sign-here', document, ...(returned && { returned }) })
    } catch (unread) {
      if (!hasFailedWith(unread)) throw unread
      setFailure(explainFailure(t.locale, unread))
    }
  }
  const onAsked = useEffectEvent(openToSign)
  useEffect(() => {
    if (isRead && toSign) void onAsked(toSign)
  }, [isRead, toSign])
  const title = returned
    ? t({ pl: 'Dokończ podpisywanie', en: 'Finish signing' })
    : t({ pl: 'Nie udało się otworzyć dokumentu', en: 'We couldn’t open the document' })
  return (
    failure &&
    toSign && (
      <Notice kind="error" role="alert" className="section" title={title}>
        <p>{failure}</p>
        <p className="buttons">
          <RetryButton size="s" onClick={() => openToSign(toSign)} />
        </p>
      </Notice>
    )
  )
}

/**
 * Returns the case that the address asks to sign, as home does (DOC-10), and replaces that address, so that a reload only leads to the row
 * of the case.
 */
function useAskedToSign() {
  const { hash, search } = useLocation()
  const navigate = useNavigate()
  const caseIn = (fragment: string) =>
    fragment.startsWith(signFragment) ? fragment.slice(signFragment.length) : undefined
  const [asked] = useState(() => caseIn(hash))
  const inAddress = caseIn(hash)
  useEffect(() => {
    if (inAddress) void navigate({ search, hash: `#document-${inAddress}` }, { replace: true })
  }, [inAddress, navigate, search])
  return asked
}

const title = { pl: 'Twoje dokumenty', en: 'Your documents' }

/** The place where the customer signs, and why it is not the portal (DOC-10). */
const ledes = {
  here: {
    pl: 'Przeczytaj dokument i\u00a0podpisz go tutaj. Potwierdzisz to kodem SMS.',
    en: 'Read each document and sign it here. You’ll confirm with a text-message code.',
  },
  elsewhere: {
    pl: 'Podpisz dokument w\u00a0swoim programie i\u00a0prześlij go tutaj. W\u00a0portalu go nie podpiszesz, bo nie masz ważnego podpisu w\u00a0aplikacji mobilnej.',
    en: 'Sign the document in your own software and upload it here. You can’t sign it in the portal, because you have no valid signature in the mobile app.',
  },
  // The portal signs nothing, whatever the customer has.
  outside: {
    pl: 'Podpisz dokument w\u00a0swoim programie i\u00a0prześlij go tutaj.',
    en: 'Sign the document in your own software and upload it here.',
  },
  unknown: {
    pl: 'Tu czytasz i\u00a0podpisujesz dokumenty, które od nas dostajesz.',
    en: 'Read and sign the documents that we send you.',
  },
}

/** Returns where the customer signs; while no document is found, the last value, so that the search above the list does not move. */
function useSigningPlace(documents: readonly DocumentCase[] | undefined) {
  const [first] = documents ?? []
  const [place, setPlace] = useState<keyof typeof ledes>()
  // Where nothing waits, nothing is said of how to sign.
  const elsewhere = isOff('signing') ? 'outside' : 'elsewhere'
  const found = documents?.some(isActionable) ? (first?.signHere ? 'here' : elsewhere) : 'unknown'
  const now = first ? found : place
  if (now !== place) setPlace(now)
  return now
}

const empty = {
  icon: 'document',
  noMatch: { pl: 'Nie znaleziono takiego dokumentu.', en: 'No matching documents.' },
  reason: {
    pl: 'Nie mamy teraz dla Ciebie dokumentów do podpisania. Gdy się pojawią, napiszemy.',
    en: 'You have no documents to sign. We’ll e-mail you when you do.',
  },
  answer: 'sign-files',
} as const

/** Shows placeholder rows while the list is read: the name with the numbers, the date, the status and an action. */
const DocumentSkeletons = () => (
  <div className="document-skeletons" aria-hidden="true">
    {Array.from({ length: 4 }, (_, row) => (
      <div key={row} className="document-skeleton">
        <span className="skeleton document-skeleton__name" />
        <span className="skeleton document-skeleton__numbers" />
        <span className="skeleton document-skeleton__day" />
        <span className="skeleton document-skeleton__status" />
        <span className="skeleton document-skeleton__action" />
      </div>
    ))}
  </div>
)
