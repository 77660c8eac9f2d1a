import { listOpenRenewals } from '../../contract/renewal.ts'
import { summariseSignatures } from '../../contract/signatures.ts'
import { inDays, refuse, reply } from '../testing/fake-replies.ts'
import { everyNotice, noneActive, openRenewal } from '../testing/samples/home-notices.ts'
import { statesOf } from './screen-state.ts'
import { card, click, retryButton } from './steps.ts'

const unfinished = reply(listOpenRenewals, {
  items: [openRenewal({ state: 'signing', name: 'Małgorzata Wiśniewska' })],
})

export const states = statesOf('home', { customer: 'oliver' })({
  expiring: { customer: 'malgorzata', shows: card },
  many: { customer: 'zofia', shows: card },
  short: { customer: 'irena', shows: card },
  calm: { customer: 'wilhelmina', shows: '.calm' },
  newcomer: { customer: 'nowy', shows: '.home__start' },
  waiting: { customer: 'tomasz', shows: '.calm' },
  suspended: { customer: 'ewa', shows: card },
  'signing-not-completed': { path: '/home?signing=not-completed', shows: 'main .note' },
  'nothing-active': { customer: 'nowy', before: noneActive(summariseSignatures), shows: '.attn__main' },
  'begins-later': { customer: 'nowy', before: noneActive(summariseSignatures, inDays(1)), shows: '.attn__main' },
  'every-notice': { customer: 'nowy', before: everyNotice, shows: card },
  'every-notice-open': { customer: 'nowy', before: everyNotice, steps: click('.home__rest'), shows: '.home__rest' },
  unavailable: { before: refuse(summariseSignatures, 'unavailable'), shows: retryButton },
  failed: { before: refuse(summariseSignatures, 'too-many-attempts'), shows: retryButton },
  'unfinished-renewal': { customer: 'wilhelmina', before: unfinished, shows: '.attn__main' },
})
