import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LocaleProvider, useText } from './locale.tsx'

const Sentence = () =>
  useText()({ pl: 'Wyślemy e-mail, a potem drugi e-mail.', en: 'We’ll e-mail you a one-time text-message code.' })

test.each([
  ['pl', 'Wyślemy e-\u2060mail, a potem drugi e-\u2060mail.'],
  ['en', 'We’ll e-\u2060mail you a one-\u2060time text-\u2060message code.'],
] as const)('UIX-28 e-mail, one-time and text-message are kept on one line: %s', (locale, sentence) => {
  expect(
    renderToStaticMarkup(
      <LocaleProvider locale={locale}>
        <Sentence />
      </LocaleProvider>,
    ),
  ).toBe(sentence)
})
