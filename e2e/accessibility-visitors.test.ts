import { exhaustive } from '../server/testing/breadth.ts'
import { testScreens } from './accessible-screens.ts'

await testScreens('visitors', exhaustive)
