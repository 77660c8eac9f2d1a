import type { Text } from '../../contract/enums.ts'
import { sectionsIn, type LegalSection } from '../../contract/legal-sections.ts'
import type { Brand } from '../../contract/page-config.ts'
import { config } from '../config.ts'
import { useLocale, useText } from '../locale.tsx'
import { usePage } from '../page-title.ts'
import { Prose, VersionLine } from '../ui/prose.tsx'

type Props = { title: Text; lede: Text; version?: string; sections: (brand: Brand) => readonly LegalSection[] }

/** One text of the provider's own, of which the portal brings a first wording. */
export function LegalPage({ title, lede, version, sections }: Props) {
  const t = useText()
  const locale = useLocale()
  usePage({ title })
  return (
    <article className="prose">
      <h1>{t(title)}</h1>
      <p className="lede">{t(lede)}</p>
      {version && <VersionLine version={version} />}
      <p className="prose__demo small">
        {t({
          pl: 'To wzór treści na potrzeby demonstracji. Dostawca zastępuje go własną.',
          en: 'This is model wording for demonstration. The provider replaces it with its own.',
        })}
      </p>
      <Prose sections={sectionsIn(locale, sections(config.brand))} heading="h2" />
    </article>
  )
}
