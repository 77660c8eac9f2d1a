import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorStatus, type ErrorCode } from '../contract/errors.ts'
import { Failed, problemOf } from '../server/failure.ts'
import { headersForAll } from '../server/security-headers.ts'

type Words = { pl: string; en: string }
type Answer = {
  code: ErrorCode
  /** What nginx calls it. */ statuses: readonly number[]
  heading: Words
  advice: Words
}

const again: Words = { pl: 'Wróć i\u00a0spróbuj ponownie.', en: 'Go back and try again.' }

/** Whatever nginx has to say by itself, in the portal's codes and words. */
const answers: readonly Answer[] = [
  {
    code: 'malformed-request',
    // 494 to 497 are nginx's own: headers too large, no certificate, plain HTTP on the port of TLS.
    statuses: [400, 403, 408, 411, 412, 416, 494, 495, 496, 497, 501, 505],
    heading: { pl: 'Nie rozumiemy tego żądania', en: 'We do not understand this request' },
    advice: again,
  },
  {
    code: 'not-found',
    statuses: [404],
    heading: { pl: 'Nie ma takiej strony', en: 'There is no such page' },
    advice: { pl: 'Sprawdź adres.', en: 'Check the address.' },
  },
  {
    code: 'method-not-allowed',
    statuses: [405],
    heading: { pl: 'Nie rozumiemy tego żądania', en: 'We do not understand this request' },
    advice: again,
  },
  {
    code: 'body-too-large',
    statuses: [413],
    heading: { pl: 'Plik jest za duży', en: 'The file is too large' },
    advice: { pl: 'Wróć i\u00a0wybierz mniejszy.', en: 'Go back and choose a smaller one.' },
  },
  {
    code: 'url-too-long',
    statuses: [414],
    heading: { pl: 'Adres jest za długi', en: 'The address is too long' },
    advice: { pl: 'Sprawdź adres.', en: 'Check the address.' },
  },
  {
    code: 'misdirected-request',
    statuses: [421],
    heading: { pl: 'Pod tym adresem nie ma portalu', en: 'There is no portal at this address' },
    advice: { pl: 'Sprawdź adres.', en: 'Check the address.' },
  },
  {
    code: 'too-many-attempts',
    statuses: [429],
    heading: { pl: 'Za dużo połączeń naraz', en: 'Too many connections at once' },
    advice: { pl: 'Odczekaj chwilę i\u00a0spróbuj ponownie.', en: 'Wait a moment and try again.' },
  },
  {
    code: 'unavailable',
    statuses: [500, 502, 503, 504],
    heading: { pl: 'Portal jest chwilowo niedostępny', en: 'The portal is unavailable for a moment' },
    advice: { pl: 'Nic nie przepadło. Spróbuj ponownie za chwilę.', en: 'Nothing is lost. Try again in a moment.' },
  },
]

const style =
  'body{margin:0;min-height:100vh;display:grid;place-items:center;background:#fff;color:#1b1b1f;font:1.0625rem/1.6 system-ui,sans-serif}main{padding:32px 20px;max-width:34rem}h1{font-size:1.625rem;line-height:1.25;margin:0 0 8px}p{margin:0}section+section{margin-top:32px;padding-top:32px;border-top:1px solid #d5d5dc}.code{color:#5b5b66;font-size:.9375rem;margin-bottom:24px}'

/** In both languages and without a name or a colour: nginx knows neither the visitor's language nor the brand. */
const pageOf = ({ code, heading, advice }: Answer) =>
  `<!doctype html>
<html lang="pl">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading.pl} / ${heading.en}</title>
<style>${style}</style>
<main>
<p class="code">${errorStatus[code]}</p>
<section><h1>${heading.pl}</h1><p>${advice.pl}</p></section>
<section lang="en"><h1>${heading.en}</h1><p>${advice.en}</p></section>
</main>
</html>
`

const pagePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

function configuration(): string {
  const pages = answers.map(({ code, statuses }) => {
    const status = errorStatus[code]
    const changed = statuses.length === 1 && statuses[0] === status ? '' : ` =${status}`
    return `error_page ${statuses.join(' ')}${changed} /refused/${code}.$sygnet_form;`
  })
  const headers = Object.entries({ ...headersForAll, 'content-security-policy': pagePolicy }).map(
    ([name, value]) => `  add_header ${name} "${value}" always;`,
  )
  return `# What nginx answers by itself, with the headers of every answer (R65, R72). Made by tools/nginx-answers.ts; the files are in refused/.
${pages.join('\n')}

location /refused/ {
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
${headers.join('\n')}
}
`
}

/** The files beside docs/examples/nginx/sygnet.conf that follow from the portal's own tables, by their names. */
export const nginxAnswers = (): Record<string, string> => ({
  'answers.conf': configuration(),
  ...Object.fromEntries(
    answers.flatMap((answer) => [
      [`refused/${answer.code}.html`, pageOf(answer)],
      [`refused/${answer.code}.json`, `${JSON.stringify(problemOf(new Failed(answer.code)))}\n`],
    ]),
  ),
})

if (import.meta.main)
  for (const [name, text] of Object.entries(nginxAnswers())) {
    const file = join(import.meta.dirname, '../docs/examples/nginx', name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
