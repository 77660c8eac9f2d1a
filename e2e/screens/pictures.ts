import { join } from 'node:path'
import { signInHere } from '../testing/demonstration-run.ts'
import { withBrowser, withDemonstration } from '../testing/portal-process.ts'

// `node e2e/screens/pictures.ts` draws the pictures of the README and the guides again, after `npm run build`.
const root = join(import.meta.dirname, '../..')
type Picture = { file: string; scale: number; customer?: string }

await draw([
  { file: 'start.png', scale: 1, customer: 'malgorzata' },
  { file: 'login.png', scale: 0.5 },
])
process.env.BRAND_FILE = join(root, 'docs/examples/wawel-brand.json')
await draw([{ file: 'login-wawel.png', scale: 0.5 }])

async function draw(pictures: Picture[]) {
  await withDemonstration((run) =>
    withBrowser(async (browser) => {
      for (const { file, scale, customer } of pictures) {
        const page = await browser.newPage({
          baseURL: run.origin,
          locale: 'pl',
          viewport: { width: 1440, height: 900 },
          deviceScaleFactor: scale,
          timezoneId: 'Europe/Warsaw',
          reducedMotion: 'reduce',
        })
        await page.goto('/')
        if (customer) await signInHere(page, run, customer)
        await page.reload()
        await page
          .locator(customer ? 'main article' : 'form button[type=submit]:enabled')
          .first()
          .waitFor()
        await page.evaluate(() => document.fonts.ready)
        await page.screenshot({ path: join(root, 'docs/pictures', file) })
        await page.close()
      }
    }),
  )
}
