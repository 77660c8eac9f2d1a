import { useEffect, useRef, useState } from 'react'
import { Icon } from '../art/icons.tsx'
import { useText } from '../locale.tsx'
import './first-page.css'
import type { DrawnPage, PageWish } from './first-page-worker.ts'

/** A file that cannot be drawn in this time is given up: a hostile one may never end (R46). */
const drawnWithinMs = 15_000

const leastWidth = 640

type Shown = { pages: number } | { failed: 'locked' | 'unreadable' } | undefined

/** The first page of a PDF as a picture (DOC-4). `name` is what the document is called. */
export function FirstPage({ file, name }: { file: Blob; name: string }) {
  const t = useText()
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [shown, setShown] = useState<Shown>()

  useEffect(() => {
    setShown(undefined)
    const { clientWidth, clientHeight } = frame.current!
    // Twice as fine as the place, and no coarser where that is small: people zoom in.
    const scale = Math.max(2, leastWidth / clientWidth)
    const wish = { file, width: scale * clientWidth, height: scale * clientHeight }
    return drawFirstPage(wish, (drawn) => {
      if ('picture' in drawn) {
        const { width, height } = drawn.picture
        Object.assign(canvas.current!, { width, height })
        canvas.current!.getContext('bitmaprenderer')!.transferFromImageBitmap(drawn.picture)
      }
      setShown(drawn)
    })
  }, [file])

  const drawn = shown && 'pages' in shown
  const failed = shown && 'failed' in shown && shown.failed
  return (
    <figure className="pdf" aria-busy={!shown || undefined}>
      <div ref={frame} className={failed ? 'pdf__page pdf__page--none' : 'pdf__page'}>
        <canvas
          ref={canvas}
          hidden={!drawn}
          role="img"
          aria-label={t({ pl: `Podgląd pierwszej strony: ${name}`, en: `Preview of the first page: ${name}` })}
        />
        {!shown && <BlankPage />}
        {failed && <Icon name={failed === 'locked' ? 'lock' : 'doc'} size="l" />}
      </div>
      <figcaption role="status">
        {!shown && t({ pl: 'Przygotowujemy podgląd…', en: 'Preparing the preview…' })}
        {drawn && t(captionOf(shown.pages))}
        {failed === 'locked' &&
          t({
            pl: 'Plik jest zaszyfrowany, dlatego nie pokażemy jego podglądu.',
            en: 'The file is encrypted, so its preview cannot be shown.',
          })}
        {failed === 'unreadable' &&
          t({
            pl: 'Nie możemy pokazać podglądu. Pobierz plik.',
            en: 'We cannot show the preview. Download the file.',
          })}
      </figcaption>
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

const captionOf = (pages: number) =>
  pages === 1
    ? { pl: 'Strona 1 z\u00a01.', en: 'Page 1 of 1.' }
    : {
        pl: `Strona 1 z\u00a0${pages}. Całość zobaczysz po pobraniu pliku.`,
        en: `Page 1 of ${pages}. You see the whole once you have downloaded the file.`,
      }

/** Draws away from the page, and answers once unless it is stopped before. */
function drawFirstPage(wish: PageWish, answer: (drawn: DrawnPage) => void) {
  const worker = new Worker(new URL('first-page-worker.ts', import.meta.url), { type: 'module' })
  const { port1, port2 } = new MessageChannel()
  const stop = () => {
    clearTimeout(timer)
    worker.terminate()
    port1.close()
  }
  const finish = (drawn: DrawnPage) => {
    stop()
    answer(drawn)
  }
  const timer = setTimeout(() => finish({ failed: 'unreadable' }), drawnWithinMs)
  port1.addEventListener('message', ({ data }: MessageEvent<DrawnPage>) => finish(data))
  worker.addEventListener('error', () => finish({ failed: 'unreadable' }))
  port1.start()
  worker.postMessage(wish, [port2])
  return stop
}
