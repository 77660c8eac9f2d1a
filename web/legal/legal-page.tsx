import { sectionsIn, type LegalSection } from '../../contract/legal/legal-sections.ts'
import type { Brand } from '../../contract/page-config.ts'
import { config } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { Heading } from '../app/page-head.tsx'
import { usePage } from '../app/page-title.ts'
import { legalTitles } from '../layouts/page-footer.tsx'
import { Prose, VersionLine } from '../ui/prose.tsx'

const ledes = {
  accessibility: {
    pl: 'Co robimy, aby każdy mógł korzystać z\u00a0portalu, i\u00a0gdzie zgłosić problem.',
    en: 'What we do so that everyone can use the portal, and where to report a problem.',
  },
  privacy: {
    pl: 'Klauzula informacyjna: jakie dane przetwarzamy, po co i\u00a0jakie masz prawa.',
    en: 'Privacy notice: what data we process, why, and what your rights are.',
  },
  terms: { pl: 'Zasady korzystania z\u00a0portalu.', en: 'The rules for using the portal.' },
}

type Props = { page: keyof typeof ledes; version?: string; sections: (brand: Brand) => readonly LegalSection[] }

/** Shows one legal text of the provider, for which the portal has a default wording. */
export function LegalPage({ page, version, sections }: Props) {
  const t = useText()
  const title = legalTitles[page]
  usePage({ title })
  return (
    <article className="prose">
      <Heading title={title} lede={ledes[page]} />
      {version && <VersionLine version={version} />}
      <p className="prose__demo small">
        {t({
          pl: 'To wzór treści na potrzeby demonstracji. Dostawca zastępuje go własną.',
          en: 'This is sample wording for the demonstration. The provider will replace it with its own.',
        })}
      </p>
      <Prose sections={sectionsIn(t.locale, sections(config.brand))} heading="h2" />
    </article>
  )
}
