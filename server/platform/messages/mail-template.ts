import type { Locale, Text } from '../../../contract/enums.ts'
import { offParts } from '../../../contract/features.ts'
import type { Brand } from '../../../contract/page-config.ts'
import { inLocale, pages, type PageName } from '../../../contract/pages.ts'
import { coloursOf } from '../brand/theme.ts'
import type { Settings } from '../settings.ts'

/** The content of a mail; every string is plain text of one paragraph. */
export type MailContent = {
  /** The subject in lower case, without the brand, which is added: “Sygnet: set a new password”. The heading shows it without the brand. */
  subject: string
  greeting?: string
  paragraphs: readonly (string | MailCode)[]
  /** The button; its `url` is an absolute http(s) address of the portal (R66). */
  action?: { label: string; url: string }
  /** The advice for a recipient who did not expect the mail. */
  note?: string
}

/** A code, shown large, as a paragraph of its own. */
type MailCode = { code: string }

type RenderedMail = { subject: string; text: string; html: string }

/**
 * Puts a text on one line, without what a terminal or a mail program would take as a command: each run of such
 * characters becomes a space.
 */
export const oneLine = (text: string): string =>
  text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')

/**
 * Renders a mail in the layout of all mails: a single column without images, tables, script or tracking. The text and the HTML have the
 * same content. All strings are text: markup is escaped, and line breaks and direction marks cannot fake other lines (R74).
 */
export function renderMail(locale: Locale, brand: Brand, content: MailContent): RenderedMail {
  const subject = oneLine(`${brand.product}: ${content.subject}`)
  const heading = oneLine(content.subject.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()))
  const greeting = content.greeting === undefined ? [] : [content.greeting]
  const paragraphs = [...greeting, ...content.paragraphs].map((paragraph) =>
    typeof paragraph === 'string' ? { line: oneLine(paragraph) } : { line: oneLine(paragraph.code), isCode: true },
  )
  const action = content.action && { label: oneLine(content.action.label), url: webAddress(content.action.url) }
  const notes = content.note === undefined ? [] : [oneLine(content.note)]
  const { phone, email, hours } = brand
  const colours = coloursOf(brand)
  const help = `${texts.help[locale]}: ${phone} (${texts.days[locale]} ${hours.from}–${hours.to}), ${email}`
  const footer = [brand.company, help, texts.automatic[locale]].map(oneLine)

  const text = [
    ...paragraphs.map(({ line }) => line),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...notes,
    `-- \n${[oneLine(brand.product), ...footer].join('\n')}`,
  ].join('\n\n')

  const html = `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<style>${darkStyle}</style>
<title>${escapeHtml(subject)}</title>
</head>
<body class="page" style="margin: 0; padding: 0; background: #ffffff; color: #0e2433">
<div lang="${locale}" class="page" style="max-width: 560px; margin: 0 auto; padding: 32px 24px; background: #ffffff; color: #0e2433; font: 16px/1.5 -apple-system, 'Segoe UI', Roboto, Arial, sans-serif">
<p class="text" style="margin: 0 0 28px; padding: 0 0 16px; border-bottom: 2px solid ${colours.lak}; color: ${colours['brand-800']}; font: 600 22px/1.3 Georgia, 'Times New Roman', serif">${escapeHtml(oneLine(brand.product))}</p>
<h1 class="text" style="margin: 0 0 20px; color: #0e2433; font: 600 24px/1.3 Georgia, 'Times New Roman', serif">${escapeHtml(heading)}</h1>
${paragraphs.map(paragraphHtml).join('')}${action ? actionHtml(locale, action, colours['brand-800']) : ''}${notes.map((note) => `<p class="soft" style="margin: 0 0 16px; color: #33495a">${escapeHtml(note)}</p>\n`).join('')}<div class="soft" style="margin: 32px 0 0; padding: 16px 0 0; border-top: 1px solid #d2dde0; color: #33495a; font-size: 14px">
${footer.map((line) => `<p style="margin: 0 0 4px">${escapeHtml(line)}</p>\n`).join('')}</div>
</div>
</body>
</html>
`
  return { subject, text, html }
}

/** Clients that know the reader's dark mode take these colours; the others keep those of the elements. */
const darkStyle = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #0e1b24 !important; }
  .page, .text { color: #eef3f4 !important; }
  .soft { color: #b9c8ce !important; }
  .code { background: #1c303d !important; color: #ffffff !important; }
  .action { background: #d8e8ed !important; color: #0e2433 !important; }
}
`

/** Returns the HTML of a paragraph. A long code, such as that of a file, is smaller, so that it stays on one line of a phone. */
function paragraphHtml({ line, isCode }: { line: string; isCode?: boolean }): string {
  if (!isCode) return `<p style="margin: 0 0 16px">${escapeHtml(line)}</p>\n`
  const font = `${line.length > 8 ? 24 : 32}px/1.25 ui-monospace, Menlo, Consolas, 'Courier New', monospace`
  const look = 'padding: 12px 16px; border-radius: 10px; background: #eaf3f5; color: #0e2433'
  return `<p class="code" style="margin: 0 0 16px; ${look}; font: 600 ${font}">${escapeHtml(line)}</p>\n`
}

function actionHtml(locale: Locale, { label, url }: { label: string; url: string }, ground: string): string {
  const button = `display: inline-block; padding: 12px 24px; border-radius: 10px; background: ${ground}; color: #ffffff; font-weight: 600; text-decoration: none`
  return `<p style="margin: 24px 0"><a class="action" href="${escapeHtml(url)}" style="${button}">${escapeHtml(label)}</a></p>
<p class="soft" style="margin: 0 0 16px; color: #33495a; font-size: 14px">${escapeHtml(texts.copy[locale])}<br><span style="word-break: break-all">${escapeHtml(url)}</span></p>
`
}

const texts = {
  copy: {
    pl: 'Jeśli przycisk nie działa, skopiuj ten adres do\u00a0przeglądarki:',
    en: 'If the button doesn’t work, copy this address into your browser:',
  },
  help: { pl: 'Pomoc', en: 'Help' },
  days: { pl: 'pon.–pt.', en: 'Mon–Fri' },
  automatic: {
    pl: 'Tę wiadomość wysłał automat. Nikt nie czyta odpowiedzi na\u00a0nią.',
    en: 'This is an automatic message. We don’t read replies to it.',
  },
} satisfies Record<string, Text>

/** Escapes text for HTML, between tags and within quoted attributes alike. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

function webAddress(url: string): string {
  const { protocol, href } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('The action of a mail is not a web address.')
  return href
}

/** Returns the button of a mail that leads to a page, at `path` where the page has a parameter; none while the page is off (ERR-5). */
export const pageLink = (
  { publicUrl, featuresOff }: Pick<Settings, 'publicUrl' | 'featuresOff'>,
  locale: Locale,
  page: PageName,
  label: string,
  path: string = pages[page].path,
) => (offParts(featuresOff).includes(page) ? {} : { action: { label, url: publicUrl + inLocale(locale, path) } })

/** Language tags for dates, which mails write as the pages do, in Polish time. */
const tags = { pl: 'pl-PL', en: 'en-GB' } as const
const timeZone = 'Europe/Warsaw'

/** Formats a day: `3 grudnia 2026`. */
export const dayIn = (locale: Locale, at: Date) =>
  new Intl.DateTimeFormat(tags[locale], { timeZone, dateStyle: 'long' }).format(at)

/** Formats a day and time: `3 grudnia 2026, 14:20`. */
export const momentIn = (locale: Locale, at: Date) =>
  `${dayIn(locale, at)}, ${new Intl.DateTimeFormat(tags[locale], { timeZone, timeStyle: 'short' }).format(at)}`
