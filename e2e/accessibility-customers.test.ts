import { testScreensOnce } from './accessible-screens.ts'

await testScreensOnce('customers')
