import { useState, type MouseEvent, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { pages } from '../../contract/pages.ts'
import { Brand } from '../art/brand-mark.tsx'
import { Icon } from '../art/icons.tsx'
import { useText } from '../locale.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Link } from '../ui/link.tsx'
import { OfflineBar } from '../ui/offline-bar.tsx'
import { AccountMenu } from './account-menu.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import { useLeavingWords } from './leaving.ts'
import { PageFooter, SkipLink } from './page-footer.tsx'
import { SignedInFrame, SignedInScreen } from './signed-in-frame.tsx'

/** One long task without the menu, so that nothing draws away from it; the way out stays in sight (ux.md §6), as do name and sign-out (NAV-2). */
export function FocusLayout({ children }: { children: ReactNode }) {
  const t = useText()
  const words = useLeavingWords()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<string>()

  const wayOut = (to: string) => ({
    to,
    onClick(event: MouseEvent) {
      // A new tab or window leaves the task where it is.
      if (!words || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      setAsked(to)
    },
  })

  return (
    <SignedInFrame>
      <div className="focus">
        <SkipLink />
        <OfflineBar />
        <header className="focus__bar">
          <Link className="brand" {...wayOut(pages.home.path)}>
            <Brand />
          </Link>
          <span className="focus__what">{t({ pl: 'Odnowienie podpisu', en: 'Signature renewal' })}</span>
          <div className="topbar__end">
            <LanguageSwitch />
            <AccountMenu />
            <Link className="btn btn--secondary btn--sm focus__out" {...wayOut(pages.signatures.path)}>
              <Icon name="x" size="s" />
              <span>{t({ pl: 'Wyjdź', en: 'Exit' })}</span>
            </Link>
          </div>
        </header>
        <main id="content" className="focus__main" tabIndex={-1}>
          <SignedInScreen>{children}</SignedInScreen>
        </main>
        <PageFooter />
      </div>
      {asked && (
        <Dialog
          role="alertdialog"
          width="s"
          initialFocus="safe"
          title={t({ pl: 'Czy wyjść z\u00a0odnowienia?', en: 'Do you want to exit the renewal?' })}
          description={words}
          onClose={() => setAsked(undefined)}
          footer={
            <>
              <Button variant="quiet" data-safe onClick={() => setAsked(undefined)}>
                {t({ pl: 'Zostań tutaj', en: 'Stay here' })}
              </Button>
              <Button variant="primary" onClick={() => navigate(asked)}>
                {t({ pl: 'Wyjdź z\u00a0odnowienia', en: 'Exit the renewal' })}
              </Button>
            </>
          }
        />
      )}
    </SignedInFrame>
  )
}
