import { statesOf } from './screen-state.ts'
import { card } from './steps.ts'

export const states = statesOf('software', { customer: 'oliver' })({ list: { shows: card } })
