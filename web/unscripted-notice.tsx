import { useText } from './locale.tsx'
import { Notice } from './ui/notice.tsx'
import { SupportLine } from './ui/support-line.tsx'

/** What a page says when its script is switched off, or could not be loaded; the page itself can be read all the same. Only prerendered. */
export function UnscriptedNotice() {
  const t = useText()
  return (
    <div className="unscripted">
      <noscript>
        <Notice kind="warn">
          <p>
            {t({
              pl: 'Formularze tej strony potrzebują JavaScriptu. Włącz go w\u00a0przeglądarce albo zadzwoń: ',
              en: 'The forms of this page need JavaScript. Switch it on in your browser, or call us: ',
            })}
            <SupportLine />
          </p>
        </Notice>
      </noscript>
      <div className="unloaded" role="alert">
        <Notice kind="warn">
          <p>
            {t({
              pl: 'Nie udało się wczytać całej strony. Odśwież ją albo zadzwoń: ',
              en: 'This page could not be loaded completely. Refresh it, or call us: ',
            })}
            <SupportLine />
          </p>
        </Notice>
      </div>
    </div>
  )
}
