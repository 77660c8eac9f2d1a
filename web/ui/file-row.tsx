import type { ReactNode } from 'react'
import { Icon, type IconName } from '../art/icons.tsx'
import './file-row.css'

type Props = { name: string; icon?: IconName; action?: ReactNode; children?: ReactNode }

/** Shows a file with its name; `action` is at the end of the row. */
export function FileRow({ name, icon = 'doc', action, children }: Props) {
  return (
    <div className="file">
      <span className="file__i">
        <Icon name={icon} size="l" />
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
