import type { Locale } from '../../contract/enums.ts'
import { inLocale, splitLocale } from '../../contract/pages.ts'

const texts: Record<Locale, Record<'title' | 'text' | 'open' | 'retry', string>> = {
  pl: {
    title: 'Brak połączenia z\u00a0portalem',
    text: 'Bez połączenia możesz otworzyć tę stronę tylko po angielsku.',
    open: 'Otwórz po angielsku',
    retry: 'Spróbuj ponownie',
  },
  en: {
    title: 'Can’t reach the portal',
    text: 'Without a connection, you can open this page in Polish only.',
    open: 'Open in Polish',
    retry: 'Try again',
  },
}
const style = `body{max-width:40rem;margin:15vh auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;color:#0e2433;background:#f2f6f6}
a{display:inline-block;margin-right:1.5rem;padding:.65rem 0;color:#114b63}`

/**
 * In place of a page whose frame is kept in the other language only (OFF-1). `path` is of a page of the portal, as the browser has
 * encoded it: it has no quotation mark or angle bracket.
 */
export function otherLanguageOnly(path: string): Response {
  const { locale, path: bare } = splitLocale(path)
  const other = inLocale(locale === 'en' ? 'pl' : 'en', bare)
  const { title, text, open, retry } = texts[locale]
  return new Response(
    `<!doctype html><html lang="${locale}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${style}</style><h1>${title}</h1><p>${text}</p><p><a href="${other}">${open}</a><a href="${path}">${retry}</a></p>`,
    {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
        'referrer-policy': 'no-referrer',
      },
    },
  )
}
