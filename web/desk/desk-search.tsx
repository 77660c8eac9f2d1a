import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent, type RefObject } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { searchDesk, type MaskedIdentity } from '../../contract/desk/desk-customers.ts'
import type { Reply } from '../../contract/endpoint.ts'
import { useText } from '../app/locale.tsx'
import { stayHere } from '../app/page-title.ts'
import { Icon } from '../art/icons.tsx'
import { call } from '../calls/api.ts'
import { useAction } from '../ui/action.ts'
import { LookBadge } from '../ui/badge.tsx'
import { Link } from '../ui/link.tsx'
import { Notice } from '../ui/notice.tsx'
import { identityStateLook } from './obstacle-text.ts'

type SearchResult = Reply<typeof searchDesk>

/**
 * Shows the search box, which `/` focuses unless `hasKey` is off (DSK-23), and its results, between which the arrow keys move (DSK-8,
 * DSK-12).
 */
export function DeskSearch({ hasKey }: { hasKey: boolean }) {
  const t = useText()
  const box = useRef<HTMLInputElement>(null)
  const [found, setFound] = useState<SearchResult>()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { run, isBusy, failureText } = useAction(async (text: string) => {
    const result = await call(searchDesk, { body: { text } })
    setFound(result)
    const [only, ...others] = result.items
    if (only && !others.length) return void navigate(`/customers/${only.account}`)
    // The focus stays in the box, from which the arrow leads into the list.
    void navigate('/', { state: stayHere })
  })
  useSlashKey(box, hasKey)

  function submit(event: FormEvent) {
    event.preventDefault()
    const text = box.current?.value.trim()
    if (text) void run(text)
  }

  return (
    <>
      <form className="desk-search" role="search" onSubmit={submit}>
        <label className="unseen" htmlFor="desk-search">
          {t({ pl: 'Szukaj klienta', en: 'Find a customer' })}
        </label>
        <Icon name="search" />
        <input
          id="desk-search"
          ref={box}
          className="input"
          autoComplete="off"
          spellCheck={false}
          maxLength={254}
          placeholder={t({
            pl: 'E-mail, login, telefon, PESEL albo numer sprawy, dokumentu lub certyfikatu',
            en: 'E-mail, username, phone, PESEL, or a case, document or certificate number',
          })}
          aria-describedby={hasKey ? 'desk-search-hint' : undefined}
          onKeyDown={enterFound}
        />
        {hasKey && (
          <>
            <span className="unseen" id="desk-search-hint">
              {t({
                pl: 'Klawisz ukośnika przenosi tu z\u00a0każdego miejsca.',
                en: 'The slash key leads here from anywhere.',
              })}
            </span>
            <kbd aria-hidden="true">/</kbd>
          </>
        )}
        <button className="button button--primary button--small" type="submit" aria-disabled={isBusy || undefined}>
          {t({ pl: 'Szukaj', en: 'Search' })}
        </button>
      </form>
      {failureText && (
        <Notice kind="error" role="alert">
          {failureText}
        </Notice>
      )}
      <div role="status">{found && pathname === '/' && <FoundCustomers found={found} />}</div>
    </>
  )
}

function useSlashKey(box: RefObject<HTMLInputElement | null>, hasKey: boolean) {
  useEffect(() => {
    if (!hasKey) return undefined
    const focus = (event: globalThis.KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input,textarea,select')
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      box.current?.select()
      box.current?.focus()
    }
    addEventListener('keydown', focus)
    return () => removeEventListener('keydown', focus)
  }, [box, hasKey])
}

function FoundCustomers({ found: { items, hasMore } }: { found: SearchResult }) {
  const t = useText()
  if (!items.length)
    return (
      <p className="desk-found__none">
        {t({
          pl: 'Nikogo nie znaleziono. Sprawdź pisownię albo poszukaj po innych danych.',
          en: 'Nobody found. Check the spelling, or try something else.',
        })}
      </p>
    )
  return (
    <ul className="desk-found">
      {items.map((item) => (
        <FoundCustomer key={item.account} item={item} />
      ))}
      {hasMore && (
        <li>
          {t({ pl: 'Jest ich więcej: podaj coś dokładniejszego.', en: 'There are more: enter something more exact.' })}
        </li>
      )}
    </ul>
  )
}

function FoundCustomer({ item: { account, name, login, email, phone, state } }: { item: MaskedIdentity }) {
  return (
    <li>
      <Link to={`/customers/${account}`} translate="no" onKeyDown={moveByArrows}>
        <b>{name}</b>
        <span>{login}</span>
        <span>{email}</span>
        <span>{phone}</span>
      </Link>
      <LookBadge look={identityStateLook[state]} />
    </li>
  )
}

const foundLinks = () => [...document.querySelectorAll<HTMLElement>('.desk-found a')]

/** Moves the focus from the box to the first result when the down arrow is pressed. */
function enterFound(event: KeyboardEvent<HTMLElement>) {
  const [first] = foundLinks()
  if (event.key !== 'ArrowDown' || !first) return
  event.preventDefault()
  first.focus()
}

/** Moves the focus between the results by arrow keys, and from the first one back into the box. */
function moveByArrows(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  const links = foundLinks()
  const next = links.indexOf(event.currentTarget) + step
  const target = next < 0 ? document.getElementById('desk-search') : links[next]
  if (!target) return
  event.preventDefault()
  target.focus()
}
