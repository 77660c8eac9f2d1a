import { useLocation, useNavigate } from 'react-router'
import { DocumentStatus } from '../../contract/documents.ts'
import { stayHere } from '../page-title.ts'

export type Wish = { status?: DocumentStatus; size?: '50' | '100' }

/** What is asked of the list, and the page it is open at, stand in the address, so a reload and the other language keep both (RTE-1). */
export function useWish() {
  const navigate = useNavigate()
  const params = new URLSearchParams(useLocation().search)
  const status = DocumentStatus.safeParse(params.get('status'))
  const size = params.get('size')
  const wish: Wish = {}
  if (status.success) wish.status = status.data
  if (size === '50' || size === '100') wish.size = size

  const go = (next: object, to: readonly string[] = []) => {
    const query = new URLSearchParams(Object.entries({ ...wish, ...next }).filter(([, value]) => value))
    for (const cursor of to) query.append('cursor', cursor)
    void navigate({ search: query.toString() }, { replace: true, state: stayHere })
  }

  return {
    wish,
    /** The cursor of each page gone through; the first page has none. */
    cursors: params.getAll('cursor'),
    /** Another wish begins at its first page. */
    ask: (next: Record<string, string>) => go(next),
    turn: (to: readonly string[]) => go({}, to),
  }
}
