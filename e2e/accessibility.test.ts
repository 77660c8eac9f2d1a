import { test } from 'vitest'
import { openScreens, pagesInTurn } from './testing/accessible-screens.ts'

const { check } = await openScreens()

test.each(pagesInTurn())('R64 UIX-15 $name has no finding of axe, nothing too wide, and its buttons in order', check)
