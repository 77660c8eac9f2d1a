import { test } from 'vitest'
import { openScreens, statesFor } from './testing/accessible-screens.ts'

const { check } = await openScreens()

test.each(statesFor('customers', ['en']))(
  'WCAG-2.2-AA 1.4.10 R64 UIX-15 $name has nothing that axe objects to, needs no scrolling sideways, and has the buttons of its dialog in order',
  check,
)
