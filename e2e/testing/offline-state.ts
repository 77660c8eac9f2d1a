import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Locale } from '../../contract/enums.ts'
import { framePath } from '../../contract/page-frames.ts'

/** Waits until the service worker runs and has fetched all that it keeps: the last frame of a language comes last. */
export async function untilReady(page: Page, locale: Locale = 'pl') {
  const last = framePath(locale, 'software')
  await expect.poll(() => page.evaluate(async (path) => !!(await caches.match(path)), last)).toBe(true)
}

/** Waits until the replies to these calls are kept. */
export async function untilKept(page: Page, ...paths: string[]) {
  await expect.poll(() => keptPaths(page)).toEqual(expect.arrayContaining(paths))
}

export async function keptPaths(page: Page): Promise<string[]> {
  const record = await page.evaluate(async () => (await caches.match('/kept'))?.text())
  return record ? Object.keys((JSON.parse(record) as { replies: object }).replies) : []
}

/** Everything that the browser stores for the portal and a page can read, also what IndexedDB and the caches hold. */
export const storedBy = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const cached = await Promise.all(
      (await caches.keys()).map(async (name) => {
        const cache = await caches.open(name)
        const answers = await cache.matchAll()
        return [name, ...(await Promise.all(answers.map(async (answer) => answer.url + (await answer.text()))))]
      }),
    )
    const databases = (await indexedDB.databases()).map(({ name }) => name)
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, databases, cached])
  })
