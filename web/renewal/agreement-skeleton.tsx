import { Icon } from '../art/icons.tsx'
import { useText } from '../app/locale.tsx'
import { BlankPage } from '../pdf-preview/blank-page.tsx'
import { agreementName } from '../../contract/product-text.ts'

/** Shows a placeholder for the reader, as tall as the reader will be. */
export const ReaderSkeleton = ({ text }: { text: string }) => (
  <div className="agreement__wait">
    <p className="agreement__bar">{text}</p>
    <div className="agreement__page">
      <BlankPage />
    </div>
  </div>
)

/** Shows the row of the document before its size is known. */
export function RowSkeleton() {
  const t = useText()
  return (
    <div className="docrow">
      <Icon name="doc" size="l" />
      <span className="docrow__name">
        <b>{t(agreementName)}</b>
        <span className="skel" aria-hidden="true" />
      </span>
      <span className="docrow__act" />
    </div>
  )
}
