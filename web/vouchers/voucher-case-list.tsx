import { Fragment, useState } from 'react'
import { listVoucherCases, type CaseStatus, type VoucherCase } from '../../contract/vouchers.ts'
import { useText } from '../locale.tsx'
import { partOnDemand } from '../on-demand.tsx'
import { useRead } from '../reads.ts'
import { processText } from '../text/voucher-words.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { SupportLine } from '../ui/support-line.tsx'
import { CaseFrame, useCasePages } from './case-pages.tsx'
import { caseNextText, caseStatusLook } from './case-status-look.ts'
import { as } from '../ui/table.tsx'
import { CaseTable, Day } from './case-table.tsx'

const CaseDialog = partOnDemand(() => import('./case-dialog.tsx').then((file) => file.CaseDialog))

const statuses = {
  'in-progress': caseStatusLook['in-progress'].text,
  'finished-successfully': caseStatusLook['finished-successfully'].text,
  'finished-unsuccessfully': caseStatusLook['finished-unsuccessfully'].text,
}

/** VCH-4: the cases that vouchers have opened. */
export function VoucherCaseList() {
  const t = useText()
  const pages = useCasePages<CaseStatus>()
  const list = useRead(listVoucherCases, { query: pages.query })
  const [shown, setShown] = useState<VoucherCase>()
  return (
    <CaseFrame pages={pages} page={list.data} statuses={statuses}>
      <Region
        query={list}
        skeleton={<Skeleton lines={4} />}
        label={t({ pl: 'Wczytujemy sprawy z\u00a0kodów voucher', en: 'Loading voucher cases' })}
      >
        {({ items }) =>
          items.length ? (
            <Cases cases={items} onOpen={setShown} />
          ) : pages.status ? (
            <Empty
              reason={t({ pl: 'Żadna sprawa nie ma tego statusu.', en: 'No case has this status.' })}
              action={
                <Button onClick={() => pages.ask(undefined)}>{t({ pl: 'Wyczyść filtry', en: 'Clear filters' })}</Button>
              }
            />
          ) : (
            <Empty
              reason={t({
                pl: 'Sprawa pojawi się tutaj, gdy użyjesz kodu voucher na stronie Start.',
                en: 'A case appears here when you use a voucher code on the home page.',
              })}
              action={<ButtonLink to="/home">{t({ pl: 'Wpisz kod voucher', en: 'Enter a voucher code' })}</ButtonLink>}
            />
          )
        }
      </Region>
      {shown && <CaseDialog one={shown} onClose={() => setShown(undefined)} />}
    </CaseFrame>
  )
}

export function CaseBadge({ status }: { status: CaseStatus }) {
  const t = useText()
  const { kind, icon, text } = caseStatusLook[status]
  return (
    <Badge kind={kind} icon={icon}>
      {t(text)}
    </Badge>
  )
}

function Cases({ cases, onOpen }: { cases: readonly VoucherCase[]; onOpen: (one: VoucherCase) => void }) {
  const t = useText()
  const columns = {
    case: t({ pl: 'Sprawa', en: 'Case' }),
    date: t({ pl: 'Data', en: 'Date' }),
    code: t({ pl: 'Kod voucher', en: 'Voucher code' }),
    status: t({ pl: 'Status', en: 'Status' }),
  }
  return (
    <CaseTable caption={t({ pl: 'Sprawy z\u00a0kodów voucher', en: 'Voucher cases' })} columns={Object.values(columns)}>
      {cases.map((one) => (
        <Fragment key={one.id}>
          <tr {...as.row}>
            <th scope="row" {...as.rowheader} className="t-main">
              <b>{t(processText[one.process])}</b>
              <span className="sub">
                {t({ pl: 'Sprawa ', en: 'Case ' })}
                <span className="mono">{one.number}</span>
              </span>
            </th>
            <td {...as.cell} data-label={columns.date}>
              <Day at={one.createdAt} />
            </td>
            <td {...as.cell} data-label={columns.code}>
              <span className="mono wrap">{one.code}</span>
            </td>
            <td {...as.cell} data-label={columns.status}>
              <CaseBadge status={one.status} />
            </td>
            <td {...as.cell} className="t-act">
              <Button
                variant="quiet"
                size="s"
                aria-haspopup="dialog"
                aria-label={t({ pl: `Szczegóły sprawy ${one.number}`, en: `Details of case ${one.number}` })}
                onClick={() => onOpen(one)}
              >
                {t({ pl: 'Szczegóły', en: 'Details' })}
              </Button>
            </td>
          </tr>
          {one.status === 'finished-unsuccessfully' && <Failed one={one} columns={Object.keys(columns).length + 1} />}
        </Fragment>
      ))}
    </CaseTable>
  )
}

/** Never a dead end (ux 3.4). */
function Failed({ one, columns }: { one: VoucherCase; columns: number }) {
  const t = useText()
  return (
    <tr {...as.row} className="cases__failed">
      <td {...as.cell} colSpan={columns}>
        <Notice kind="err">
          <p>
            {one.note && <>{t(one.note)} </>}
            {t(caseNextText[one.status])} <SupportLine />
          </p>
        </Notice>
      </td>
    </tr>
  )
}
