import { testAccessibility } from './accessible-screens.ts'

await testAccessibility('pl', 'customers')
