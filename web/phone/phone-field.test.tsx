import { readdirSync } from 'node:fs'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Locale, locales } from '../../contract/enums.ts'
import { PhoneEntry, phoneCountries } from '../../contract/rules/phone.ts'
import { LocaleProvider } from '../app/locale.tsx'
import { Form } from '../ui/form.tsx'
import { PhoneField } from './phone-field.tsx'

const schema = z.strictObject({ phone: PhoneEntry })

/** Renders the field as the server does, before any script. */
function markup(locale: Locale, initial = {}) {
  return renderToStaticMarkup(
    <LocaleProvider locale={locale}>
      <Form schema={schema} initial={initial} onSubmit={async () => {}}>
        <PhoneField name="phone" label="Telefon" hint="Na ten numer wyślemy kody SMS." />
      </Form>
    </LocaleProvider>,
  )
}

test('PHO-1 before any script the field is there in both languages, for 25 characters, with Poland chosen in words', () => {
  const names = { pl: 'Kraj numeru: Polska, +48', en: 'Country code: Poland, +48' }
  for (const locale of locales) {
    const html = markup(locale)
    expect(html).toContain(`aria-label="${names[locale]}"`)
    expect(html).toMatch(/<input type="tel"[^>]*inputMode="tel"[^>]*autoComplete="tel"[^>]*maxLength="25"/)
    expect(html).toMatch(/<label for="([^"]+)">Telefon<\/label>.*<input type="tel"[^>]* id="\1"/)
    // R64: the policy blocks style attributes in the markup of the server.
    expect(html).not.toContain(' style=')
    expect(html).toContain('src="/flags/PL.svg" alt=""')
  }
})

test('PHO-1 every country has a flag', () => {
  const flags = readdirSync('node_modules/country-flag-icons/3x2')
  expect(phoneCountries().filter((country) => !flags.includes(`${country}.svg`))).toEqual([])
})

test('PHO-1 only the value to be sent has the name of the field, not the text that is shown', () => {
  const html = markup('pl', { phone: '+4915112345678' })
  expect(html).toContain('<input type="text" hidden="" autoComplete="off" name="phone" value="+4915112345678"/>')
  expect(html).toContain('value="01511 2345678"')
  expect(html).toContain('aria-label="Kraj numeru: Niemcy, +49"')
  expect(html.match(/ name="/g)).toHaveLength(1)
})
