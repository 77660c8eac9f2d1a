import { testAccessibility } from './accessible-screens.ts'

await testAccessibility('en', 'visitors')
