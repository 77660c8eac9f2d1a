import fc from 'fast-check'
import { expect, test } from 'vitest'
import { locales } from '../../../contract/enums.ts'
import { demonstrationBrand as brand } from '../brand/brand.ts'
import { renderMail, type MailContent } from './mail-template.ts'

test('a mail has the colours of the brand, or the default ones', () => {
  const colours = { 'brand-800': '#3E1F4A', lak: '#8A2B0E' }
  const { html } = renderMail('pl', { ...brand, colours }, mailWith('Dzień dobry'))
  expect(html).toContain('2px solid #8A2B0E; color: #3E1F4A')
  expect(html).toContain('background: #3E1F4A; color: #ffffff')
  expect(renderMail('pl', brand, mailWith('Dzień dobry')).html).toContain('background: #0D3A50; color: #ffffff')
})

/** A mail with the same text in every field. */
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

/** Every tag, comment or declaration that a parser could begin, in order: HTML begins none of them without `<`. */
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
