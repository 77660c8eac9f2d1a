import { useEffect, useId, useState, type DragEvent, type RefObject } from 'react'
import { Icon, type IconName } from '../art/icons.tsx'
import { useLocale, useText } from '../locale.tsx'
import { formatNumber } from '../text/format.ts'
import { formatBytes } from '../text/bytes-text.ts'
import { IconButton } from '../ui/button.tsx'
import type { ChosenFile } from './chosen-file.ts'
import { FileRow } from './file-row.tsx'

type DropProps = {
  input: RefObject<HTMLInputElement | null>
  problem: string | undefined
  isStill: boolean
  onFiles: (files: FileList | null) => void
}

/** A real file input, with an optional drop zone (WCAG 2.5.7). */
export function DropZone({ input, problem, isStill, onFiles }: DropProps) {
  const t = useText()
  const id = useId()
  const [over, setOver] = useState(false)
  const drag = (isOver: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(isOver && !isStill)
  }
  return (
    <div>
      <div
        className={over ? 'drop drop--over' : 'drop'}
        onDragOver={drag(true)}
        onDragLeave={drag(false)}
        onDrop={(event) => {
          drag(false)(event)
          if (!isStill) onFiles(event.dataTransfer.files)
        }}
      >
        <p>
          <label className="link" htmlFor={id}>
            {t({ pl: 'Wybierz plik PDF', en: 'Choose a PDF file' })}
          </label>{' '}
          <span className="drop__or">{t({ pl: 'lub upuść go tutaj', en: 'or drop it here' })}</span>
        </p>
        <p className="hint" id={`${id}-hint`}>
          {t({ pl: 'PDF z\u00a0podpisem PAdES, do 10\u00a0MB', en: 'A PDF with a PAdES signature, up to 10\u00a0MB' })}
        </p>
        <input
          ref={input}
          id={id}
          className="vh"
          type="file"
          accept="application/pdf,.pdf"
          aria-describedby={`${id}-hint ${id}-error`}
          aria-invalid={problem ? true : undefined}
          disabled={isStill}
          onChange={({ currentTarget }) => {
            onFiles(currentTarget.files)
            // The same file can be chosen again after it was signed again.
            currentTarget.value = ''
          }}
        />
      </div>
      <p className="error docs__error" id={`${id}-error`} role="alert">
        {problem && (
          <>
            <Icon name="alert" />
            <span>{problem}</span>
          </>
        )}
      </p>
    </div>
  )
}

/** The file, and how much of it has been sent; both have their space from the beginning, so that nothing moves. */
export function FileCard({ file, sent, onDrop }: { file: ChosenFile; sent: number | undefined; onDrop: () => void }) {
  const t = useText()
  const locale = useLocale()
  const { size } = file.content
  const percent = sent === undefined ? 0 : Math.floor((sent / size) * 100)
  const label = t({ pl: 'Przesyłanie pliku', en: 'Uploading the file' })
  return (
    <FileRow
      name={file.name}
      action={
        <IconButton
          icon="trash"
          label={t({ pl: 'Usuń plik z\u00a0formularza', en: 'Remove the file from the form' })}
          aria-disabled={sent !== undefined}
          onClick={onDrop}
        />
      }
    >
      <p className="hint num">
        {sent === undefined
          ? formatBytes(locale, size)
          : t({
              pl: `${formatBytes(locale, sent)} z\u00a0${formatBytes(locale, size)} (${formatNumber(locale, percent)}%)`,
              en: `${formatBytes(locale, sent)} of ${formatBytes(locale, size)} (${formatNumber(locale, percent)}%)`,
            })}
      </p>
      {sent === undefined ? (
        <span className="meter meter--none" />
      ) : (
        <progress className="meter" max={size} value={sent} aria-label={label} aria-valuetext={`${percent}%`} />
      )}
      <p className="vh" role="status">
        {sent !== undefined && spokenAt(percent, label)}
      </p>
    </FileRow>
  )
}

/** Announced at the beginning, half way and at the end only (ux 5.9). */
const spokenAt = (percent: number, label: string) => `${label}: ${percent >= 100 ? 100 : percent >= 50 ? 50 : 0}%`

/** What is known of the file before it is sent; of its lock only where its code is entered. */
export function FileChecks({ file }: { file: ChosenFile }) {
  const t = useText()
  return (
    <ul className="checks" aria-label={t({ pl: 'Sprawdzenie pliku', en: 'File check' })}>
      <Check icon="okc">{t({ pl: 'To plik PDF', en: 'It’s a PDF file' })}</Check>
      <Check icon="okc">
        {t({ pl: 'Mieści się w\u00a0limicie 10\u00a0MB', en: 'It’s within the 10\u00a0MB limit' })}
      </Check>
      {file.hasSignature ? (
        <Check icon="okc">{t({ pl: 'Zawiera podpis elektroniczny', en: 'It contains an electronic signature' })}</Check>
      ) : (
        <Check icon="warn">
          {t({
            pl: 'Nie ma w\u00a0nim podpisu. Podpisz dokument i\u00a0wybierz podpisany plik.',
            en: 'There’s no signature in it. Sign the document and choose the signed file.',
          })}
        </Check>
      )}
    </ul>
  )
}

function Check({ icon, children }: { icon: IconName; children: string }) {
  return (
    <li className={icon === 'okc' ? undefined : 'is-unknown'}>
      <Icon name={icon} />
      <span>{children}</span>
    </li>
  )
}

/** A file dropped outside of the drop zone would otherwise be opened instead of the portal. */
export function useHarmlessDrops() {
  useEffect(() => {
    const ignore = (event: globalThis.DragEvent) => event.preventDefault()
    addEventListener('dragover', ignore)
    addEventListener('drop', ignore)
    return () => {
      removeEventListener('dragover', ignore)
      removeEventListener('drop', ignore)
    }
  }, [])
}
