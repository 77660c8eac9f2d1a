import { useEffect, useRef, useState, type ReactNode } from 'react'
import { requireElement } from '../app/element-refs.ts'
import { useText } from '../app/locale.tsx'
import { Icon } from '../art/icons.tsx'
import './first-page.css'
import { BlankPage } from './blank-page.tsx'
import { paintPicture, useFirstPage } from './page-drawing.ts'
import type { DrawnPage } from './page-worker.ts'

/** Shows the first page of a PDF as a picture (DOC-4). `name` is the document's name; `children` leads to its other pages. */
export function FirstPage({ file, name, children }: { file: Blob; name: string; children?: ReactNode }) {
  const { drawn } = useFirstPage(file)
  return (
    <PageFigure drawn={drawn} name={name}>
      {children}
    </PageFigure>
  )
}

type Props = { drawn: DrawnPage | undefined; name: string; children?: ReactNode }

/** Shows the result of drawing a first page; `drawn` is undefined until then. */
export function PageFigure({ drawn, name, children }: Props) {
  const t = useText()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [painted, setPainted] = useState<DrawnPage>()
  const failed = drawn && 'failed' in drawn && drawn.failed
  const isThere = !!drawn && !failed && painted === drawn

  useEffect(() => {
    if (!drawn || 'failed' in drawn) return
    let hasLeft = false
    const target = requireElement(canvas)
    void fitBitmap(drawn.picture, target.parentElement?.clientWidth ?? 0).then((picture) => {
      if (hasLeft) return
      paintPicture(target, picture)
      setPainted(drawn)
    })
    return () => void (hasLeft = true)
  }, [drawn])

  return (
    <figure className="pdf" aria-busy={!(isThere || failed) || undefined}>
      <div className={failed ? 'pdf__page pdf__page--none' : 'pdf__page'}>
        <canvas
          ref={canvas}
          hidden={!isThere}
          role="img"
          aria-label={t({ pl: `Podgląd pierwszej strony: ${name}`, en: `Preview of the first page: ${name}` })}
        />
        {!isThere && !failed && <BlankPage />}
        {failed && <Icon name={failed === 'locked' ? 'lock' : 'document'} size="l" />}
      </div>
      <figcaption>
        <span role="status">{t(captionOf(isThere || failed ? drawn : undefined))}</span>
        {isThere && <> {children}</>}
      </figcaption>
    </figure>
  )
}

/**
 * Scales the picture down in high quality, to at least twice the resolution of the target: the browser alone makes small letters
 * unreadable.
 */
function fitBitmap(picture: ImageBitmap, targetWidth: number) {
  const resizeWidth = Math.min(picture.width, Math.ceil(targetWidth * Math.max(2, devicePixelRatio)))
  return createImageBitmap(picture, { resizeWidth, resizeQuality: 'high' })
}

function captionOf(drawn: DrawnPage | undefined) {
  if (!drawn) return { pl: 'Przygotowujemy podgląd…', en: 'Preparing the preview…' }
  if ('failed' in drawn)
    return drawn.failed === 'locked'
      ? {
          pl: 'Plik jest zaszyfrowany, więc nie możemy pokazać podglądu.',
          en: 'The file is encrypted, so we can’t show a preview.',
        }
      : { pl: 'Nie możemy pokazać podglądu. Pobierz plik.', en: 'We can’t show a preview. Download the file.' }
  const { pages } = drawn
  return { pl: `Strona 1 z\u00a0${pages}.`, en: `Page 1 of ${pages}.` }
}
