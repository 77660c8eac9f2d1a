import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LocaleProvider, useText } from './locale.tsx'

const Sentence = () => useText()({ pl: 'Wyślemy e-mail, a potem drugi e-mail.', en: 'We’ll e-mail you.' })

test.each([
  ['pl', 'Wyślemy e-\u2060mail, a potem drugi e-\u2060mail.'],
  ['en', 'We’ll e-\u2060mail you.'],
] as const)('UIX-28 the word e-mail is kept on one line: %s', (locale, sentence) => {
  expect(
    renderToStaticMarkup(
      <LocaleProvider locale={locale}>
        <Sentence />
      </LocaleProvider>,
    ),
  ).toBe(sentence)
})
