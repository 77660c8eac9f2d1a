import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Text } from '../contract/enums.ts'
import { languages } from '../server/testing/breadth.ts'
import { freePort } from '../server/testing/free-port.ts'
import { findings } from './testing/axe-findings.ts'
import { deskPagesOf } from './testing/desk-pages.ts'
import { openPortal } from './testing/open-portal.ts'

const port = String(await freePort())
const origin = `http://127.0.0.1:${port}`
await openPortal({ DESK_PORT: port })
const { openDeskAs } = deskPagesOf(origin)

describe.each(languages('pl'))('%s', (locale) => {
  const say = (text: Text) => text[locale]

  test('DSK-5 DSK-13 DSK-14 DSK-15 DSK-16 an auditor filters the trail, saves it, verifies a day, and sees who has looked at whom', async () => {
    const page = await openDeskAs(locale, 'Adam Bąk')
    const press = (text: Text) => page.getByRole('button', { name: say(text), exact: true }).click()

    await page.getByRole('link', { name: say({ pl: 'Dziennik', en: 'Audit trail' }), exact: true }).click()
    await page.getByRole('row').nth(5).waitFor()
    // The option of the list that somebody picks after they have typed a part of it.
    await page
      .getByLabel(say({ pl: 'Działanie', en: 'Action' }), { exact: true })
      .fill(`${say({ pl: 'Zalogowano do konsoli', en: 'Signed in to the desk' })} · desk-signed-in`)
    await press({ pl: 'Pokaż', en: 'Show' })
    await page.waitForURL(/action=desk-signed-in/)
    await page.getByRole('cell', { name: say({ pl: 'Zalogowano do konsoli', en: 'Signed in to the desk' }) }).waitFor()
    await page.locator('summary').first().click()
    await page.getByText('staff-2').first().waitFor()
    expect(await findings(page)).toEqual([])

    const saving = page.waitForEvent('download')
    await press({ pl: 'Pobierz CSV', en: 'Download CSV' })
    const file = readFileSync(await (await saving).path(), 'utf8')
    expect(file).toContain('"desk-signed-in"')
    expect(file).toContain('"Adam Bąk"')

    await page.getByRole('link', { name: say({ pl: 'Kto czyje dane odczytał', en: 'Who read whose data' }) }).click()
    await page.getByLabel(say({ pl: 'Kto: nazwisko', en: 'Who: name' })).fill('adam bąk')
    await press({ pl: 'Pokaż', en: 'Show' })
    await page.getByRole('link', { name: 'Adam Bąk' }).waitFor()
    await page.getByRole('cell', { name: say({ pl: 'Odczytano dziennik', en: 'Audit trail read' }) }).waitFor()
    expect(await findings(page)).toEqual([])

    await page.getByRole('link', { name: say({ pl: 'Sprawdzenie łańcucha', en: 'Verification' }) }).click()
    const day = await page.evaluate(() => new Date().toISOString().slice(0, 10))
    await press({ pl: 'Sprawdź', en: 'Verify' })
    const required = page.getByText(say({ pl: 'Pole musi być wypełnione', en: 'The field must be completed' }))
    await expect.poll(() => required.count()).toBe(2)
    await page.getByLabel(say({ pl: 'Od dnia', en: 'From' })).fill('2020-01-01')
    await page.getByLabel(say({ pl: 'Do dnia', en: 'To' })).fill(day)
    await press({ pl: 'Sprawdź', en: 'Verify' })
    await page.getByText(say({ pl: 'Wybierz najwyżej 31 dni', en: 'Choose at most 31 days' })).waitFor()
    for (const label of [say({ pl: 'Od dnia', en: 'From' }), say({ pl: 'Do dnia', en: 'To' })])
      await page.getByLabel(label).fill(day)
    await press({ pl: 'Sprawdź', en: 'Verify' })
    await page.getByText(say({ pl: 'Nie znaleziono naruszeń', en: 'No damage found' })).waitFor()
    await page.getByText(say({ pl: 'Bez zmian', en: 'Intact' })).waitFor()
    await page
      .getByText(say({ pl: 'Porównano z\u00a0podpisanym nagłówkiem', en: 'Compared with the signed head' }))
      .waitFor()
    expect(await findings(page)).toEqual([])
  })
})
