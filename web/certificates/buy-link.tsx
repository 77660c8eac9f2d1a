import type { ComponentProps, ReactNode } from 'react'
import { config } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { ButtonLink } from '../ui/button.tsx'

const texts = {
  newSignature: { pl: 'Kup nowy podpis', en: 'Buy a new signature' },
  seal: { pl: 'Kup pieczęć', en: 'Buy a seal' },
  timestamp: { pl: 'Kup pakiet', en: 'Buy a package' },
}

type Props = { product: keyof typeof texts; nameSuffix?: ReactNode } & Pick<
  ComponentProps<typeof ButtonLink>,
  'variant' | 'size' | 'className'
>

/** Leads to a product in the provider's shop. */
export function BuyLink({ product, nameSuffix, ...link }: Props) {
  const t = useText()
  return (
    <ButtonLink {...link} href={config.brand.links[product]}>
      <span>
        {t(texts[product])}
        {nameSuffix}
      </span>
    </ButtonLink>
  )
}
