import { useLocation, useNavigate } from 'react-router'
import { limits } from '../../contract/limits.ts'
import { SignatureSort } from '../../contract/signatures.ts'
import { stayHere } from '../page-title.ts'

export type Wish = {
  search?: string
  status?: 'active' | 'inactive'
  sort?: SignatureSort
  size?: '20' | '50' | '100'
}

/** What is asked of the list, and the page it is open at, stand in the address, so a reload and the other language keep both (RTE-1). */
export function useWish() {
  const navigate = useNavigate()
  const params = new URLSearchParams(useLocation().search)
  const search = params.get('search')?.trim().slice(0, limits.text.search)
  const status = params.get('status')
  const size = params.get('size')
  const sort = SignatureSort.safeParse(params.get('sort'))
  const wish: Wish = {}
  if (sort.success) wish.sort = sort.data
  if (search) wish.search = search
  if (status === 'active' || status === 'inactive') wish.status = status
  if (size === '50' || size === '100') wish.size = size

  const go = (next: object, to: readonly string[] = []) => {
    const query = new URLSearchParams(Object.entries({ ...wish, ...next }).filter(([, value]) => value))
    for (const cursor of to) query.append('cursor', cursor)
    // A way back after a sign-in holds no plus sign (RTE-7).
    void navigate({ search: query.toString().replaceAll('+', '%20') }, { replace: true, state: stayHere })
  }

  return {
    wish,
    wants: !!(wish.search || wish.status),
    /** The cursor of each page gone through; the first page has none. */
    cursors: params.getAll('cursor'),
    /** Another wish begins at its first page. */
    ask: (next: Record<string, string>) => go(next),
    turn: (to: readonly string[]) => go({}, to),
  }
}
