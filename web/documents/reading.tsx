import type { ReactNode } from 'react'
import { PageReader } from '../pdf-preview/page-reader.tsx'
import './reading.css'

type Props = { file: Blob; code?: string | undefined; name: string; children: ReactNode }

/** DOC-12: a downloaded document, page by page, with what can be done with it next to it. */
export const Reading = ({ children, ...document }: Props) => (
  <div className="reading">
    <div className="reading__doc">
      <PageReader {...document} />
    </div>
    <div className="reading__panel">{children}</div>
  </div>
)
