import type { ReactNode } from 'react'
import type { Wording } from '../../contract/consents.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Prose, VersionLine } from '../ui/prose.tsx'

type Props = { wording: Wording; onClose: () => void; footer?: ReactNode }

/** Shows the full wording of a consent. The statement itself is next to the checkbox. */
export function WordingDialog({ wording, onClose, footer }: Props) {
  return (
    <Dialog title={wording.title} width="l" initialFocus="title" onClose={onClose} footer={footer}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text without a control is scrolled by keys only if it takes the focus */}
      <div className="prose" role="region" aria-label={wording.title} tabIndex={0} lang={wording.locale}>
        <VersionLine version={wording.version} />
        {!footer && <p>{wording.statement}.</p>}
        <Prose sections={wording.sections} heading="h3" />
      </div>
    </Dialog>
  )
}
