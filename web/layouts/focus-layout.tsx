import { useState, type MouseEvent, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { pages } from '../../contract/pages.ts'
import { useText } from '../app/locale.tsx'
import { BrandMark } from '../art/brand-mark.tsx'
import { Icon } from '../art/icons.tsx'
import { ChoiceDialog } from '../ui/confirm-dialog.tsx'
import { Link } from '../ui/link.tsx'
import { AccountMenu } from './account-menu.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import { useLeaveMessage } from './leave-message.ts'
import { OfflineBar } from './offline-bar.tsx'
import { SignedInFrame, SignedInMain } from './signed-in-frame.tsx'

/**
 * Shows one long task without the menu, so that nothing distracts from it; the exit stays visible, as do name and sign-out
 * (NAV-2).
 */
export function FocusLayout({ children }: { children: ReactNode }) {
  const t = useText()
  const message = useLeaveMessage()
  const navigate = useNavigate()
  const [target, setTarget] = useState<string>()

  const exitTo = (to: string) => ({
    to,
    onClick(event: MouseEvent) {
      // A new tab or window leaves the task where it is.
      if (!message || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      setTarget(to)
    },
  })

  return (
    <SignedInFrame className="focus">
      <OfflineBar />
      <header className="focus__bar">
        <Link className="brand" {...exitTo(pages.home.path)}>
          <BrandMark />
        </Link>
        <span className="focus__what">{t({ pl: 'Odnowienie podpisu', en: 'Signature renewal' })}</span>
        <div className="topbar__end">
          <LanguageSwitch />
          <AccountMenu />
          <Link className="button button--secondary button--small focus__out" {...exitTo(pages.signatures.path)}>
            <Icon name="close" size="s" />
            <span>{t({ pl: 'Wyjdź', en: 'Exit' })}</span>
          </Link>
        </div>
      </header>
      <SignedInMain className="focus__main">{children}</SignedInMain>
      {target && (
        <ChoiceDialog
          title={t({ pl: 'Wyjść z\u00a0odnowienia?', en: 'Exit the renewal?' })}
          description={message}
          cancel={t({ pl: 'Zostań tutaj', en: 'Stay here' })}
          confirm={t({ pl: 'Wyjdź z\u00a0odnowienia', en: 'Exit renewal' })}
          onCancel={() => setTarget(undefined)}
          onConfirm={() => void navigate(target)}
        />
      )}
    </SignedInFrame>
  )
}
