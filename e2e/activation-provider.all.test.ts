import { activationJourney } from './testing/activation-journey.ts'

await activationJourney('provider', 'en')
