import type { ReactNode } from 'react'
import type { Wording } from '../../contract/consents.ts'
import { Dialog } from './dialog.tsx'
import { Prose, VersionLine } from './prose.tsx'

export type WordingDialogProps = {
  wording: Wording
  onClose: () => void
  footer?: ReactNode
}

/** What a consent is given to, word for word. Who is asked for it has the statement beside the box. */
export function WordingDialogView({ wording, onClose, footer }: WordingDialogProps) {
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
