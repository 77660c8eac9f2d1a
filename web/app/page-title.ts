import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import type { Text } from '../../contract/enums.ts'
import { config } from './config.ts'
import { useText } from './locale.tsx'

export const withProduct = (title: string) => `${title} – ${config.brand.product}`

let page = import.meta.env.SSR ? '' : config.brand.product
const prefixes = new Map<'session' | 'error', string>()
const show = () => {
  document.title = [...prefixes.values(), page].join('')
}

/** Puts something before the title: „Błąd: ” of a form, the countdown of the session. */
export function setTitlePrefix(kind: 'session' | 'error', prefix: string | undefined) {
  if (prefix) prefixes.set(kind, prefix)
  else prefixes.delete(kind)
  show()
}

let collected: string | undefined
const collect = (title: string) => void (collected = title)

/** Returns the title of the page that the server has just rendered, where effects do not run, and clears it. */
export function takeTitle() {
  const title = collected ?? config.brand.product
  collected = undefined
  return title
}

/** State of a navigation within the current page, such as another filter: focus and scroll stay. */
export const stayHere = { stay: true }

/** Sets the document's title, „Ekran – Sygnet”; after a navigation focuses the heading and scrolls to the top (RTE-9). */
export function usePage({ title }: { title: Text }) {
  const t = useText()
  const text = t(title)
  const { key, hash, state } = useLocation()
  const journey = useNavigationType()
  const first = useRef(true)
  if (import.meta.env.SSR) collect(withProduct(text))

  useEffect(() => {
    page = withProduct(text)
    prefixes.delete('error')
    show()
  }, [text])

  useEffect(() => {
    const hasChangedInPlace = !first.current
    first.current = false
    // The first page of a visit is left to the browser, whose focus and scroll are right already.
    if (key === 'default' && !hasChangedInPlace) return
    // A page reached by Back was left before, so its own state does not count.
    if (journey !== 'POP' && (state as Partial<typeof stayHere> | null)?.stay) return
    focusHeading()
    if (journey !== 'POP' && !hash) window.scrollTo(0, 0)
  }, [text, key, hash, journey, state])
}

/** Moves the focus to the heading of the page, or of a part of it, so a screen reader starts there. */
export function focusHeading(part?: HTMLElement | null) {
  const heading = part?.isConnected ? part : document.querySelector<HTMLElement>('main h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
