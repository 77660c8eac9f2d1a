import { caseStatusInEnglish } from '../../contract/case-status.ts'
import type { VoucherCase } from '../../contract/vouchers.ts'
import { processText } from '../../contract/vouchers.ts'
import { useLocale, useText } from '../app/locale.tsx'
import { Icon } from '../art/icons.tsx'
import { DateTimeText } from '../text/date-text.tsx'
import { Button } from '../ui/button.tsx'
import { CallButton } from '../ui/call-button.tsx'
import { CodeRow, DescriptionList, Row } from '../ui/description-list.tsx'
import { Dialog } from '../ui/dialog.tsx'
import '../ui/path.css'
import { CaseBadge, caseNextText } from './case-status.tsx'

/** Shows all details of a case, with the provider's own name for its status (VCH-4). */
export function CaseDialog({ voucherCase, onClose }: { voucherCase: VoucherCase; onClose: () => void }) {
  const t = useText()
  return (
    <Dialog
      title={t({ pl: `Sprawa ${voucherCase.number}`, en: `Case ${voucherCase.number}` })}
      description={t(processText[voucherCase.process])}
      initialFocus="title"
      onClose={onClose}
      footer={<Button onClick={onClose}>{t({ pl: 'Zamknij', en: 'Close' })}</Button>}
    >
      <DescriptionList>
        <Row name={t({ pl: 'Status', en: 'Status' })}>
          <CaseBadge status={voucherCase.status} />
        </Row>
        {voucherCase.providerStatus && (
          <Row name={t({ pl: 'Status u\u00a0dostawcy', en: 'Provider’s status' })}>
            <ProviderStatus status={voucherCase.providerStatus} />
          </Row>
        )}
        <CodeRow name={t({ pl: 'Kod voucher', en: 'Voucher code' })}>{voucherCase.code}</CodeRow>
        <Row name={t({ pl: 'Otwarto', en: 'Opened' })}>
          <DateTimeText at={voucherCase.createdAt} />
        </Row>
        <Row name={t({ pl: 'Ostatnia zmiana', en: 'Last change' })}>
          <DateTimeText at={voucherCase.updatedAt} />
        </Row>
      </DescriptionList>
      {voucherCase.note && <p>{t(voucherCase.note)}</p>}
      {voucherCase.status === 'in-progress' ? <CasePath /> : <p>{t(caseNextText[voucherCase.status])}</p>}
      {voucherCase.status === 'finished-unsuccessfully' && <CallButton />}
    </Dialog>
  )
}

/** Shows how far a case in progress is, and what comes next. */
function CasePath() {
  const t = useText()
  return (
    <ol className="path">
      <li>
        <Icon name="check-circle" />
        {t({ pl: 'Kod voucher przyjęty', en: 'Voucher code accepted' })}
      </li>
      <li aria-current="step">
        <Icon name="hourglass" />
        <b>{t({ pl: 'Zajmujemy się wnioskiem', en: 'We’re working on your application' })}</b>
      </li>
      <li>
        <span className="path__next" aria-hidden="true" />
        {t({ pl: 'Wynik, który wyślemy e-mailem', en: 'The result, which we’ll e-mail to you' })}
      </li>
    </ol>
  )
}

/**
 * Shows the provider's status, on the English page in English if its name is one of the usual ones; any other stays as the provider sent
 * it.
 */
function ProviderStatus({ status }: { status: string }) {
  const locale = useLocale()
  if (locale === 'pl') return status
  const english = caseStatusInEnglish(status)
  return english ?? <span lang="pl">{status}</span>
}
