import type { ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import type { PageName } from '../../contract/pages.ts'
import { config } from '../config.ts'
import { useText } from '../locale.tsx'
import { usePage } from '../page-title.ts'
import { failureText } from '../text/failure-text.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { SupportLine } from '../ui/support-line.tsx'

/** The pages that have no server yet. */
export type UnavailablePage = Extract<PageName, 'renewal'>

type Step = { label: Text } & ({ to: string } | { href: string })

const { links } = config.brand

const contents: Record<UnavailablePage, { title: Text; meanwhile: Text; step: Step }> = {
  renewal: {
    title: { pl: 'Odnowienie podpisu', en: 'Signature renewal' },
    meanwhile: {
      pl: 'Podpis odnowisz w\u00a0sklepie. Zrób to co najmniej 7\u00a0dni przed końcem ważności: wygasłego podpisu nie można odnowić.',
      en: 'You can renew the signature in the shop. Do it at least 7\u00a0days before it expires: an expired signature cannot be renewed.',
    },
    step: { label: { pl: 'Odnów podpis w\u00a0sklepie', en: 'Renew in the shop' }, href: links.renewal },
  },
}

/** ERR-5: says that it does not work now, what does instead, and who helps. */
export function FeatureUnavailable({ page }: { page: UnavailablePage }): ReactNode {
  const t = useText()
  const { title, meanwhile, step } = contents[page]
  usePage({ title })
  const { label, ...target } = step
  return (
    <div className="narrow">
      <h1>{t(title)}</h1>
      <Notice title={t(failureText.unavailable)} className="sec">
        <p>{t(meanwhile)}</p>
        <p>
          {t({ pl: 'Pomoc: ', en: 'Help: ' })}
          <SupportLine />
        </p>
      </Notice>
      <div className="btns sec">
        <ButtonLink variant="primary" {...target}>
          {t(label)}
        </ButtonLink>
      </div>
    </div>
  )
}
