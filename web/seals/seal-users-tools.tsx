import { useId, useRef, type SubmitEvent } from 'react'
import type { SealUserSort, SealUserStatus } from '../../contract/seal-users.ts'
import { limits } from '../../contract/limits.ts'
import { useText } from '../locale.tsx'
import { Button } from '../ui/button.tsx'
import { valuesOf } from '../ui/form-values.ts'

export type UsersWish = { search?: string; status?: SealUserStatus; sort?: SealUserSort }

/** Search, status and order, from nine users on (defaults.md, lists). */
export function SealUsersTools({ wish, onAsk }: { wish: UsersWish; onAsk: (wish: UsersWish) => void }) {
  const t = useText()
  const id = useId()
  const form = useRef<HTMLFormElement>(null)

  function ask(event?: SubmitEvent<HTMLFormElement>) {
    event?.preventDefault()
    const { search, status, sort } = valuesOf(form.current!) as Record<string, string | undefined>
    const next: UsersWish = {}
    if (search?.trim()) next.search = search.trim()
    if (status === 'active' || status === 'pending') next.status = status
    if (sort === 'name') next.sort = sort
    onAsk(next)
  }

  return (
    <search>
      <form ref={form} className="sealusers__tools" onSubmit={ask}>
        <div className="field">
          <label htmlFor={`${id}-search`}>{t({ pl: 'Szukaj osoby', en: 'Search for a person' })}</label>
          <input
            id={`${id}-search`}
            name="search"
            className="input"
            type="search"
            autoComplete="off"
            maxLength={limits.text.search}
            defaultValue={wish.search}
          />
        </div>
        <div className="field">
          <label htmlFor={`${id}-status`}>{t({ pl: 'Dostęp', en: 'Access' })}</label>
          <select
            id={`${id}-status`}
            name="status"
            className="select"
            defaultValue={wish.status ?? ''}
            onChange={() => ask()}
          >
            <option value="">{t({ pl: 'Wszyscy', en: 'Everyone' })}</option>
            <option value="active">{t({ pl: 'Aktywni', en: 'Active' })}</option>
            <option value="pending">{t({ pl: 'Oczekujący', en: 'Awaiting' })}</option>
          </select>
        </div>
        <div className="field">
          <label htmlFor={`${id}-sort`}>{t({ pl: 'Kolejność', en: 'Order' })}</label>
          <select
            id={`${id}-sort`}
            name="sort"
            className="select"
            defaultValue={wish.sort ?? ''}
            onChange={() => ask()}
          >
            <option value="">{t({ pl: 'Według dostępu', en: 'By access' })}</option>
            <option value="name">{t({ pl: 'Według nazwiska', en: 'By surname' })}</option>
          </select>
        </div>
        <Button type="submit" icon="search">
          {t({ pl: 'Szukaj', en: 'Search' })}
        </Button>
      </form>
    </search>
  )
}
