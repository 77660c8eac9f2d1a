import { useLayoutEffect, useRef } from 'react'
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
  const failed = drawn && 'failed' in drawn && drawn.failed

  useLayoutEffect(() => {
    if (!drawn || 'failed' in drawn) return
    const { width, height } = drawn.picture
    Object.assign(canvas.current!, { width, height })
    canvas.current!.getContext('bitmaprenderer')!.transferFromImageBitmap(drawn.picture)
  }, [drawn])

  return (
    <figure className="pdf" aria-busy={!drawn || undefined}>
      <div className={failed ? 'pdf__page pdf__page--none' : 'pdf__page'}>
        <canvas
          ref={canvas}
          hidden={!drawn || !!failed}
          role="img"
          aria-label={t({ pl: `Podgląd pierwszej strony: ${name}`, en: `Preview of the first page: ${name}` })}
        />
        {!drawn && <BlankPage />}
        {failed && <Icon name={failed === 'locked' ? 'lock' : 'doc'} size="l" />}
      </div>
      <figcaption role="status">{t(captionOf(drawn))}</figcaption>
    </figure>
  )
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
