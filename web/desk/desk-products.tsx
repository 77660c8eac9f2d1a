import { useState } from 'react'
import { readDeskCase, resendInvitationAtDesk, withdrawInvitationAtDesk } from '../../contract/desk/desk-cases.ts'
import { readDeskCustomer, type DeskCustomer } from '../../contract/desk/desk-customers.ts'
import { moveAtDesk } from '../../contract/desk/desk-moves.ts'
import { mayCall } from '../../contract/desk/desk-permissions.ts'
import type { DeskSession } from '../../contract/desk/desk-session.ts'
import type { Text } from '../../contract/enums.ts'
import { isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { call } from '../calls/api.ts'
import { setCached } from '../calls/reads.ts'
import { LookBadge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Link } from '../ui/link.tsx'
import { Notice } from '../ui/notice.tsx'
import { DataTable, type Column } from '../ui/table.tsx'
import './desk.css'
import { MoveDialog } from './move-dialog.tsx'
import { productGroups, type ProductGroup, type ProductRow } from './product-rows.ts'

type Task = { kind: 'move' | 'resend' | 'withdraw'; row: ProductRow }

const columns: Column<ProductRow>[] = [
  { title: { pl: 'Co', en: 'What' }, cell: ({ what }) => what },
  {
    title: { pl: 'Numer', en: 'Number' },
    translate: 'no',
    cell: ({ number }) => number,
  },
  { title: { pl: 'Stan', en: 'State' }, cell: ({ look }) => <LookBadge look={look} /> },
  { title: { pl: 'Szczegóły', en: 'Details' }, cell: ({ detail }) => detail },
]

type Props = { customer: Pick<DeskCustomer, 'account' | 'products'>; session: Pick<DeskSession, 'roles'> }

/** Shows a customer's products and cases, which an agent can follow or correct (DSK-18). */
export function ProductsCard({ customer, session }: Props) {
  const t = useText()
  const [task, setTask] = useState<Task>()
  const [done, setDone] = useState<Text>()
  const groups = productGroups(t.locale, customer.products)
  return (
    <section className="desk-products" aria-labelledby="products">
      <h2 id="products">{t({ pl: 'Produkty i sprawy klienta', en: 'What this customer has' })}</h2>
      <div role="status">{done && <Notice kind="ok">{t(done)}</Notice>}</div>
      {!groups.length && (
        <p className="soft">
          {t({ pl: 'Nie ma jeszcze żadnych produktów ani spraw.', en: 'No products and no cases yet.' })}
        </p>
      )}
      {groups.map((group) => (
        <Group key={group.name} group={group} account={customer.account} session={session} onTask={setTask} />
      ))}
      {task && (
        <TaskDialog task={task} account={customer.account} onDone={setDone} onClose={() => setTask(undefined)} />
      )}
    </section>
  )
}

type ActionsProps = { row: ProductRow; account: string; session: Props['session']; onTask: (task: Task) => void }

type GroupProps = Omit<ActionsProps, 'row'> & { group: ProductGroup }

function Group({ group: { title, rows, hasMore, name }, ...actions }: GroupProps) {
  const t = useText()
  const heading = `products-${name}`
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading}>{t(title)}</h3>
      <DataTable
        className="desk-products__table"
        caption={title}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        actions={(row) => <Actions row={row} {...actions} />}
        actionsClass="table-actions"
      />
      {hasMore && (
        <p className="soft">
          {t({ pl: 'Pokazujemy najnowsze; jest ich więcej.', en: 'These are the newest; there are more.' })}
        </p>
      )}
    </section>
  )
}

function Actions({ row, account, session: { roles }, onTask }: ActionsProps) {
  const t = useText()
  const { id, what, number, follow, move, isInvitation } = row
  const of = (
    <span className="unseen">
      {' '}
      – {what} {number}
    </span>
  )
  return (
    <div className="buttons desk-products__actions">
      {follow && mayCall(readDeskCase, roles) && (
        <Link className="button button--secondary button--small" to={`/customers/${account}/cases/${follow}/${id}`}>
          {t({ pl: 'Otwórz', en: 'Open' })}
          {of}
        </Link>
      )}
      {move && mayCall(moveAtDesk, roles) && (
        <Button size="s" variant="quiet" onClick={() => onTask({ kind: 'move', row })}>
          {t({ pl: 'Przenieś', en: 'Move' })}
          {of}
        </Button>
      )}
      {isInvitation && mayCall(resendInvitationAtDesk, roles) && (
        <>
          {!isOff('seals') && (
            <Button size="s" onClick={() => onTask({ kind: 'resend', row })}>
              {t({ pl: 'Wyślij ponownie', en: 'Send again' })}
              {of}
            </Button>
          )}
          <Button size="s" variant="quiet" onClick={() => onTask({ kind: 'withdraw', row })}>
            {t({ pl: 'Wycofaj', en: 'Withdraw' })}
            {of}
          </Button>
        </>
      )}
    </div>
  )
}

const invitationTasks = {
  resend: {
    endpoint: resendInvitationAtDesk,
    title: { pl: 'Wysłać zaproszenie ponownie?', en: 'Send the invitation again?' },
    effect: {
      pl: 'Klient dostanie e-mail, a\u00a0zaproszenie będzie ważne kolejne 7\u00a0dni.',
      en: 'The customer gets an e-mail, and the invitation is valid for another 7\u00a0days.',
    },
    label: { pl: 'Wyślij ponownie', en: 'Send again' },
    done: { pl: 'Zaproszenie wysłane.', en: 'The invitation was sent.' },
  },
  withdraw: {
    endpoint: withdrawInvitationAtDesk,
    title: { pl: 'Wycofać zaproszenie?', en: 'Withdraw the invitation?' },
    effect: {
      pl: 'Link z\u00a0tego zaproszenia przestanie działać. Dostępu, który klient już ma, to nie zmienia.',
      en: 'The link of this invitation stops working. Access that the customer has already does not change.',
    },
    label: { pl: 'Wycofaj', en: 'Withdraw' },
    done: { pl: 'Zaproszenie wycofane.', en: 'The invitation was withdrawn.' },
  },
} as const

type DialogProps = { task: Task; account: string; onDone: (done: Text) => void; onClose: () => void }

function TaskDialog({ task: { kind, row }, account, onDone, onClose }: DialogProps) {
  const t = useText()
  const show = (customer: DeskCustomer) => setCached(readDeskCustomer, { params: { id: account } }, customer)
  if (kind === 'move')
    return (
      <MoveDialog
        account={account}
        kind={row.move!}
        row={row}
        onMoved={async (customer) => {
          await show(customer)
          onDone({ pl: 'Przeniesiono do właściwego klienta.', en: 'Moved to the right customer.' })
        }}
        onClose={onClose}
      />
    )
  const { endpoint, title, effect, label, done } = invitationTasks[kind]
  async function confirm() {
    await show(await call(endpoint, { params: { id: account, invitation: row.id } }))
    onDone(done)
  }
  return (
    <ConfirmDialog title={t(title)} description={t(effect)} label={t(label)} onConfirm={confirm} onClose={onClose} />
  )
}
