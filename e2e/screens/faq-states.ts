import { statesOf, type Step } from './screen-state.ts'

/** The same in both languages. */
const search: Step = ({ page }) => page.getByRole('searchbox').fill('voucher')

/** Typed again until the page is hydrated. */
const searchInVain: Step = async ({ page }) => {
  const field = page.getByRole('searchbox')
  while (!(await page.locator('.faq button').isVisible())) {
    await field.fill('')
    await field.fill('zzzz')
  }
}

export const states = statesOf('faq')({
  closed: {},
  found: { steps: search, shows: '.faq [role=status]:not(:empty)' },
  open: { path: '/faq#forgot-password', shows: 'details[open] details[open]' },
  'nothing-found': { steps: searchInVain },
  topic: { path: '/faq#passkeys' },
  'signed-in': { customer: 'oliver', shows: '.app h1' },
})
