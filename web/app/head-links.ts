import { headLinks } from '../../contract/head-links.ts'
import { splitLocale } from '../../contract/pages.ts'

let shown = import.meta.env.SSR ? '' : splitLocale(location.pathname).path

/** After a navigation the links follow; the public origin is the one that the server has written into them. */
export function followRoute(path: string) {
  // The page before may have kept its fallback fonts.
  if (path !== shown) document.documentElement.dataset['fonts'] = ''
  shown = path
  const given = document.head.querySelectorAll<HTMLLinkElement>('link[rel=canonical], link[rel=alternate]')
  const origin = given[0] ? new URL(given[0].href).origin : location.origin
  const locale = document.documentElement.lang === 'en' ? 'en' : 'pl'
  const links = headLinks(origin, locale, path).map((attributes) =>
    Object.assign(document.createElement('link'), attributes),
  )
  for (const link of given) link.remove()
  document.head.append(...links)
}
