import type { ReactNode } from 'react'
import { Icon } from '../art/icons.tsx'
import './file-row.css'

/** A file with its name; `action` is at the end of the row. */
export function FileRow({ name, action, children }: { name: string; action?: ReactNode; children: ReactNode }) {
  return (
    <div className="file">
      <span className="file__i">
        <Icon name="doc" size="l" />
      </span>
      <div className="file__b">
        <p className="file__n" translate="no">
          {name}
        </p>
        {children}
      </div>
      {action}
    </div>
  )
}
