import { useLocation } from 'react-router'
import { findPage, parseParams, type PageName } from '../../contract/pages.ts'

/** Returns the page that is shown, by the same table that the server routes by; undefined for a path that names none. */
export const useCurrentPage = (): PageName | undefined => findPage(useLocation().pathname)

/** Returns the values of the path's `:names`. */
export function useParams(): Record<string, string | undefined> {
  const { pathname } = useLocation()
  const name = findPage(pathname)
  return name ? parseParams(name, pathname) : {}
}
