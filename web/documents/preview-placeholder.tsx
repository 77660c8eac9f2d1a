import { Icon } from '../art/icons.tsx'
import { useText } from '../app/locale.tsx'

/** Placeholder for the first page, which a locked document shows once its code is entered. */
export function PreviewPlaceholder({ isLocked }: { isLocked: boolean }) {
  const t = useText()
  return (
    <figure className="pdf">
      <div className="pdf__page pdf__page--none" aria-hidden="true">
        <Icon name="lock" size="l" />
      </div>
      <figcaption>
        {isLocked &&
          t({
            pl: 'Dokument przeczytasz po wpisaniu kodu.',
            en: 'You can read the document once you enter the code.',
          })}
      </figcaption>
    </figure>
  )
}
