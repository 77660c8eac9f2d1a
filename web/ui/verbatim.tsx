import { Children, type ComponentProps } from 'react'
import { unbroken } from '../text/format.ts'

type Props = ComponentProps<'span'>

/** Shows a name of a person or an organisation, a login or an e-mail address, which a browser's translator leaves as it is (ERR-6). */
export const Verbatim = ({ children, ...props }: Props) => (
  <span translate="no" {...props}>
    {Children.map(children, (child) => (typeof child === 'string' ? unbroken(child) : child))}
  </span>
)

/** Shows a code or an identifier, which a translator leaves as it is, in the typeface that keeps its characters apart. */
export const Code = ({ className, ...props }: Props) => (
  <Verbatim className={className ? `mono ${className}` : 'mono'} {...props} />
)

/** Shows an e-mail address as a link to write to it. */
export const MailLink = ({ to }: { to: string }) => (
  <a href={`mailto:${to}`} translate="no">
    {to}
  </a>
)

/** Shows an e-mail address, which breaks before its “@” if it does not fit on one line. */
export function MailAddress({ className, children: address }: { className?: string; children: string }) {
  const at = address.lastIndexOf('@')
  return (
    <Verbatim className={className ? `mail-address ${className}` : 'mail-address'}>
      <span>{address.slice(0, at)}</span>
      <span>{address.slice(at)}</span>
    </Verbatim>
  )
}
