import { statesOf, type Step } from './screen-state.ts'

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
  open: { path: '/faq#forgot-password', shows: 'details[open]' },
  'nothing-found': { steps: searchInVain },
  'signed-in': { customer: 'oliver', shows: '.app h1' },
})
