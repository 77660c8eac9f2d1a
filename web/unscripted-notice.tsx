import { config } from './config.ts'
import { useText } from './locale.tsx'
import { Notice } from './ui/notice.tsx'
import { supportHours, SupportLine } from './support-line.tsx'

/** The notice at the start of a page whose script is switched off; the page itself can still be read. Rendered by the server only. */
export function UnscriptedNotice() {
  const t = useText()
  return (
    <div className="unscripted">
      <noscript>
        <Notice kind="warn">
          <p>
            {t({
              pl: 'Formularze tej strony potrzebują JavaScriptu. Włącz go w\u00a0przeglądarce albo zadzwoń: ',
              en: 'The forms on this page need JavaScript. Turn it on in your browser, or call us: ',
            })}
            <SupportLine />
          </p>
        </Notice>
      </noscript>
    </div>
  )
}

/** The notice at the end of a page whose script could not be loaded (ERR-4). Rendered by the server only. */
export function UnloadedNotice() {
  const t = useText()
  const { phone } = config.brand
  const hours = supportHours()
  return (
    <div className="unloaded" role="alert">
      {/* Without a link, which would move when the fonts are loaded. */}
      <Notice kind="warn">
        {t({
          pl: `Nie udało się wczytać całej strony. Odśwież ją albo zadzwoń: ${phone}, ${hours.pl}.`,
          en: `We couldn’t load the whole page. Refresh it, or call us: ${phone}, ${hours.en}.`,
        })}
      </Notice>
    </div>
  )
}
