import type { DocumentCase, DocumentStatus } from '../../contract/documents.ts'
import type { Text } from '../../contract/enums.ts'
import type { IconName } from '../art/icons.tsx'
import { useText } from '../locale.tsx'
import { Badge, type BadgeKind } from './badge.tsx'

/** Each status of a document as a word and a shape (ux 5.8). */
export const statusLook: Record<DocumentStatus, { kind: BadgeKind; icon: IconName; text: Text }> = {
  'passed-to-subscriber': { kind: 'info', icon: 'send', text: { pl: 'Przekazany do Ciebie', en: 'Sent to you' } },
  'subscriber-downloaded': {
    kind: 'warn',
    icon: 'pen',
    text: { pl: 'Pobrany, czeka na podpis', en: 'Downloaded, awaiting signature' },
  },
  'subscriber-uploaded': { kind: 'info', icon: 'hour', text: { pl: 'W\u00a0weryfikacji', en: 'Being verified' } },
  'issuer-uploaded': { kind: 'info', icon: 'doc', text: { pl: 'Gotowy do pobrania', en: 'Ready to download' } },
  finished: { kind: 'ok', icon: 'okc', text: { pl: 'Zakończony', en: 'Completed' } },
  canceled: { kind: 'mute', icon: 'minusc', text: { pl: 'Anulowany', en: 'Cancelled' } },
}

export const isGenerating = ({ status, content }: DocumentCase) =>
  status === 'passed-to-subscriber' && content === 'generating'

export function StatusBadge({ status }: { status: DocumentStatus }) {
  const t = useText()
  const { kind, icon, text } = statusLook[status]
  return (
    <Badge kind={kind} icon={icon}>
      {t(text)}
    </Badge>
  )
}

/** A document that is still being made can do nothing yet, whatever its status. */
export function DocumentBadge({ document }: { document: DocumentCase }) {
  const t = useText()
  if (!isGenerating(document)) return <StatusBadge status={document.status} />
  return (
    <Badge kind="mute" icon="hour">
      {t({ pl: 'Przygotowujemy', en: 'Being generated' })}
    </Badge>
  )
}
