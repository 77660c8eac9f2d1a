import type { ComponentProps, ReactNode } from 'react'
import { Icon, type IconName } from '../art/icons.tsx'
import './checks.css'

/** Shows a list of checks; its children are of the type `Check`. */
export const Checks = ({ className, ...list }: ComponentProps<'ul'>) => (
  <ul className={className ? `checks ${className}` : 'checks'} {...list} />
)

type CheckProps = { hasPassed: boolean | undefined; icon?: IconName; children: ReactNode }

/** Shows the result of a check as a text and a shape; `hasPassed` is undefined where it is not known. */
export function Check({ hasPassed, icon, children }: CheckProps) {
  const [usual, kind]: [IconName, string] =
    hasPassed === undefined ? ['help', 'is-unknown'] : hasPassed ? ['check-circle', ''] : ['alert', 'is-wrong']
  return (
    <li className={kind || undefined}>
      <Icon name={icon ?? usual} />
      <span>{children}</span>
    </li>
  )
}
