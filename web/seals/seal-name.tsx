import type { Seal } from '../../contract/seals.ts'
import { useText } from '../app/locale.tsx'
import { ownerOf, sealProductText } from '../text/product-text.ts'
import { Verbatim } from '../ui/verbatim.tsx'

/** Below the title of a dialog: first what it is. */
export function SealDescription({ seal }: { seal: Seal }) {
  const t = useText()
  return (
    <>
      {t(sealProductText[seal.product])}: <Verbatim>{ownerOf(seal)}</Verbatim>
    </>
  )
}

/** `sealText` as it is shown. */
export function SealName({ seal }: { seal: Seal }) {
  const t = useText()
  return (
    <>
      <Verbatim>{ownerOf(seal)}</Verbatim>, {t(sealProductText[seal.product])}
    </>
  )
}
