import { exhaustive } from '../server/testing/breadth.ts'
import { testViews, viewsOf } from './accessible-screens.ts'

await testViews(viewsOf('visitors', exhaustive))
