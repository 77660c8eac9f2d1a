import * as Radix from '@radix-ui/react-toast'
import { limits } from '../../contract/limits.ts'
import { useText } from '../app/locale.tsx'
import { Icon } from '../art/icons.tsx'
import './toast-view.css'
import { areaName, type Toast } from './toast-store.ts'

export function ToastView({ toasts }: { toasts: Toast[] }) {
  const t = useText()
  return (
    <Radix.Provider
      label={t({ pl: 'Powiadomienie', en: 'Notification' })}
      duration={limits.toast.durationMs}
      swipeDirection="right"
      swipeThreshold={limits.toast.swipePx}
    >
      {toasts.map(({ id, title, description, action, variant = 'default', isOpen, onOpenChange }) => (
        <Radix.Root
          key={id}
          className={variant === 'destructive' ? 'toast toast--error' : 'toast'}
          open={isOpen}
          onOpenChange={onOpenChange}
          // A failure is announced at once; a toast with an action stays until it is answered (WCAG 2.2.1).
          type={variant === 'destructive' ? 'foreground' : 'background'}
          duration={action ? Infinity : limits.toast.durationMs}
        >
          <Icon name={variant === 'destructive' ? 'alert' : 'check-circle'} />
          <div>
            <Radix.Title asChild>
              <b>{title}</b>
            </Radix.Title>
            {description && (
              <Radix.Description asChild>
                <p>{description}</p>
              </Radix.Description>
            )}
            {action && (
              <Radix.Action className="link" altText={action.label} onClick={action.onClick}>
                {action.label}
              </Radix.Action>
            )}
          </div>
          <Radix.Close
            className="button button--quiet button--icon"
            aria-label={t({ pl: 'Zamknij powiadomienie', en: 'Close notification' })}
          >
            <Icon name="close" />
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport className="toasts" label={t(areaName)} />
    </Radix.Provider>
  )
}
