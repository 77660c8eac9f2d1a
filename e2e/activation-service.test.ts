import { language } from '../server/testing/breadth.ts'
import { activationJourney } from './testing/activation-journey.ts'

await activationJourney('service', language('en'))
