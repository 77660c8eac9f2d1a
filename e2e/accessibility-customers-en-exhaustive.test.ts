import { testEveryScreen } from './accessible-screens.ts'

await testEveryScreen('customers', 'en')
