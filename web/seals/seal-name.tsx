import type { Seal } from '../../contract/seals.ts'
import { useText } from '../locale.tsx'
import { ownerOf, sealProductText } from '../text/product-text.ts'
import { Verbatim } from '../ui/verbatim.tsx'

/** `sealText` as it is shown. */
export function SealName({ seal }: { seal: Seal }) {
  const t = useText()
  return (
    <>
      <Verbatim>{ownerOf(seal)}</Verbatim>, {t(sealProductText[seal.product])}
    </>
  )
}
