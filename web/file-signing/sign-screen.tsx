import { useEffect, useRef } from 'react'
import { limits } from '../../contract/limits.ts'
import { useHydrated } from '../hydrated.ts'
import { useText } from '../locale.tsx'
import { PageHead } from '../page-head.tsx'
import { OpenWithPassword } from '../pdf-preview/open-with-password.tsx'
import { useSigningReturn, type SigningReturn } from '../signing/signing-return.ts'
import { formatBytes } from '../text/bytes-text.ts'
import { DropZone, useHarmlessDrops } from '../ui/drop-zone.tsx'
import { Notice } from '../ui/notice.tsx'
import { AskBeforeLeaving } from './ask-before-leaving.tsx'
import { askBeforeUnload } from './ask-before-unload.ts'
import { useChosenFiles, type ReadyFile } from './chosen-files.ts'
import { FileList } from './file-list.tsx'
import './file-signing.css'
import { OrderForm } from './order-form.tsx'
import { DepartingTab, ReturnedTab, useDeparture } from './service-tab.tsx'
import { dropSigned, isUnsaved, useSigned } from './signed-files-store.ts'
import { SignedFiles } from './signed-files.tsx'
import { SigningDialog } from './signing-dialog.tsx'
import { useFileSigning } from './use-file-signing.ts'

const heading = {
  title: { pl: 'Podpisz pliki', en: 'Sign files' },
  lede: {
    pl: 'Podpisz dowolne pliki PDF swoim podpisem albo pieczęcią firmy.',
    en: 'Sign any PDF files with your signature or your organisation’s seal.',
  },
}

/** SGN-20 to SGN-28: files are signed that stay in this tab. */
export function SignScreen() {
  // The server does not know of a return.
  const hydrated = useHydrated()
  const returned = useSigningReturn()
  const departing = useDeparture()
  return (
    <>
      <PageHead {...heading} />
      <Content returned={hydrated ? returned : undefined} departing={hydrated ? departing : undefined} />
    </>
  )
}

type ContentProps = { returned: SigningReturn | undefined; departing: string | undefined }

function Content({ returned, departing }: ContentProps) {
  if (returned) return <ReturnedTab returned={returned} />
  if (departing) return <DepartingTab id={departing} />
  return <SigningOfFiles />
}

const { files: most, bytes: largest } = limits.fileSigning

function SigningOfFiles() {
  const t = useText()
  const hydrated = useHydrated()
  const input = useRef<HTMLInputElement>(null)
  const chosen = useChosenFiles()
  const signing = useFileSigning(chosen.refuse)
  const kept = useSigned()
  const { step } = signing
  const ready = chosen.files.filter((each): each is ReadyFile => each.state === 'ready')
  const isReading = chosen.files.some(({ state }) => state === 'reading' || state === 'locked')
  const locked = chosen.files.find(({ state }) => state === 'locked')
  useHarmlessDrops()
  const isChosen = !kept && ready.length > 0
  useEffect(() => (isChosen ? askBeforeUnload() : undefined), [isChosen])
  const leaving = (kept ? isUnsaved(kept) : isChosen) && (
    <AskBeforeLeaving
      onLeave={() => {
        signing.leave()
        chosen.clear()
        dropSigned()
      }}
    />
  )

  /** The focus goes on where another file can be chosen. */
  function remove(id: number) {
    chosen.remove(id)
    input.current?.focus()
  }

  function startAgain() {
    if (kept?.signed.length) chosen.clear()
    signing.choose()
  }

  if (kept)
    return (
      <>
        {leaving}
        <SignedFiles kept={kept} onAgain={startAgain} />
      </>
    )
  return (
    <div className="stack">
      <Notice>
        <p>
          <strong>
            {t({ pl: 'Pliki nie opuszczają Twojego urządzenia.', en: 'The files don’t leave your device.' })}
          </strong>{' '}
          {t({
            pl: 'Do portalu trafiają tylko ich skróty, które nie zdradzają treści, i\u00a0certyfikaty podpisów.',
            en: 'The portal only gets their digests, which reveal nothing of the content, and the certificates of signatures.',
          })}
        </p>
      </Notice>
      <section className="card stack stack--s">
        <DropZone
          multiple
          input={input}
          problem={chosen.problem && t(chosen.problem)}
          hint={t({
            pl: `Do ${most} plików, każdy do\u00a0${formatBytes('pl', largest)}`,
            en: `Up to ${most} files, each up to ${formatBytes('en', largest)}`,
          })}
          isStill={!hydrated}
          onFiles={chosen.add}
        />
        {chosen.files.length > 0 && <FileList files={chosen.files} onRemove={remove} />}
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
      {chosen.files.length > 0 && <OrderForm files={ready} isReading={isReading} step={step} onOrder={signing.start} />}
      <SigningDialog signing={signing} />
      {leaving}
    </div>
  )
}
