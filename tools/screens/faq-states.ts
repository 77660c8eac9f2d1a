import { statesOf, type Step } from './screen-state.ts'

/** The same in both languages. */
const search: Step = ({ page }) => page.getByRole('searchbox').fill('voucher')

/** Typed again until the page is hydrated. */
const searchInVain: Step = async ({ page }) => {
  const field = page.getByRole('searchbox')
  while (!(await page.locator('.faq .btn').isVisible())) {
    await field.fill('')
    await field.fill('zzzz')
  }
}

export const states = statesOf('faq')({
  closed: {},
  found: { steps: search, shows: '.faq [role=status]:not(:empty)' },
  // A tab of its own: where the page is open already, only its hash would change, and its search would go on.
  open: { path: '/faq#forgot-password', ownTab: true, shows: 'details[open]' },
  'nothing-found': { steps: searchInVain },
  topic: { path: '/faq#passkeys' },
  'signed-in': { customer: 'oliver', shows: '.app h1' },
})
