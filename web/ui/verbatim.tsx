import { Children, type ComponentProps } from 'react'
import { unbroken } from '../text/format.ts'

type Props = ComponentProps<'span'>

/** A name of a person or an organisation, a login, an e-mail address: a browser's translator leaves it as it is (ERR-6). */
export const Verbatim = ({ children, ...props }: Props) => (
  <span translate="no" {...props}>
    {Children.map(children, (child) => (typeof child === 'string' ? unbroken(child) : child))}
  </span>
)

/** A code or an identifier, in the typeface that keeps its characters apart; the same for a translator. */
export const Code = ({ className, ...props }: Props) => (
  <Verbatim className={className ? `mono ${className}` : 'mono'} {...props} />
)

/** An e-mail address to write to. */
export const MailLink = ({ to }: { to: string }) => (
  <a href={`mailto:${to}`} translate="no">
    {to}
  </a>
)

/** An e-mail address, which is broken before its “@” where it has no room on one line. */
export function MailAddress({ className, children: address }: { className?: string; children: string }) {
  const at = address.lastIndexOf('@')
  return (
    <Verbatim className={className ? `mail ${className}` : 'mail'}>
      <span>{address.slice(0, at)}</span>
      <span>{address.slice(at)}</span>
    </Verbatim>
  )
}
