import { test } from 'vitest'
import { openScreens, pagesInTurn } from './testing/accessible-screens.ts'

const { check } = await openScreens()

test.each(pagesInTurn())(
  'WCAG-2.2-AA 1.4.10 R64 UIX-15 $name has nothing that axe objects to, needs no scrolling sideways, and has its buttons in order',
  check,
)
