import { listSoftware } from '../../contract/software.ts'
import { refuse } from '../testing/fake-replies.ts'
import { statesOf, type Step } from './screen-state.ts'

const breakChunk: Step = ({ page }) => page.route(/software-screen.*\.js/, (route) => route.abort())

const goOffline: Step = async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'onLine', { value: false }))
  await page.route('**/builds/latest.json', (route) => route.abort())
}

/** Opens the software page by its link in the menu. On a phone the menu is in a sheet; the link in it is the same. */
const openSoftware: Step = ({ page }) => page.locator('.nav a[href$="/software"]').first().dispatchEvent('click')

const accessDenied = statesOf('access-denied')({ plain: {}, 'signed-in': { customer: 'oliver', shows: '.denied b' } })

const refused = statesOf('access-denied-in-place', { path: '/home', customer: 'oliver' })({
  read: { before: refuse(listSoftware, 'cross-site-request'), steps: openSoftware, shows: '.denied b' },
})

const notFound = statesOf('not-found', { path: '/no-such-page' })({ open: {} })

const error = statesOf('error', { path: '/software', customer: 'oliver', shows: '.error-page h1, .controls > h1' })({
  chunk: { before: breakChunk },
  offline: { path: '/home', ownTab: true, before: [goOffline, breakChunk], steps: openSoftware },
})

/** Searches for a word that is the same in both languages. */
const search: Step = ({ page }) => page.getByRole('searchbox').fill('voucher')

/** Searches for a text that is not found, which is typed again until the page is hydrated. */
const searchWithoutResults: Step = async ({ page }) => {
  const field = page.getByRole('searchbox')
  while (!(await page.locator('.faq button').isVisible())) {
    await field.fill('')
    await field.fill('zzzz')
  }
}

const faq = statesOf('faq')({
  closed: {},
  found: { steps: search, shows: '.faq [role=status]:not(:empty)' },
  open: { path: '/faq#forgot-password', shows: 'details[open] details[open]' },
  'nothing-found': { steps: searchWithoutResults },
  topic: { path: '/faq#passkeys' },
  'signed-in': { customer: 'oliver', shows: '.app h1' },
})

/** Pages that nobody needs to sign in for, and those that say what went wrong. */
export const states = [
  ...accessDenied,
  ...refused,
  ...notFound,
  ...error,
  ...faq,
  ...statesOf('accessibility')({ statement: {} }),
  ...statesOf('privacy')({ notice: {}, 'signed-in': { customer: 'oliver', shows: '.app h1' } }),
  ...statesOf('terms')({ text: {} }),
]
