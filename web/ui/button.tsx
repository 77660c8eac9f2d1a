import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { useHydrated } from '../app/hydration.tsx'
import { useText } from '../app/locale.tsx'
import { Icon, type IconName } from '../art/icons.tsx'
import { Link } from './link.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'

type Look = {
  variant?: ButtonVariant | undefined
  size?: 's' | undefined
  isWide?: boolean | undefined
  icon?: IconName
}

const classes = ({ variant = 'secondary', size, isWide }: Look, more?: string) =>
  ['button', `button--${variant}`, size && 'button--small', isWide && 'button--wide', more].filter(Boolean).join(' ')

type ButtonProps = Look & {
  /** Whether something is being sent; the button then ignores clicks and shows `busyText`. */
  isBusy?: boolean
  busyText?: string
} & ComponentProps<'button'>

/** Shows a button, disabled until the page is hydrated, because nothing would handle a press (UIX-5). */
export function Button({
  variant,
  size,
  isWide,
  icon,
  isBusy,
  busyText,
  className,
  onClick,
  children,
  ...button
}: ButtonProps) {
  const t = useText()
  const isHydrated = useHydrated()
  const isStill = isBusy || button['aria-disabled'] === true || button['aria-disabled'] === 'true'
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    // `disabled` would drop the focus, so an inactive button stays focusable and does nothing.
    if (isStill) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      type="button"
      {...button}
      disabled={!isHydrated || button.disabled}
      className={classes({ variant, size, isWide }, isBusy ? `is-busy ${className ?? ''}` : className)}
      aria-disabled={isStill || undefined}
      onClick={click}
    >
      {isBusy ? <span className="spin" aria-hidden="true" /> : icon && <Icon name={icon} />}
      {isBusy ? (busyText ?? t({ pl: 'Wysyłamy…', en: 'Sending…' })) : children}
    </button>
  )
}

/** Removes one item of a list; `aria-label` says which. */
export function RemoveButton(button: ButtonProps) {
  const t = useText()
  return (
    <Button variant="quiet" size="s" className="is-danger" icon="trash" {...button}>
      {t({ pl: 'Usuń', en: 'Remove' })}
    </Button>
  )
}

/** Shows a round-cornered square with an icon alone; `label` is for screen readers and the tooltip. */
export function IconButton({ icon, label, ...button }: { icon: IconName; label: string } & Omit<ButtonProps, 'icon'>) {
  return (
    <Button variant="quiet" {...button} className="button--icon" aria-label={label} title={label}>
      <Icon name={icon} />
    </Button>
  )
}

type Target = { to: string; href?: never } | { href: string; to?: never }
type LinkProps = Look & Target & Omit<ComponentProps<'a'>, 'href'>

/** Shows a link that looks like a button. `to` stays in the portal and its language; `href` is any other address. */
export function ButtonLink({ variant, size, isWide, icon, className, children, ...link }: LinkProps) {
  return (
    <TextLink {...link} className={classes({ variant, size, isWide }, className)}>
      {icon && <Icon name={icon} />}
      {children}
    </TextLink>
  )
}

/** Shows a plain link; one that leaves the portal opens in a new tab, and says so. */
export function TextLink({ to, href, children, ...link }: Target & Omit<ComponentProps<'a'>, 'href'>): ReactNode {
  const t = useText()
  if (to !== undefined)
    return (
      <Link to={to} {...link}>
        {children}
      </Link>
    )
  if (!/^https?:/.test(href))
    return (
      <a href={href} {...link}>
        {children}
      </a>
    )
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" {...link}>
      {children}
      <Icon name="external" size="s" />
      <span className="unseen">{t({ pl: ' (otwiera się w\u00a0nowej karcie)', en: ' (opens in a new tab)' })}</span>
    </a>
  )
}
