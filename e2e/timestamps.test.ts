import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { readDer } from '../pki/asn1/der.ts'
import { has } from '../pki/testing/peer-programs.ts'
import { TimeStampResp } from '../pki/timestamps/timestamp-structures.ts'
import { cmsSignerFile, timestampLogin } from '../provider/demonstration/demonstration-timestamps.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { phone, untilFocused, plain } from './testing/browser-pages.ts'
import { customerOf } from './testing/demonstration-run.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'

const portal = await openPortal()
// The demonstration was filled with another port.
await portal.owner.query('update timestamp_accounts set server_url = $1', [`${portal.origin}/tsa`])
const path = '/certificates/timestamps'
const card = (page: Page, name: string) => page.getByRole('article', { name })

/** Runs a dialog's commands unchanged in an empty folder, except for the password, which curl would ask for. */
async function runShown(page: Page, prepare: (folder: string) => void, password?: string) {
  const lines = await page.locator('dialog .tsa__line').allTextContents()
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-lines-'))
  try {
    for (const name of ['umowa', 'agreement']) writeFileSync(join(folder, `${name}.pdf`), 'Umowa')
    prepare(folder)
    for (const line of lines) {
      const whole = password === undefined ? line : line.replace(/-u '([^']+)'/, `-u '$1:${password}'`)
      // The portal that they call is in this process, which must not block meanwhile.
      await promisify(execFile)('bash', ['-c', whole], { cwd: folder })
    }
    const [, answer] = /-o (\S+\.tsr)/.exec(lines.join('\n'))!
    return readDer(new Uint8Array(readFileSync(join(folder, answer!))), TimeStampResp)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const locale = language('en')
const { button, heading, waitForText, translate } = inLanguage(locale)
const labels = {
  packages: translate(/Pokaż pakiety/, /Show packages/),
  usage: translate(/Pokaż zużycie/, /Show usage/),
  connect: translate(/Podłącz program/, /Connect software/),
  password: translate(/Zmień hasło/, /Change password/),
  close: translate('Zamknij', 'Close'),
}

test.runIf(exhaustive)('TSP-1 TSP-2 a card has the account, its packages, its usage as chart and table', async () => {
  const page = await portal.openAs('malgorzata', { locale, to: path })
  const account = card(page, 'znaczniki')
  const text = plain(await account.innerText())
  for (const part of translate(
    `Aktywne|Login i hasło (Basic)|${portal.origin}/tsa|Zostało|z 20 000 znaczników|odnowi się|W kolejnych pakietach: 5 000 znaczników`,
    `Active|Username and password (Basic)|${portal.origin}/tsa|of 20,000 timestamps left|refills on|Plus 5,000 timestamps in later packages`,
  ).split('|'))
    expect(text).toContain(part)
  // An account with signed requests has no password to change.
  const archive = card(page, 'zrodlo-archiwum')
  expect(await archive.getByRole('button', { name: labels.password }).count()).toBe(0)

  const opener = account.getByRole('button', { name: labels.packages })
  await opener.press('Enter')
  const sheet = page.getByRole('dialog')
  const packs = sheet.getByRole('listitem')
  await expect.poll(() => packs.count()).toBe(3)
  expect(plain(await packs.nth(2).innerText())).toMatch(
    translate(/Wygasł[^]*Zostało 0 z 1 000/, /Expired[^]*0 of 1,000 left/),
  )
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await untilFocused(opener)

  await archive.getByRole('button', { name: labels.usage }).click()
  await sheet.getByRole('img', { name: translate(/Wykres zużycia na dzień/, /Chart of usage/) }).waitFor()
  await sheet.getByText(translate('Pokaż jako tabelę', 'Show as a table')).click()
  await expect.poll(() => sheet.getByRole('row').count()).toBe(31)
  const earlier = button(sheet, 'Wcześniejsze dni', 'Earlier days')
  await earlier.click()
  await expect.poll(() => earlier.getAttribute('aria-disabled')).toBe('true')
  const spent = await sheet.getByRole('cell').allTextContents()
  expect([spent.length, spent.some((count) => count !== '0')]).toEqual([30, true])
})

test('TSP-5 UIX-10 accounts that need a package come first, and a filter shows them alone', async () => {
  const page = await portal.openAs('zofia', { locale, viewport: phone, to: path })
  const accounts = page.getByRole('article')
  await accounts.first().waitFor()
  expect(await accounts.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
    'biuro-umowy',
    'biuro-faktury',
    'biuro-kampania',
    'biuro-dawne',
  ])
  expect((await accounts.locator('.badge').allInnerTexts()).map(plain)).toEqual(
    {
      pl: ['Brak znaczników', 'Kończą się znaczniki', 'Pakiet wygasa za 12 dni', 'Nieaktywne'],
      en: ['No timestamps left', 'Running out', 'Package expires in 12 days', 'Inactive'],
    }[locale],
  )
  const buy = translate(/^Kup pakiet konta/, /^Buy a package of the account/)
  expect(await Promise.all([0, 1, 2, 3].map((n) => accounts.nth(n).getByRole('link', { name: buy }).count()))).toEqual([
    1, 1, 0, 0,
  ])
  expect(await page.getByRole('main').locator('.button--primary').count()).toBe(1)

  await page.goto(`${page.url()}?state=low`)
  await expect.poll(() => accounts.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(['biuro-faktury'])
  expect(plain((await accounts.textContent())!)).toContain(
    translate('Zostało 41 z 500 znaczników', '41 of 500 timestamps left'),
  )
  // On one line, with what a screen reader reads besides left out of sight.
  const [status, balance] = [accounts.locator('.badge'), accounts.locator('.certificate-row__state > p')]
  const middles = await Promise.all(
    [status, balance].map(async (part) => {
      const { y, height } = (await part.boundingBox())!
      return y + height / 2
    }),
  )
  expect(Math.abs(middles[0]! - middles[1]!)).toBeLessThan(4)
  await button(accounts, /^Więcej/, /^More/).press('Enter')
  await accounts.getByRole('button', { name: labels.usage }).waitFor()
})

test('TSP-3 a new password is checked, confirmed, and valid on the timestamp server at once', async () => {
  const page = await portal.openAs('zofia', { locale, to: path })
  await card(page, 'biuro-kampania').getByRole('button', { name: labels.password }).click()
  const dialog = page.getByRole('dialog').first()
  const field = dialog.locator('input[name=newPassword]')
  await field.fill('krotkie')
  await field.press('Tab')
  await waitForText(
    dialog,
    'Twoje hasło nie spełnia kryteriów bezpieczeństwa',
    'Your password doesn’t meet the security criteria',
  )
  const fresh = `Kampania-${locale}-1`
  await field.fill(fresh)
  await dialog.locator('input[name=repeatPassword]').fill(fresh)
  await dialog.locator('button[type=submit]:enabled').click()
  await heading(
    page.getByRole('dialog'),
    'Potwierdź zmianę hasła konta znaczników',
    'Confirm the password change',
  ).waitFor()
  await page.locator('dialog input[name=code]').fill(await portal.smsCode(customerOf('zofia').phone))
  await heading(page, 'Hasło zostało zmienione', 'Password changed').waitFor()
  await waitForText(page, 'Zaktualizuj hasło także w\u00a0swoich programach.', 'Update it in your software too.')
  const statusWith = async (password: string) => {
    const { status } = await fetch(`${portal.origin}/tsa`, {
      method: 'POST',
      headers: {
        'content-type': 'application/timestamp-query',
        authorization: `Basic ${Buffer.from(`biuro-kampania:${password}`).toString('base64')}`,
      },
      body: 'x',
    })
    return status
  }
  expect([await statusWith(fresh), await statusWith(timestampLogin.password)]).toEqual([200, 401])
  await page.getByRole('dialog').locator('.dialog__foot button').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

async function stampsSpent() {
  const { rows } = await portal.owner.query<{ spent: number }>(
    `select spent from timestamp_packages where provider_id = 'demo-monthly'`,
  )
  return rows[0]!.spent
}

test.runIf(exhaustive && !(!has('openssl') || !has('curl')))(
  'TSP-1 TSP-4 the commands on the page get a timestamp (skipped without openssl and curl)',
  async () => {
    const page = await portal.openAs('malgorzata', { locale, to: path })
    const show = async (login: string) => {
      await card(page, login).getByRole('button', { name: labels.connect }).click()
      await page.locator('dialog .tsa__line').first().waitFor()
    }
    const before = await stampsSpent()
    await show('znaczniki')
    const byPassword = await runShown(page, () => {}, timestampLogin.password)
    expect(byPassword.timeStampToken).toBeDefined()
    await page.getByRole('dialog').getByRole('button', { name: labels.close }).last().click()
    await show('zrodlo-archiwum')
    const bySignature = await runShown(page, (folder) => {
      for (const name of ['certificate.pem', 'key.pem'])
        copyFileSync(join(portal.directory, 'provider', cmsSignerFile), join(folder, name))
    })
    expect(bySignature.timeStampToken).toBeDefined()
    await expect.poll(stampsSpent).toBeGreaterThan(before)
  },
)
