import { languages } from '../server/testing/breadth.ts'
import { activationJourney } from './testing/activation-journey.ts'

await activationJourney('provider', languages('pl'))
