import type { Signature } from '../../contract/signatures.ts'
import { useLocale, useText } from '../locale.tsx'
import { formatDate } from '../text/format.ts'
import { productText } from '../text/product-text.ts'
import { Verbatim } from '../ui/verbatim.tsx'

/** Which of several signatures a button is for, for those who hear its name. */
export function WhichSignature({ signature }: { signature: Signature }) {
  const t = useText()
  const { product, organisation, name, validTo } = signature
  const end = formatDate(useLocale(), validTo, 'short')
  return (
    <>
      {` (${t(productText[product])}, `}
      <Verbatim>{organisation ?? name}</Verbatim>
      {`, ${t({ pl: 'do\u00a0', en: 'until ' })}${end})`}
    </>
  )
}
