import { testEveryScreen } from './accessible-screens.ts'

await testEveryScreen('visitors', 'en')
