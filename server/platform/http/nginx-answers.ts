import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Text } from '../../../contract/enums.ts'
import { errorStatus, type ErrorCode } from '../../../contract/errors.ts'
import { type Brand, dialled } from '../../../contract/page-config.ts'
import { ApiError, problemOf } from '../api-error.ts'
import { coloursOf } from '../brand/theme.ts'
import { escapeHtml } from '../messages/mail-template.ts'
import { headersForAll, styleOnlyPolicy } from './security-headers.ts'

type Answer = {
  code: ErrorCode
  /** The statuses of nginx that get this answer, if they are not only the status of the code. */
  statuses?: readonly number[]
  heading: Text
  advice: Text
  /** Seconds after which the same request may succeed. */
  retryAfter?: number
}

const notUnderstood: Text = { pl: 'Nie rozumiemy tego żądania', en: 'We don’t understand this request' }
const goBack: Text = { pl: 'Wróć i\u00a0spróbuj ponownie.', en: 'Go back and try again.' }
const checkAddress: Text = { pl: 'Sprawdź adres.', en: 'Check the address.' }

/** The answers that nginx gives by itself, with the portal's codes and texts. */
const answers: readonly Answer[] = [
  {
    code: 'malformed-request',
    // nginx has statuses of its own from 494 to 497: headers too large, no certificate, plain HTTP on the port of TLS.
    statuses: [400, 403, 408, 411, 412, 416, 494, 495, 496, 497, 501, 505],
    heading: notUnderstood,
    advice: goBack,
  },
  { code: 'not-found', heading: { pl: 'Nie ma takiej strony', en: 'This page doesn’t exist' }, advice: checkAddress },
  { code: 'method-not-allowed', heading: notUnderstood, advice: goBack },
  {
    code: 'body-too-large',
    heading: { pl: 'Plik jest za duży', en: 'The file is too large' },
    advice: { pl: 'Wróć i\u00a0wybierz mniejszy.', en: 'Go back and choose a smaller one.' },
  },
  { code: 'url-too-long', heading: { pl: 'Adres jest za długi', en: 'The address is too long' }, advice: checkAddress },
  {
    code: 'misdirected-request',
    heading: { pl: 'Pod tym adresem nie ma portalu', en: 'There’s no portal at this address' },
    advice: checkAddress,
  },
  {
    code: 'too-many-attempts',
    heading: { pl: 'Za dużo połączeń naraz', en: 'Too many connections at once' },
    advice: { pl: 'Odczekaj chwilę i\u00a0spróbuj ponownie.', en: 'Wait a moment and try again.' },
    retryAfter: 10,
  },
  {
    code: 'unavailable',
    statuses: [500, 502, 503, 504],
    heading: { pl: 'Portal jest chwilowo niedostępny', en: 'The portal is temporarily unavailable' },
    advice: {
      pl: 'Nic nie przepadło. Spróbuj ponownie za\u00a0chwilę.',
      en: 'Nothing is lost. Try again in a moment.',
    },
    retryAfter: 10,
  },
]

/** Returns the style sheet, which needs no file of the portal, because that may be down: system fonts, and the drawing within the page. */
function styleOf(brand: Brand): string {
  const colours = coloursOf(brand)
  return [
    ':root{color-scheme:light}',
    'body{margin:0;min-height:100vh;display:grid;grid-template-rows:auto 1fr auto;background:#f2f6f6;color:#0e2433;font:1.0625rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}',
    `a{color:${colours['brand-700']};text-underline-offset:3px}`,
    'a:focus-visible{outline:3px solid #1457d9;outline-offset:2px}',
    'header,footer{display:flex;flex-wrap:wrap;align-items:center;gap:4px 14px;padding:16px max(20px,50% - 300px);background:#fff}',
    `header{border-top:6px solid ${colours['brand-700']};border-bottom:1px solid #d2dde0;font:600 1.5rem/1.2 Georgia,serif}`,
    'header svg{width:40px;height:40px;flex:none}',
    'footer{display:block;border-top:1px solid #d2dde0}',
    'footer a{display:inline-flex;align-items:center;min-height:44px;font-weight:700}',
    'footer p+p{margin-top:4px}',
    'main{padding:32px max(20px,50% - 300px)}',
    'h1{font-size:1.625rem;line-height:1.25;margin:0 0 8px;font-family:Georgia,serif}',
    'p{margin:0}',
    'section+section{margin-top:28px;padding-top:28px;border-top:1px solid #d2dde0}',
    `.again{display:inline-flex;align-items:center;min-height:48px;margin-top:16px;padding:0 22px;border-radius:10px;background:${colours['brand-700']};color:#fff;font-weight:700;text-decoration:none}`,
    '.code{color:#526775;font-size:.9375rem;margin-bottom:20px}',
    '@media (forced-colors:active){.again{border:1px solid}}',
  ].join('')
}

/** Returns the page in both languages, because nginx does not know the visitor's, with the provider's name, colours and help. */
function pageOf(brand: Brand, { code, heading, advice, retryAfter }: Answer): string {
  const { product, company, phone, hours, mark } = brand
  const tryAgain = (text: string) => (retryAfter ? `<p><a class="again" href="">${text}</a></p>` : '')
  const call = `<a href="tel:${escapeHtml(dialled(phone))}">${escapeHtml(phone)}</a>`
  return `<!doctype html>
<html lang="pl">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading.pl} / ${heading.en} – ${escapeHtml(product)}</title>
<style>${styleOf(brand)}</style>
<header translate="no">${mark ? mark.replace('<svg', '<svg aria-hidden="true"') : ''}<span>${escapeHtml(product)}</span></header>
<main>
<p class="code">${errorStatus[code]}</p>
<section><h1>${heading.pl}</h1><p>${advice.pl}</p>${tryAgain('Spróbuj ponownie')}</section>
<section lang="en"><h1>${heading.en}</h1><p>${advice.en}</p>${tryAgain('Try again')}</section>
</main>
<footer>
<p>Pomoc / <span lang="en">Help</span>: ${call}</p>
<p>pon.–pt. / <span lang="en">Mon–Fri</span> ${hours.from}–${hours.to}</p>
<p translate="no">${escapeHtml(company)}</p>
</footer>
</html>
`
}

function configuration(brand: Brand): string {
  const pages = answers.map(({ code, statuses }) => {
    const status = errorStatus[code]
    return `error_page ${statuses ? `${statuses.join(' ')} =${status}` : status} /refused/${code}.$sygnet_form;`
  })
  const headers = { ...headersForAll, 'content-security-policy': styleOnlyPolicy(styleOf(brand)) }
  const again = answers.flatMap(({ code, retryAfter }) =>
    retryAfter ? [locationOf(`/refused/${code}.`, { ...headers, 'retry-after': String(retryAfter) })] : [],
  )
  return `# nginx's own answers, with the headers of every answer (R65, R72). Written by the command sygnet nginx write; the files are in refused/.
${pages.join('\n')}

${[locationOf('/refused/', headers), ...again].join('\n')}`
}

/** Returns an nginx location for answers, with all its headers: nginx inherits headers only into a location that adds none. */
function locationOf(path: string, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `  add_header ${name} "${value}" always;`)
  return `location ${path} {
  internal;
  root /etc/nginx/sygnet;
  types {
    application/problem+json json;
    text/html html;
  }
  charset utf-8;
  etag off;
  if_modified_since off;
  max_ranges 0;
${lines.join('\n')}
}
`
}

/** Writes the files that docs/examples/nginx/sygnet.conf includes, from the portal's own tables and the provider's brand. */
export function writeNginxAnswers(folder: string, brand: Brand): void {
  mkdirSync(join(folder, 'refused'), { recursive: true })
  writeFileSync(join(folder, 'answers.conf'), configuration(brand))
  for (const answer of answers) {
    const { code, retryAfter } = answer
    const path = join(folder, 'refused', code)
    writeFileSync(`${path}.html`, pageOf(brand, answer))
    const problem = problemOf(new ApiError(code, retryAfter ? { retryAfter } : {}))
    writeFileSync(`${path}.json`, `${JSON.stringify(problem)}\n`)
  }
}
