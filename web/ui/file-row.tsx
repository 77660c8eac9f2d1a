import type { ReactNode } from 'react'
import { Icon, type IconName } from '../art/icons.tsx'
import './file-row.css'

type Props = { name: string; icon?: IconName; action?: ReactNode; children?: ReactNode }

/** Shows a file with its name; `action` is at the end of the row. */
export function FileRow({ name, icon = 'document', action, children }: Props) {
  return (
    <div className="file-row">
      <span className="file-row__icon">
        <Icon name={icon} size="l" />
      </span>
      <div>
        <p className="file-row__name" translate="no">
          {name}
        </p>
        {children}
      </div>
      {action}
    </div>
  )
}
