import type { ReactNode } from 'react'
import type { VoucherCase } from '../../contract/vouchers.ts'
import { useLocale, useText } from '../locale.tsx'
import { formatDateTime } from '../text/format.ts'
import { processText } from '../text/voucher-words.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SupportLine } from '../ui/support-line.tsx'
import { caseNextText } from './case-status-look.ts'
import { CaseBadge } from './voucher-case-list.tsx'

/** Everything that is known of a case, with the provider's own word for its status (VCH-4). */
export function CaseDialog({ one, onClose }: { one: VoucherCase; onClose: () => void }) {
  const t = useText()
  return (
    <Dialog
      title={t({ pl: `Sprawa ${one.number}`, en: `Case ${one.number}` })}
      description={t(processText[one.process])}
      initialFocus="title"
      onClose={onClose}
      footer={<Button onClick={onClose}>{t({ pl: 'Zamknij', en: 'Close' })}</Button>}
    >
      <dl className="rows">
        <Row name={t({ pl: 'Status', en: 'Status' })}>
          <CaseBadge status={one.status} />
        </Row>
        {one.providerStatus && (
          <Row name={t({ pl: 'Status u\u00a0dostawcy', en: 'Status at the provider' })}>
            <span lang="pl">{one.providerStatus}</span>
          </Row>
        )}
        <Row name={t({ pl: 'Kod voucher', en: 'Voucher code' })}>
          <span className="mono wrap">{one.code}</span>
        </Row>
        <Row name={t({ pl: 'Otwarta', en: 'Opened' })}>
          <When at={one.createdAt} />
        </Row>
        <Row name={t({ pl: 'Ostatnia zmiana', en: 'Last change' })}>
          <When at={one.updatedAt} />
        </Row>
      </dl>
      {one.note && <p>{t(one.note)}</p>}
      <p>
        {t(caseNextText[one.status])} {one.status === 'finished-unsuccessfully' && <SupportLine />}
      </p>
    </Dialog>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function When({ at }: { at: string }) {
  const locale = useLocale()
  return <time dateTime={at}>{formatDateTime(locale, at)}</time>
}
