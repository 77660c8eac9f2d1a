import axe from 'axe-core'
import type { Page } from 'playwright-core'

const axeOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations' as const],
}

/** What axe finds on the page as it stands: one line for each element. */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(`window.axe || (() => {${axe.source}})()`)
  return page.evaluate(async (options) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, options)
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
  }, axeOptions)
}
