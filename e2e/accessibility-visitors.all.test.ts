import { test } from 'vitest'
import { locales } from '../contract/enums.ts'
import { openScreens, statesFor } from './testing/accessible-screens.ts'

const { check } = await openScreens()

test.each(statesFor('visitors', locales))('R64 UIX-15 $name has no finding, nothing too wide, buttons in order', check)
