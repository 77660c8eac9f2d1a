import { test } from 'vitest'
import { openScreens, statesFor } from './testing/accessible-screens.ts'

const { check } = await openScreens()

// Both languages share roles and colours, and Polish words are the longer ones: every tenth state is enough in English.
const english = statesFor('customers', ['en']).filter((_, index) => index % 10 === 0)

test.each([...statesFor('customers', ['pl']), ...english])('R64 UIX-15 $name has no finding, nothing wide', check)
