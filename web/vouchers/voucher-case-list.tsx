import { useState } from 'react'
import { casePrefixes } from '../../contract/list-pages.ts'
import { pages } from '../../contract/pages.ts'
import { CaseStatus, listVoucherCases, type VoucherCase } from '../../contract/vouchers.ts'
import { processText } from '../../contract/vouchers.ts'
import { useText } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { ListScreen } from '../lists/list-screen.tsx'
import { searchedOf, statusChoice } from '../lists/list-search.tsx'
import { useAddressFilters, usePagedList } from '../lists/paged-list.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { CallButton } from '../ui/call-button.tsx'
import { Notice } from '../ui/notice.tsx'
import { DataTable, DayText, type Column } from '../ui/table.tsx'
import { Code, Verbatim } from '../ui/verbatim.tsx'
import { CaseBadge, caseNextText, caseStatusLook, noCaseFound } from './case-status.tsx'

const CaseDialog = partOnDemand(() => import('./case-dialog.tsx').then((file) => file.CaseDialog))

const filtersOf = ({ status, ...searched }: Record<string, unknown>) => ({
  ...searchedOf(searched),
  status: CaseStatus.safeParse(status).data,
})

const search = {
  label: { pl: 'Szukaj po nazwie, numerze lub kodzie', en: 'Search by name, number or code' },
  choices: [statusChoice('status', caseStatusLook)],
  filtersOf,
}

export const useVoucherCases = () => usePagedList(listVoucherCases, useAddressFilters(filtersOf, casePrefixes.vouchers))

/** Leads to the voucher box of the home page. */
export function EnterVoucher() {
  const t = useText()
  return <ButtonLink to={pages.home.path}>{t({ pl: 'Wpisz kod voucher', en: 'Enter a voucher code' })}</ButtonLink>
}

/** Shows the cases that vouchers have opened (VCH-4). */
export function VoucherCaseList({ cases }: { cases: ReturnType<typeof useVoucherCases> }) {
  const [shown, setShown] = useState<VoucherCase>()
  return (
    <>
      <ListScreen
        paged={cases}
        name={{ pl: 'sprawy z\u00a0voucherów', en: 'voucher cases' }}
        search={search}
        loading={{ pl: 'Wczytujemy sprawy z\u00a0voucherów', en: 'Loading voucher cases' }}
        empty={{
          icon: 'ticket',
          noMatch: noCaseFound,
          reason: {
            pl: 'Sprawa pojawi się tutaj, gdy użyjesz kodu voucher na stronie Start.',
            en: 'You’ll see a case here when you use a voucher code on the Home page.',
          },
          action: <EnterVoucher />,
        }}
      >
        {({ items }) => <Cases cases={items} onOpen={setShown} />}
      </ListScreen>
      {shown && <CaseDialog voucherCase={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

const hasFailed = ({ status }: VoucherCase) => status === 'finished-unsuccessfully'

type CasesProps = { cases: readonly VoucherCase[]; onOpen: (voucherCase: VoucherCase) => void }

function Cases({ cases, onOpen }: CasesProps) {
  const failed = cases.filter(hasFailed)
  const areSeveral = failed.length > 1
  const columns: Column<VoucherCase>[] = [
    {
      title: { pl: 'Sprawa', en: 'Case' },
      cell: (voucherCase) => <CaseName voucherCase={voucherCase} onOpen={() => onOpen(voucherCase)} />,
    },
    { title: { pl: 'Otwarto', en: 'Opened' }, cell: ({ createdAt }) => <DayText at={createdAt} /> },
    {
      title: { pl: 'Kod voucher', en: 'Voucher code' },
      className: 'table-more',
      cell: ({ code }) => <Code className="wrap">{code}</Code>,
    },
    {
      title: { pl: 'Status', en: 'Status' },
      cell: (voucherCase, t) => (
        <>
          <CaseBadge status={voucherCase.status} />
          {!hasFailed(voucherCase) && <span className="subtext">{t(caseNextText[voucherCase.status])}</span>}
        </>
      ),
    },
  ]
  return (
    <>
      {areSeveral && <FailedCases />}
      <DataTable
        className="cases"
        isCompact
        caption={{ pl: 'Sprawy z\u00a0voucherów', en: 'Voucher cases' }}
        columns={columns}
        rows={cases}
        keyOf={({ id }) => id}
        noteOf={(voucherCase, t) => {
          if (!hasFailed(voucherCase)) return null
          if (!areSeveral) return <FailedCase voucherCase={voucherCase} />
          return voucherCase.note && <p className="soft small">{t(voucherCase.note)}</p>
        }}
      />
    </>
  )
}

function CaseName({ voucherCase: { process, number }, onOpen }: { voucherCase: VoucherCase; onOpen: () => void }) {
  const t = useText()
  return (
    <>
      <button type="button" className="link" aria-haspopup="dialog" onClick={onOpen}>
        <span>
          {t(processText[process])}
          <span className="unseen">
            {t({ pl: ' (szczegóły sprawy ', en: ' (details of case ' })}
            <Verbatim>{number}</Verbatim>)
          </span>
        </span>
      </button>
      <span className="subtext">
        {t({ pl: 'Sprawa ', en: 'Case ' })}
        <Code>{number}</Code>
      </span>
    </>
  )
}

/** Shows, once, what to do next about several failed cases. */
function FailedCases() {
  const t = useText()
  return (
    <Notice kind="info">
      <p>
        {t({
          pl: 'Jeśli sprawy nie zrealizowano, zadzwoń do nas i\u00a0podaj jej numer: powiemy, co zrobić dalej.',
          en: 'If a case was unsuccessful, call us with its number and we’ll tell you what to do next.',
        })}
      </p>
      <CallButton />
    </Notice>
  )
}

/** Shows why the only failed case failed and what to do next, so that nobody is stuck. */
function FailedCase({ voucherCase }: { voucherCase: VoucherCase }) {
  const t = useText()
  return (
    <Notice kind="error">
      <p>
        {voucherCase.note && <>{t(voucherCase.note)} </>}
        {t(caseNextText[voucherCase.status])}
      </p>
      <CallButton />
    </Notice>
  )
}
