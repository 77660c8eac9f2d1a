import fc from 'fast-check'
import { expect, test } from 'vitest'
import { locales } from '../../../contract/enums.ts'
import { maskNumber } from '../../../contract/rules/masks.ts'
import { momentOf, parseCalendar, textOf } from '../../testing/calendar-reader.ts'
import { demonstrationBrand as brand } from '../brand/brand.ts'
import { calendarFile } from './calendar-file.ts'
import { renderMail, type MailContent } from './mail-template.ts'
import { maskEmail } from './masks.ts'
import { isOneSegment } from './sms-text.ts'

test('a mail has the colours of the brand, or the default ones', () => {
  const colours = { 'brand-800': '#3E1F4A', lak: '#8A2B0E' }
  const { html } = renderMail('pl', { ...brand, colours }, mailWith('Dzień dobry'))
  expect(html).toContain('2px solid #8A2B0E; color: #3E1F4A')
  expect(html).toContain('background: #3E1F4A; color: #ffffff')
  expect(renderMail('pl', brand, mailWith('Dzień dobry')).html).toContain('background: #0D3A50; color: #ffffff')
})

/** Returns a mail with the same text in every field. */
const mailWith = (content: string): MailContent => ({
  subject: content,
  greeting: content,
  paragraphs: [content, content],
  action: { label: content, url: 'https://portal.example/setup-password/abc?x=1&y=2' },
  note: content,
})

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</p></div></body><a href="https://evil.example">Zaloguj się</a>',
  '</title><script src=//evil.example></script>',
  '<!-- -->',
  '<![CDATA[<a>]]>',
  '&lt;b&gt;&#60;i&#62;&amp;',
  '<style>*{display:none}</style>',
  '<svg/onload=alert(1)>',
  '<a href=javascript:alert(1)>x</a>',
  '${7*7}{{7*7}}<%= 7 %>',
  'Anna\r\nBcc: evil@evil.example',
  'Anna\n\nZaloguj się: https://evil.example',
  'Anna\u2028Bcc:\u2029x',
  '\u202egpj.exe\u2066',
  '\u0000\u0008\u007f\u009b',
  '\ud800 samotny',
]

const anyText = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: fc.constantFrom(...'<>"\'&/=!- \n\ra') }),
)

/** Returns every tag, comment or declaration that a parser could begin, in order: HTML begins none of them without `<`. */
const tagsOf = (html: string) => html.match(/<[^>]*>?/g)

const unescaped = (html: string) => html.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))

const shown = (content: string) => content.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')

test.each(locales)('R74 with any text, the %s mail has the template’s elements and no others', (locale) => {
  const harmless = tagsOf(renderMail(locale, brand, mailWith('Anna')).html)
  const check = (content: string) => {
    const { html } = renderMail(locale, brand, mailWith(content))
    expect(tagsOf(html)).toEqual(harmless)
    expect(html).not.toMatch(/[\p{Bidi_Control}\u2028\u2029]|[^\P{Cc}\n]/u)
    expect(unescaped(html).split(shown(content))).not.toHaveLength(1)
  }
  hostile.forEach(check)
  fc.assert(fc.property(anyText, check), { numRuns: 300 })
})

test('R74 a text makes no further line, neither of the text part nor of the subject', () => {
  const harmless = renderMail('pl', brand, mailWith('Anna')).text.split('\n').length
  fc.assert(
    fc.property(anyText, (content) => {
      const { subject, text } = renderMail('pl', brand, mailWith(content))
      expect(text.split('\n')).toHaveLength(harmless)
      expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
    }),
    { numRuns: 300 },
  )
})

test('a mail has the same content in text and in HTML, in its language', () => {
  const content = {
    subject: 'Ustaw hasło',
    greeting: 'Dzień dobry,',
    paragraphs: ['Zaprosiliśmy Cię do portalu.', 'Link działa 7 dni.'],
    action: { label: 'Ustaw hasło', url: 'https://portal.example/setup-password/abc' },
    note: 'Jeśli to nie Ty, zignoruj tę wiadomość.',
  }
  const { subject, text, html } = renderMail('pl', brand, content)
  expect(subject).toBe('Sygnet: Ustaw hasło')
  expect(html).toContain('<html lang="pl">')
  expect(html).toContain('href="https://portal.example/setup-password/abc"')
  const own = [content.greeting, ...content.paragraphs, content.action.label, content.action.url, content.note]
  for (const part of [...own, brand.company, brand.phone, brand.email, 'pon.–pt. 8:00–17:00']) {
    expect(text).toContain(part)
    expect(unescaped(html)).toContain(part)
  }
  const english = renderMail('en', brand, { ...content, subject: 'Set a password' })
  expect(english.html).toContain('<html lang="en">')
  expect(english.text).toContain('Mon–Fri 8:00–17:00')
})

test('UIX-18 a code is large and monospaced, and dark mail programs get their own colours', () => {
  const content = { subject: 'kod do zmiany', paragraphs: [{ code: '123456' }] }
  const { subject, text, html } = renderMail('pl', brand, content)
  expect(subject).toBe('Sygnet: kod do zmiany')
  // Without greeting, button and note.
  expect(text.startsWith('123456\n\n-- \nSygnet\n')).toBe(true)
  expect(html).not.toContain('<a ')
  expect(html).toMatch(/<h1[^>]*>Kod do zmiany<\/h1>/)
  expect(html).toMatch(/<p class="code"[^>]*32px[^>]*monospace[^>]*>123456<\/p>/)
  expect(html).toContain('<meta name="color-scheme" content="light dark">')
  expect(html).toMatch(/@media \(prefers-color-scheme: dark\) {[^]*\.code {/)
})

const mailTo = (url: string) => renderMail('pl', brand, { subject: 'x', paragraphs: [], action: { label: 'x', url } })

test.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example', '/relative', 'mailto:a@b.pl', 'ftp://x/'])(
  'R66 the action %s is refused',
  (url) => {
    expect(() => mailTo(url)).toThrow(/web address|Invalid URL/)
  },
)

test('R66 a quote in an action’s address stays in the attribute', () => {
  const { html } = mailTo('https://portal.example/a?b="><script>&c=\'')
  expect(tagsOf(html)).toHaveLength(tagsOf(mailTo('https://portal.example/').html)!.length)
})

test('R75 160 septets are one segment and 161 are not', () => {
  expect(isOneSegment('a'.repeat(160))).toBe(true)
  expect(isOneSegment('a'.repeat(161))).toBe(false)
})

test('R75 a character of the extension table counts twice', () => {
  for (const character of '\f^{}\\[~]|€') {
    expect(isOneSegment(character.repeat(80))).toBe(true)
    expect(isOneSegment(`${character.repeat(80)}a`)).toBe(false)
  }
})

test('R75 the basic table has 127 characters without the escape', () => {
  const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
  expect(all.filter((character) => isOneSegment(character.repeat(160)))).toHaveLength(127)
})

test.each(['ą', 'Ł', 'ę', 'ć', '`', '\t', '\u00a0', '’', '„', '–', '\u001b', '😀', 'ç', '\u200b'])(
  'R75 %j would make the message UCS-2',
  (character) => {
    expect(isOneSegment(`kod ${character} 123456`)).toBe(false)
  },
)

test('R75 a text longer than 160 characters is never one segment', () => {
  fc.assert(fc.property(fc.string({ minLength: 161, maxLength: 500, unit: 'grapheme' }), (text) => !isOneSegment(text)))
})

test('REN-9 SIG-5 a calendar file reminds at the event, or as many hours before it as given', () => {
  const texts = { uid: 'event-1', summary: 's', description: 'd', url: 'https://x.example' }
  const event = { ...texts, at: new Date(0), writtenAt: new Date(0) }
  const triggers = (alarms?: readonly number[]) => {
    const file = calendarFile([{ ...event, ...(alarms && { alarms }) }]).toString()
    return file.match(/TRIGGER:.*/g)!.map((line) => line.trim())
  }
  expect(triggers()).toEqual(['TRIGGER:PT0S'])
  expect(triggers([168, 24])).toEqual(['TRIGGER:-PT168H', 'TRIGGER:-PT24H'])
})

test('REN-9 a calendar file keeps to 75 octets a line in any language, and has its whole text when unfolded', () => {
  const event = {
    uid: 'renewal-1@portal.example',
    at: new Date('2026-12-03T13:20:01.000Z'),
    writtenAt: new Date('2026-11-21T10:00:00.500Z'),
    summary: 'Połącz nowy podpis z aplikacją, teraz; \\ albo później',
    description: 'Zażółć, gęślą; jaźń\\i\nnową linię '.repeat(6).trim(),
    url: 'https://portal.example/renewal/1',
  }
  const [read, ...others] = parseCalendar(calendarFile([event])).parts
  expect(others).toEqual([])
  const valueOf = (name: string) => read!.properties.find((property) => property.name === name)!
  expect(momentOf(valueOf('DTSTART'))).toEqual(event.at)
  expect(momentOf(valueOf('DTSTAMP'))).toEqual(new Date('2026-11-21T10:00:00.000Z'))
  expect(textOf(valueOf('SUMMARY').value)).toBe(event.summary)
  expect(textOf(valueOf('DESCRIPTION').value)).toBe(event.description)
  // Wherever a line is folded, no character of it is split.
  for (let length = 1; length <= 160; length += 1) {
    const summary = `${'a'.repeat(length)}ł🔏ć`
    const [folded] = parseCalendar(calendarFile([{ ...event, summary }])).parts
    expect(textOf(folded!.properties.find(({ name }) => name === 'SUMMARY')!.value)).toBe(summary)
  }
})

test('R86 a masked number ends with three characters at most, and two thirds of a short one are hidden', () => {
  const masked = ['44051401458', 'ABA300000', '533401372', 'Z1000', 'Z-10', 'Z1', 'Z', ''].map(maskNumber)
  expect(masked).toEqual(['••••••••458', '••••••000', '••••••372', '••••0', '•••0', '••', '•', ''])
})

test('R86 a masked address always has the same length, and shows only two first characters and the last label', () => {
  expect(maskEmail('m.wisniewska@kancelaria-zrodlo.example')).toBe('m•••@k•••.example')
  expect(maskEmail('j@x.pl')).toBe('j•••@x•••.pl')
  const part = fc.stringMatching(/^[a-z]{1,20}$/)
  fc.assert(
    fc.property(part, part, (local, domain) => {
      expect(maskEmail(`${local}@mail.${domain}.example`)).toBe(`${local[0]}•••@m•••.example`)
    }),
  )
})
