import { exhaustive } from '../server/testing/breadth.ts'
import { testViews, viewsOf } from './testing/accessible-screens.ts'

await testViews(viewsOf('customers', exhaustive).filter(({ locale }) => locale === 'pl'))
