import { hash } from 'node:crypto'
import { htmlPage } from '../embedded-services.ts'

export type PageState = { step: 'login' } | { step: 'code'; error?: 'wrong' | 'locked' }

type Page = PageState & {
  /** The path that the form is sent to, and the name of this page. */
  action: string
  page: string
  /** Description of the signed content, as the client gives it. */
  description: string
  locale: 'pl' | 'en'
}

const texts = {
  pl: {
    service: 'TESTOWA usługa podpisu Sygnet',
    title: 'Potwierdź podpis',
    about: 'Portal prosi o złożenie Twojego podpisu elektronicznego.',
    what: 'Co podpisujesz',
    login: 'Login lub e-mail w usłudze podpisu',
    next: 'Wyślij kod SMS',
    sent: 'Jeśli login jest poprawny, na Twój numer telefonu wysłaliśmy SMS z kodem.',
    code: 'Kod z SMS-a',
    confirm: 'Podpisz',
    again: 'Wyślij nowy kod',
    cancel: 'Anuluj i wróć do portalu',
    wrong: 'Ten kod jest niepoprawny lub wygasł. Sprawdź ostatni SMS i wpisz kod jeszcze raz.',
    locked: 'Za dużo błędnych kodów. Podpis jest zablokowany na 15 minut.',
  },
  en: {
    service: 'Sygnet TEST signing service',
    title: 'Confirm your signature',
    about: 'The portal asks for your electronic signature.',
    what: 'What you’re signing',
    login: 'Your username or e-mail at the signing service',
    next: 'Send a code by SMS',
    sent: 'If the username is right, we’ve sent a text message with a code to your phone.',
    code: 'Code from the text message',
    confirm: 'Sign',
    again: 'Send a new code',
    cancel: 'Cancel and go back to the portal',
    wrong: 'This code is wrong or has expired. Check the latest text message and enter the code again.',
    locked: 'Too many wrong codes. Your signature is locked for 15 minutes.',
  },
} as const

const style = `
:root { color-scheme: light; --ink: #0e2433; --ink-2: #33495a; --paper: #f2f6f6; --line: #d2dde0; --brand: #114b63; --wrong: #a3142c; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
main { max-width: 30rem; margin: 3rem auto; padding: 2rem; border: 1px solid var(--line); border-radius: 16px; background: #fff; }
.service { margin: 0; color: var(--ink-2); font-size: .9375rem; }
h1 { margin: .25rem 0 1rem; font-size: 1.75rem; line-height: 1.2; }
dl { margin: 1rem 0; padding: .75rem 1rem; border-radius: 10px; background: var(--paper); overflow-wrap: anywhere; }
dt { color: var(--ink-2); font-size: .9375rem; }
dd { margin: 0; font-weight: 600; }
label { display: block; margin: 1.5rem 0 .375rem; font-weight: 600; }
input { width: 100%; min-height: 48px; padding: 0 .875rem; border: 1px solid #6b7f8a; border-radius: 10px; font: inherit; }
input[aria-invalid] { border-color: var(--wrong); }
.wrong { margin: .375rem 0 0; color: var(--wrong); }
button { width: 100%; min-height: 48px; margin-top: 1rem; border: 1px solid var(--brand); border-radius: 10px; background: #fff; color: var(--brand); font: inherit; font-weight: 600; cursor: pointer; }
button.main { margin-top: 1.5rem; background: var(--brand); color: #fff; }
:focus-visible { outline: 3px solid #1457d9; outline-offset: 2px; }
@media (max-width: 34rem) { main { margin: 0; min-height: 100vh; border: 0; border-radius: 0; padding: 1.5rem 1rem; } }
`

const styleHash = hash('sha256', style, 'base64')

/**
 * Returns the content security policy of the page. A redirect to the client may answer the form, and browsers count it as the form's
 * target.
 */
export const pagePolicy = (redirects: readonly string[]) =>
  [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `form-action ${["'self'", ...redirects.map((url) => new URL(url).origin)].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

export function authorisationPage({ action, page, description, locale, ...state }: Page): string {
  const text = texts[locale]
  const error = state.step === 'code' && state.error ? text[state.error] : ''
  const invalid = error ? ' aria-invalid="true" aria-describedby="wrong"' : ''
  const [field, buttons] =
    state.step === 'login'
      ? [
          `<label for="login">${text.login}</label>
<input id="login" name="login" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required autofocus>`,
          `<button class="main" name="action" value="login">${text.next}</button>`,
        ]
      : [
          `<p role="status">${text.sent}</p>
<label for="code">${text.code}</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="10" required autofocus${invalid}>${
            error ? `\n<p class="wrong" id="wrong">${error}</p>` : ''
          }`,
          `<button class="main" name="action" value="confirm">${text.confirm}</button>
<button name="action" value="again" formnovalidate>${text.again}</button>`,
        ]
  return html(
    locale,
    text.title,
    `<p class="service">${text.service}</p>
<h1>${text.title}</h1>
<p>${text.about}</p>
${description ? `<dl><dt>${text.what}</dt><dd>${escape(description)}</dd></dl>` : ''}
<form method="post" action="${escape(action)}">
<input type="hidden" name="page" value="${page}">
${field}
${buttons}
<button name="action" value="cancel" formnovalidate>${text.cancel}</button>
</form>`,
  )
}

/** Page for a request without a known client, or for a page of another browser; it does not redirect. */
export const brokenPage = html(
  'pl',
  texts.pl.title,
  `<p class="service">${texts.pl.service}</p>
<h1>Ta strona już nie działa</h1>
<p>Wróć do portalu i zacznij podpisywanie jeszcze raz.</p>
<p lang="en">This page doesn’t work any more. Go back to the portal and start signing again.</p>`,
)

function html(locale: string, title: string, main: string) {
  return htmlPage({ locale, title, head: `<style>${style}</style>`, body: `<main>\n${main}\n</main>` })
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escape = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
