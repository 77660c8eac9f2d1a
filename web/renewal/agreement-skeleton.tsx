import { agreementName } from '../../contract/product-text.ts'
import { useText } from '../app/locale.tsx'
import { Icon } from '../art/icons.tsx'
import { BlankPage } from '../pdf-preview/blank-page.tsx'

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
    <div className="document-row">
      <Icon name="document" size="l" />
      <span className="document-row__name">
        <b>{t(agreementName)}</b>
        <span className="skeleton" aria-hidden="true" />
      </span>
      <span className="document-row__act" />
    </div>
  )
}
