import { Verbatim } from './verbatim.tsx'

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
