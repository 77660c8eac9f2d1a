import { Fragment, useState, type ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import { CaseStatus, listVoucherCases, type VoucherCase } from '../../contract/vouchers.ts'
import { CallButton } from '../call-button.tsx'
import { searchedOf, statusChoice } from '../list-search.tsx'
import { useText } from '../locale.tsx'
import { partOnDemand } from '../on-demand.tsx'
import { casePrefixes } from '../../contract/list-address.ts'
import { useAddressFilters, usePagedList } from '../paged-list.tsx'
import { processText } from '../../contract/vouchers.ts'
import { Notice } from '../ui/notice.tsx'
import { ListScreen } from '../list-screen.tsx'
import { CaseBadge, caseNextText, caseStatusLook, noCaseFound } from './case-status.tsx'
import { EnterVoucher } from './enter-voucher.tsx'
import { Cell, DataTable, RowHead, TableRow, Day } from '../ui/table.tsx'
import { Code, Verbatim } from '../ui/verbatim.tsx'

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

/** VCH-4: the cases that vouchers have opened. */
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

const columns = {
  case: { pl: 'Sprawa', en: 'Case' },
  date: { pl: 'Otwarto', en: 'Opened' },
  code: { pl: 'Kod voucher', en: 'Voucher code' },
  status: { pl: 'Status', en: 'Status' },
}

type CasesProps = { cases: readonly VoucherCase[]; onOpen: (voucherCase: VoucherCase) => void }

function Cases({ cases, onOpen }: CasesProps) {
  const t = useText()
  const failed = cases.filter(({ status }) => status === 'finished-unsuccessfully')
  const several = failed.length > 1
  return (
    <>
      {several && <FailedCases />}
      <DataTable
        className="cases"
        isCompact
        caption={{ pl: 'Sprawy z\u00a0voucherów', en: 'Voucher cases' }}
        columns={columns}
      >
        {cases.map((voucherCase) => (
          <Fragment key={voucherCase.id}>
            <TableRow>
              <RowHead>
                <button type="button" className="link" aria-haspopup="dialog" onClick={() => onOpen(voucherCase)}>
                  <span>
                    {t(processText[voucherCase.process])}
                    <span className="vh">
                      {t({ pl: ' (szczegóły sprawy ', en: ' (details of case ' })}
                      <Verbatim>{voucherCase.number}</Verbatim>)
                    </span>
                  </span>
                </button>
                <span className="sub">
                  {t({ pl: 'Sprawa ', en: 'Case ' })}
                  <Code>{voucherCase.number}</Code>
                </span>
              </RowHead>
              <Cell column={columns.date}>
                <Day at={voucherCase.createdAt} />
              </Cell>
              <Cell column={columns.code} className="t-more">
                <Code className="wrap">{voucherCase.code}</Code>
              </Cell>
              <Cell column={columns.status}>
                <CaseBadge status={voucherCase.status} />
                {!failed.includes(voucherCase) && <span className="sub">{t(caseNextText[voucherCase.status])}</span>}
              </Cell>
            </TableRow>
            {failed.includes(voucherCase) &&
              (several ? (
                voucherCase.note && <CaseNote note={voucherCase.note} />
              ) : (
                <FailedCase voucherCase={voucherCase} />
              ))}
          </Fragment>
        ))}
      </DataTable>
    </>
  )
}

/** What to do next about several cases that failed, once. */
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

/** Why it failed. */
function CaseNote({ note }: { note: Text }) {
  const t = useText()
  return (
    <NoteRow>
      <p className="soft small">{t(note)}</p>
    </NoteRow>
  )
}

/** Why the only case that failed did so, and what to do next, so that nobody is stuck (ux 3.4). */
function FailedCase({ voucherCase }: { voucherCase: VoucherCase }) {
  const t = useText()
  return (
    <NoteRow>
      <Notice kind="err">
        <p>
          {voucherCase.note && <>{t(voucherCase.note)} </>}
          {t(caseNextText[voucherCase.status])}
        </p>
        <CallButton />
      </Notice>
    </NoteRow>
  )
}

/** Below the row of its case. */
const NoteRow = ({ children }: { children: ReactNode }) => (
  <TableRow className="t-note">
    <Cell colSpan={Object.keys(columns).length}>{children}</Cell>
  </TableRow>
)
