import { listOpenRenewals } from '../../contract/renewal.ts'
import { summariseSignatures } from '../../contract/signatures.ts'
import { inDays, refuse, reply, changeSession } from '../testing/fake-replies.ts'
import { everyNotice, noneActive, openRenewal } from '../testing/samples/home-notices.ts'
import { statesOf, card, click, retryButton, type Step, waitFor } from './screen-state.ts'

const unfinished = reply(listOpenRenewals, {
  items: [openRenewal({ state: 'signing', name: 'Małgorzata Wiśniewska' })],
})

const later = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString()

/** The session ends in 90 seconds. */
const endingSession = changeSession(({ now }) => ({ endsAt: later(now, 90_000) }))
/** A session that ends as soon as `endingSession`, and cannot be extended. */
const lastMinute = changeSession(({ now }) => {
  const endsAt = later(now, 90_000)
  return { endsAt, absoluteEndsAt: endsAt }
})

const newBuild: Step[] = [
  ({ page }) => page.clock.install(),
  ({ page }) => page.route('**/builds/**', (route) => route.fulfill({ json: { id: 'newer', timestamp: 1 } })),
  // An hour passes in the browser alone, and must not end the session there.
  changeSession(({ now }) => ({ endsAt: later(now, 7_200_000) })),
]

/** A newer build is not offered while a part of the page is still being read. */
const allRead: Step = ({ page }) => page.waitForFunction(() => !document.querySelector('[aria-busy=true]'))
const nextHour: Step = ({ page }) => page.clock.fastForward(3_600_000)

/** Reports that the network is lost, but only once the page is there: without a network it is not read at all. */
const loseNetwork: Step = ({ page }) =>
  page.evaluate(() => {
    Object.defineProperty(navigator, 'onLine', { value: false })
    dispatchEvent(new Event('offline'))
  })

export const states = statesOf('home', { customer: 'oliver' })({
  expiring: { customer: 'malgorzata', shows: card },
  many: { customer: 'zofia', shows: card },
  short: { customer: 'irena', shows: card },
  calm: { customer: 'wilhelmina', shows: '.all-set' },
  newcomer: { customer: 'nowy', shows: '.home__start' },
  waiting: { customer: 'tomasz', shows: '.all-set' },
  suspended: { customer: 'ewa', shows: card },
  'signing-not-completed': { path: '/home?signing=not-completed', shows: 'main .notice' },
  'nothing-active': { customer: 'nowy', before: noneActive(summariseSignatures), shows: '.attention__main' },
  'begins-later': { customer: 'nowy', before: noneActive(summariseSignatures, inDays(1)), shows: '.attention__main' },
  'every-notice': { customer: 'nowy', before: everyNotice, shows: card },
  'every-notice-open': { customer: 'nowy', before: everyNotice, steps: click('.home__rest'), shows: '.home__rest' },
  unavailable: { before: refuse(summariseSignatures, 'unavailable'), shows: retryButton },
  failed: { before: refuse(summariseSignatures, 'too-many-attempts'), shows: retryButton },
  'unfinished-renewal': { customer: 'wilhelmina', before: unfinished, shows: '.attention__main' },
  // The frame around each signed-in page.
  'account-menu': { steps: click('button.account-button') },
  more: { only: 'phone', steps: click('.tabbar button'), shows: 'dialog[open]' },
  'session-warning': { before: endingSession, shows: 'dialog[open] .session' },
  'last-warning': { before: lastMinute, shows: 'dialog[open] .session' },
  offline: { ownTab: true, steps: [waitFor(card), allRead, loseNetwork], shows: '.offline:not(:empty)' },
  'new-build': { ownTab: true, before: newBuild, steps: [waitFor(card), allRead, nextHour], shows: '.toast' },
})
