import { usePage } from '../app/page-title.ts'
import { NotFoundScreen, notFoundTitle } from './not-found-screen.tsx'

/** The 404 screen where a link inside the portal led nowhere. */
export function NotFound() {
  usePage({ title: notFoundTitle })
  return <NotFoundScreen />
}
