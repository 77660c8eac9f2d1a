import { changeSession } from '../testing/fake-replies.ts'
import { statesOf, type Step } from './screen-state.ts'
import { card, click, see } from './steps.ts'

const later = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString()

/** The session ends in 90 seconds. */
const endingSession = changeSession(({ now }) => ({ endsAt: later(now, 90_000) }))
/** As `endingSession`, and it cannot be extended. */
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

/** Not before the page is there: without a network it is not read at all. */
const loseNetwork: Step = ({ page }) =>
  page.evaluate(() => {
    Object.defineProperty(navigator, 'onLine', { value: false })
    dispatchEvent(new Event('offline'))
  })

/** The frame around each signed-in page. */
export const states = statesOf('home', { customer: 'oliver' })({
  'account-menu': { steps: click('button.who') },
  more: { only: 'phone', steps: click('.tabbar button'), shows: 'dialog[open]' },
  'session-warning': { before: endingSession, shows: 'dialog[open] .sess' },
  'last-warning': { before: lastMinute, shows: 'dialog[open] .sess' },
  offline: { ownTab: true, steps: [see(card), allRead, loseNetwork], shows: '.offline:not(:empty)' },
  'new-build': { ownTab: true, before: newBuild, steps: [see(card), allRead, nextHour], shows: '.toast' },
})
