import { useEffect, useId, useState, type DragEvent, type RefObject } from 'react'
import { useText } from '../app/locale.tsx'
import { Icon, type IconName } from '../art/icons.tsx'
import './drop-zone.css'

type Props = {
  /** Above the text, where there is room for it. */
  icon?: IconName
  input: RefObject<HTMLInputElement | null>
  problem: string | undefined
  /** Whether choosing is what the page is for: a filled button in place of a link. */
  isPrimary?: boolean
  /** The link that opens the chooser; by default for a PDF. */
  label?: string
  accept?: string
  /** Hint at the files that can be chosen. */
  hint: string
  isStill: boolean
  /** Whether several files can be chosen at once. */
  multiple?: boolean
  onFiles: (files: FileList | null) => void
}

/** Shows a real file input, with an optional drop zone (WCAG 2.5.7). */
export function DropZone({
  icon,
  isPrimary,
  input,
  problem,
  label,
  accept = 'application/pdf,.pdf',
  hint,
  isStill,
  multiple,
  onFiles,
}: Props) {
  const t = useText()
  const id = useId()
  const [isDraggedOver, setIsOver] = useState(false)
  const text = multiple ? severalText : oneText
  const drag = (isOver: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setIsOver(isOver && !isStill)
  }
  return (
    <div>
      <div
        className={isDraggedOver ? 'drop drop--over' : 'drop'}
        onDragOver={drag(true)}
        onDragLeave={drag(false)}
        onDrop={(event) => {
          drag(false)(event)
          if (!isStill) onFiles(event.dataTransfer.files)
        }}
      >
        {icon && (
          <span className="drop__icon">
            <Icon name={icon} size="l" />
          </span>
        )}
        <p>
          <label className={isPrimary ? 'button button--primary' : 'link'} htmlFor={id}>
            {label ?? t(text.choose)}
          </label>{' '}
          <span className="drop__or">{t(text.drop)}</span>
        </p>
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
        <input
          ref={input}
          id={id}
          className="drop__input"
          type="file"
          multiple={multiple}
          // Without it browsers show a tooltip that no file is chosen.
          title=""
          accept={accept}
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
      <p className="error drop__error" id={`${id}-error`} role="alert">
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

const oneText = {
  choose: { pl: 'Wybierz plik PDF', en: 'Choose a PDF file' },
  drop: { pl: 'lub upuść go tutaj', en: 'or drop it here' },
}
const severalText = {
  choose: { pl: 'Wybierz pliki PDF', en: 'Choose PDF files' },
  drop: { pl: 'lub upuść je tutaj', en: 'or drop them here' },
}

/** Ignores files dropped outside of the drop zone, which would otherwise be opened instead of the portal. */
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
