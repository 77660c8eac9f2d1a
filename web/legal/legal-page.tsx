import type { Text } from '../../contract/enums.ts'
import type { Brand } from '../../contract/page-config.ts'
import { config } from '../config.ts'
import { useText } from '../locale.tsx'
import { usePage } from '../page-title.ts'
import './legal.css'

/** A chapter: paragraphs, and lists where one stands in place of a paragraph. */
export type LegalSection = { title: Text; body: readonly (Text | readonly Text[])[] }

type Props = { title: Text; lede: Text; sections: (brand: Brand) => readonly LegalSection[] }

/** One text of the provider's own, of which the portal brings a first wording. */
export function LegalPage({ title, lede, sections }: Props) {
  const t = useText()
  usePage({ title })
  return (
    <article className="prose">
      <h1>{t(title)}</h1>
      <p className="lede">{t(lede)}</p>
      <p className="prose__demo small">
        {t({
          pl: 'To wzór treści na potrzeby demonstracji. Dostawca zastępuje go własną.',
          en: 'This is model wording for demonstration. The provider replaces it with its own.',
        })}
      </p>
      {sections(config.brand).map((section) => (
        <section key={section.title.en}>
          <h2>{t(section.title)}</h2>
          {section.body.map((part) =>
            'en' in part ? (
              <p key={part.en}>{t(part)}</p>
            ) : (
              <ul key={part[0]!.en}>
                {part.map((item) => (
                  <li key={item.en}>{t(item)}</li>
                ))}
              </ul>
            ),
          )}
        </section>
      ))}
    </article>
  )
}
