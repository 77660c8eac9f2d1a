import { useEffect, useRef, useState } from 'react'
import { limits } from '../../contract/limits.ts'
import { useHydrated } from '../app/hydration.tsx'
import { useText } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { PageHead } from '../app/page-head.tsx'
import { useMedia } from '../app/use-media.ts'
import { OpenWithPassword } from '../pdf-preview/open-with-password.tsx'
import { useSigningReturn } from '../service-authorisation/signing-return.ts'
import { AnswerLink } from '../text/answer-link.tsx'
import { formatBytes } from '../text/bytes-text.ts'
import { DropZone, useHarmlessDrops } from '../ui/drop-zone.tsx'
import { Notice } from '../ui/notice.tsx'
import { AskBeforeLeaving } from './ask-before-leaving.tsx'
import { useChosenFiles, type ChosenFile, type ReadyFile } from './chosen-files.ts'
import './file-signing.css'
import { FileList } from './file-list.tsx'
import { OrderForm } from './order-form.tsx'
import type { SignaturePosition } from './prepared-files.ts'
import { DepartingTab, ReturnedTab, useDeparture } from './service-tab.tsx'
import { dropSigned, isUnsaved, useSigned, askBeforeUnload } from './signed-files-store.ts'
import { resultHeading, SignedFiles } from './signed-files.tsx'
import { SigningDialog } from './signing-dialog.tsx'
import { useFileSigning } from './use-file-signing.ts'

/** Window width from which the pages of a file have room next to the form; as in file-signing.css. */
const besideForm = '(min-width: 1024px)'

const FilePages = partOnDemand(() => import('./file-pages.tsx').then((file) => file.FilePages))

const heading = {
  title: { pl: 'Podpisz pliki', en: 'Sign files' },
  lede: {
    pl: 'Podpisz dowolne pliki PDF swoim podpisem albo pieczęcią firmy.',
    en: 'Sign any PDF files with your signature or your organisation’s seal.',
  },
}

/** Signs files, which stay in this tab (SGN-20 to SGN-28). */
export function SignScreen() {
  // The server does not know of a return.
  const isHydrated = useHydrated()
  const returned = useSigningReturn()
  const departing = useDeparture()
  const kept = useSigned()
  const isOtherTab = isHydrated && (returned || departing)
  return (
    <>
      <PageHead {...(kept && !isOtherTab ? { title: resultHeading(kept) } : heading)} />
      {isHydrated && returned ? (
        <ReturnedTab returned={returned} />
      ) : isHydrated && departing ? (
        <DepartingTab id={departing} />
      ) : (
        <SigningOfFiles />
      )}
    </>
  )
}

const { files: most, bytes: largest } = limits.fileSigning
const filesHint = {
  pl: `Do ${most} plików, każdy do\u00a0${formatBytes('pl', largest)}`,
  en: `Up to ${most} files, each up to ${formatBytes('en', largest)}`,
}

function SigningOfFiles() {
  const chosen = useChosenFiles()
  const signing = useFileSigning(chosen.refuse)
  const kept = useSigned()
  const [position, setPosition] = useState<SignaturePosition>()
  const [shownId, setShownId] = useState<number>()
  useHarmlessDrops()
  const isChosen = !kept && chosen.files.some(isReady)
  useEffect(() => (isChosen ? askBeforeUnload() : undefined), [isChosen])

  function startAgain() {
    if (kept?.signed.length) chosen.clear()
    signing.choose()
    setPosition(undefined)
  }

  return (
    <>
      {kept ? (
        <SignedFiles kept={kept} onAgain={startAgain} />
      ) : (
        <FilesToSign
          chosen={chosen}
          signing={signing}
          position={position}
          onPosition={setPosition}
          shownId={shownId}
          onShow={setShownId}
        />
      )}
      {(kept ? isUnsaved(kept) : isChosen) && (
        // In one place for both, since a move in the history may come while one follows the other.
        <AskBeforeLeaving
          onLeave={() => {
            signing.leave()
            chosen.clear()
            dropSigned()
          }}
        />
      )}
    </>
  )
}

const isReady = (file: ChosenFile): file is ReadyFile => file.state === 'ready'

type FilesProps = {
  chosen: ReturnType<typeof useChosenFiles>
  signing: ReturnType<typeof useFileSigning>
  position: SignaturePosition | undefined
  onPosition: (position: SignaturePosition | undefined) => void
  shownId: number | undefined
  onShow: (id: number) => void
}

function FilesToSign({ chosen, signing, position, onPosition, shownId, onShow }: FilesProps) {
  const t = useText()
  const isHydrated = useHydrated()
  const input = useRef<HTMLInputElement>(null)
  const isWide = useMedia(besideForm)
  const { files } = chosen
  const ready = files.filter(isReady)
  const shown = ready.find(({ id }) => id === shownId) ?? ready[0]
  const locked = files.find(({ state }) => state === 'locked')
  const hasFiles = files.length > 0

  /** Removes a file, and moves the focus to the field where another one can be chosen. */
  function remove(id: number) {
    chosen.remove(id)
    // The form goes with the last file, and begins anew with the next one.
    if (files.length === 1) onPosition(undefined)
    input.current?.focus()
  }

  return (
    <div className={hasFiles ? 'stack sign-grid' : 'stack'}>
      <div className="stack">
        <section className="card stack">
          <DropZone
            multiple
            {...(!hasFiles && { icon: 'document', isPrimary: true })}
            input={input}
            problem={chosen.problem && t(chosen.problem)}
            hint={t(filesHint)}
            isStill={!isHydrated}
            onFiles={chosen.add}
          />
          {hasFiles ? (
            <FileList
              files={files}
              position={position}
              onPosition={onPosition}
              shown={isWide ? shown : undefined}
              onShow={isWide ? onShow : undefined}
              onRemove={remove}
            />
          ) : (
            <Steps />
          )}
        </section>
        {locked?.state === 'locked' && (
          <OpenWithPassword
            key={locked.id}
            file={locked.file}
            isWrong={locked.isWrong}
            submitLabel={t({ pl: 'Otwórz plik', en: 'Open file' })}
            onOpen={(password) => chosen.unlock(locked, password)}
            onCancel={() => remove(locked.id)}
          />
        )}
      </div>
      {hasFiles && (
        <OrderForm
          files={ready}
          isReading={files.some(({ state }) => state === 'reading' || state === 'locked')}
          position={position}
          onPosition={onPosition}
          step={signing.step}
          onOrder={signing.start}
        />
      )}
      <div className="stack">
        {isWide && shown && <FilePages key={shown.id} chosen={shown} position={position} onPosition={onPosition} />}
        <Privacy />
      </div>
      <SigningDialog signing={signing} />
    </div>
  )
}

function Privacy() {
  const t = useText()
  return (
    <Notice>
      <p>
        <strong>
          {t({ pl: 'Pliki nie opuszczają Twojego urządzenia.', en: 'The files don’t leave your device.' })}
        </strong>{' '}
        {t({
          pl: 'Portal dostaje tylko ich skróty, z\u00a0których nie da się odczytać treści, i\u00a0certyfikaty podpisów.',
          en: 'We only receive a fingerprint of each file, which reveals nothing about its content, and the certificates of any signatures in it.',
        })}
      </p>
    </Notice>
  )
}

const steps = [
  { pl: 'Wybierz pliki', en: 'Choose files' },
  { pl: 'Wybierz podpis lub pieczęć', en: 'Choose a signature or seal' },
  { pl: 'Potwierdź kodem SMS i\u00a0zapisz pliki', en: 'Confirm with a text-message code and save the files' },
]

function Steps() {
  const t = useText()
  return (
    <>
      <ol className="ordered-list sign-steps">
        {steps.map((step) => (
          <li key={step.en}>{t(step)}</li>
        ))}
      </ol>
      <p>
        <AnswerLink to="sign-files" />
      </p>
    </>
  )
}
