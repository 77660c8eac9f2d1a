import { useEffect, useRef, useState } from 'react'
import { Icon } from '../art/icons.tsx'
import { useText } from '../locale.tsx'
import './first-page.css'
import type { DrawnPage } from './first-page-worker.ts'
import { useFirstPage } from './page-drawing.ts'

/** The first page of a PDF as a picture (DOC-4). `name` is what the document is called. */
export function FirstPage({ file, name }: { file: Blob; name: string }) {
  const { drawn } = useFirstPage(file)
  return <PageFigure drawn={drawn} name={name} />
}

/** What became of the drawing of a first page; undefined as long as it goes on. */
export function PageFigure({ drawn, name }: { drawn: DrawnPage | undefined; name: string }) {
  const t = useText()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [painted, setPainted] = useState<DrawnPage>()
  const failed = drawn && 'failed' in drawn && drawn.failed
  const isThere = !!drawn && !failed && painted === drawn

  useEffect(() => {
    if (!drawn || 'failed' in drawn) return
    let left = false
    void fitted(drawn.picture, canvas.current!.parentElement!.clientWidth).then((picture) => {
      if (left) return
      const { width, height } = picture
      Object.assign(canvas.current!, { width, height })
      canvas.current!.getContext('bitmaprenderer')!.transferFromImageBitmap(picture)
      setPainted(drawn)
    })
    return () => void (left = true)
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
        {failed && <Icon name={failed === 'locked' ? 'lock' : 'doc'} size="l" />}
      </div>
      <figcaption role="status">{t(captionOf(isThere || failed ? drawn : undefined))}</figcaption>
    </figure>
  )
}

/** At least twice as fine as its place, and reduced with care: the browser alone makes crumbs of small letters. */
function fitted(picture: ImageBitmap, place: number) {
  const resizeWidth = Math.min(picture.width, Math.ceil(place * Math.max(2, devicePixelRatio)))
  return createImageBitmap(picture, { resizeWidth, resizeQuality: 'high' })
}

/** Lines of a page whose words are not known yet. */
const BlankPage = () => (
  <div className="pdf__lines" aria-hidden="true">
    {Array.from({ length: 12 }, (_, line) => (
      <i key={line} />
    ))}
  </div>
)

function captionOf(drawn: DrawnPage | undefined) {
  if (!drawn) return { pl: 'Przygotowujemy podgląd…', en: 'Preparing the preview…' }
  if ('failed' in drawn)
    return drawn.failed === 'locked'
      ? {
          pl: 'Plik jest zaszyfrowany, dlatego nie pokażemy jego podglądu.',
          en: 'The file is encrypted, so its preview cannot be shown.',
        }
      : { pl: 'Nie możemy pokazać podglądu. Pobierz plik.', en: 'We cannot show the preview. Download the file.' }
  const { pages } = drawn
  return pages === 1
    ? { pl: 'Strona 1 z\u00a01.', en: 'Page 1 of 1.' }
    : {
        pl: `Strona 1 z\u00a0${pages}. Całość zobaczysz po pobraniu pliku.`,
        en: `Page 1 of ${pages}. You see the whole once you have downloaded the file.`,
      }
}
