import type { ComponentProps, ReactNode } from 'react'
import { Icon } from '../art/icons.tsx'

type Kind = 'info' | 'ok' | 'warning' | 'error'
const icons = { info: 'info', ok: 'check-circle', warning: 'warning', error: 'alert' } as const

type NoticeProps = { kind?: Kind; title?: ReactNode; children?: ReactNode } & Omit<ComponentProps<'div'>, 'title'>

export function Notice({ kind = 'info', title, children, className, ...div }: NoticeProps) {
  return (
    <div {...div} className={['notice', `notice--${kind}`, className].filter(Boolean).join(' ')}>
      <Icon name={icons[kind]} />
      <div>
        {title && (
          <p>
            <strong>{title}</strong>
          </p>
        )}
        {typeof children === 'string' ? <p>{children}</p> : children}
      </div>
    </div>
  )
}
