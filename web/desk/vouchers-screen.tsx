import { useState } from 'react'
import * as z from 'zod/mini'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import type { DeskSession } from '../../contract/desk/desk-session.ts'
import {
  CodeStatus,
  createCodesAtDesk,
  listCodesAtDesk,
  withdrawCodeAtDesk,
  type ListedCode,
  type NewCodes,
} from '../../contract/desk/desk-vouchers.ts'
import type { Query, Reply } from '../../contract/endpoint.ts'
import type { Locale } from '../../contract/enums.ts'
import { ProviderId } from '../../contract/fields.ts'
import { processText, type VoucherProcess } from '../../contract/vouchers.ts'
import { isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { call, hasFailedWith } from '../calls/api.ts'
import { invalidate, useRead } from '../calls/reads.ts'
import { useLocalFilters } from '../lists/paged-list.tsx'
import { formatDate } from '../text/format.ts'
import { LookBadge, type StatusLook } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Field } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import { Select, textOptions } from '../ui/select.tsx'
import { DataTable, type Column } from '../ui/table.tsx'
import { DeskPages } from './desk-pages.tsx'
import { OperationsFrame, RowButton } from './operations-frame.tsx'
import { isRecent, refreshAfterOldSignIn, SignInAgain } from './recent-sign-in.tsx'
import { SecretDialog } from './secret-dialog.tsx'

const statusLook: Record<CodeStatus, StatusLook> = {
  unused: { kind: 'ok', icon: 'check-circle', text: { pl: 'Nieużyty', en: 'Unused' } },
  used: { kind: 'muted', icon: 'minus-circle', text: { pl: 'Użyty', en: 'Used' } },
  expired: { kind: 'muted', icon: 'close', text: { pl: 'Wygasł', en: 'Expired' } },
}

const renewalText = { pl: 'Odnowienie podpisu', en: 'Renewal of a signature' }

const text = { use: { pl: 'Do czego', en: 'For' }, status: { pl: 'Stan', en: 'State' } }
const columns: Column<ListedCode>[] = [
  { title: { pl: 'Identyfikator', en: 'Id' }, translate: 'no', className: 'desk-break', cell: ({ id }) => id },
  { title: { pl: 'Kod', en: 'Code' }, translate: 'no', cell: ({ code }) => code.replace(/•+/, '•••') },
  {
    title: text.use,
    cell: ({ process, signature }, t) => (
      <>
        {t(process ? processText[process] : renewalText)}
        {signature && (
          <div className="soft desk-break" translate="no">
            {signature}
          </div>
        )}
      </>
    ),
  },
  {
    title: { pl: 'Klient', en: 'Customer' },
    translate: 'no',
    className: 'desk-break',
    cell: ({ customer }) => customer ?? '–',
  },
  {
    title: text.status,
    cell: ({ status, case: caseNumber }) => (
      <>
        <LookBadge look={statusLook[status]} />
        {caseNumber && (
          <div className="soft nowrap" translate="no">
            {caseNumber}
          </div>
        )}
      </>
    ),
  },
  {
    title: { pl: 'Ważny do', en: 'Valid until' },
    cell: ({ expiresAt }, t) => formatDate(t.locale, expiresAt, 'short'),
  },
]

/** Returns what new codes can be for: nothing that is off, since a code leads the customer to it (DSK-36). */
export const codeUses = (locale: Locale) => [
  ...(isOff('vouchers') ? [] : textOptions(locale, processText)),
  ...(isOff('renewal') ? [] : textOptions(locale, { renewal: renewalText })),
]

const creatingNeedsIt = {
  pl: 'Tworzenie kodów wymaga logowania z\u00a0ostatnich 15\u00a0minut.',
  en: 'To create codes, you need a sign-in within the last 15 minutes.',
}

/** Shows voucher and renewal codes (DSK-37). */
export function VouchersScreen({ session }: { session: DeskSession }) {
  const t = useText()
  const [{ filters, cursors }, setPosition] = useLocalFilters<CodeFilters>({})
  const cursor = cursors.at(-1)
  const list = useRead(listCodesAtDesk, { query: { ...filters, ...(cursor && { cursor }) } })
  const canChange = isRecent(session)
  const isOffered = codeUses('pl').length > 0
  const [isCreating, setIsCreating] = useState(false)
  const [made, setMade] = useState<Reply<typeof createCodesAtDesk>>()
  const [withdrawn, setWithdrawn] = useState<string>()
  return (
    <OperationsFrame
      title={{ pl: 'Kody voucher i\u00a0kody odnowienia', en: 'Voucher and renewal codes' }}
      lede={{
        pl: 'Nowe kody pokazujemy raz. Na liście widać tylko ich końcówki.',
        en: 'New codes are shown once. The list has only their last characters.',
      }}
      action={
        isOffered &&
        canChange && (
          <Button variant="primary" icon="plus" onClick={() => setIsCreating(true)}>
            {t({ pl: 'Utwórz kody', en: 'Create codes' })}
          </Button>
        )
      }
    >
      {isOffered && !canChange && <SignInAgain why={creatingNeedsIt} />}
      <Filters onApply={(chosen) => setPosition({ filters: chosen, cursors: [] })} />
      <Region query={list} label={t({ pl: 'Wczytujemy kody', en: 'Loading codes' })}>
        {({ items, next }) => (
          <>
            <Codes items={items} onWithdraw={setWithdrawn} />
            {(cursor || next) && (
              <DeskPages
                name={{ pl: 'Strony kodów', en: 'Pages of codes' }}
                back={{ pl: 'Poprzednia strona', en: 'Previous page' }}
                onward={{ pl: 'Następna strona', en: 'Next page' }}
                cursors={cursors}
                next={next}
                goTo={(to) => setPosition({ filters, cursors: to })}
              />
            )}
          </>
        )}
      </Region>
      {isCreating && <CodeForm onMade={setMade} onClose={() => setIsCreating(false)} />}
      {withdrawn && <Withdrawal id={withdrawn} onClose={() => setWithdrawn(undefined)} />}
      {made && !isCreating && (
        <SecretDialog
          title={
            made.codes.length > 1
              ? t({ pl: 'Nowe kody', en: 'The new codes' })
              : t({ pl: 'Nowy kod', en: 'The new code' })
          }
          secret={made.codes.join('\n')}
          onClose={() => setMade(undefined)}
        >
          <p className="desk-break">
            {t({ pl: 'Identyfikator na liście zaczyna się od: ', en: 'In the list, the id begins with: ' })}
            <span translate="no">{made.idPrefix}</span>
          </p>
        </SecretDialog>
      )}
    </OperationsFrame>
  )
}

function Withdrawal({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useText()
  return (
    <ConfirmDialog
      title={t({ pl: 'Wycofać kod?', en: 'Withdraw the code?' })}
      description={
        <>
          <span translate="no" className="desk-break">
            {id}
          </span>
          <br />
          {t({ pl: 'Kod od razu wygaśnie.', en: 'The code expires at once.' })}
        </>
      }
      label={t({ pl: 'Wycofaj', en: 'Withdraw' })}
      onConfirm={() => call(withdrawCodeAtDesk, { params: { id } }).finally(() => invalidate(listCodesAtDesk))}
      onClose={onClose}
    />
  )
}

const CodeFilters = z.object({
  idPrefix: z.optional(ProviderId),
  customer: z.optional(ProviderId),
  status: z.optional(CodeStatus),
})
type CodeFilters = Omit<Query<typeof listCodesAtDesk>, 'cursor'>

function Filters({ onApply }: { onApply: (filters: CodeFilters) => void }) {
  const t = useText()
  return (
    <search>
      <Form
        className="desk-code-filters"
        schema={CodeFilters}
        summary={false}
        onSubmit={async (chosen) => onApply(chosen)}
      >
        <Field
          name="idPrefix"
          label={t({ pl: 'Początek identyfikatora', en: 'Id begins with' })}
          aria-required={false}
          autoComplete="off"
          spellCheck={false}
        />
        <Field
          name="customer"
          label={t({ pl: 'Identyfikator klienta', en: 'Id of the customer' })}
          aria-required={false}
          autoComplete="off"
          spellCheck={false}
        />
        <Select
          name="status"
          label={t(text.status)}
          options={[
            { value: '', label: t({ pl: 'wszystkie', en: 'all' }) },
            ...CodeStatus.options.map((value) => ({ value, label: t(statusLook[value].text) })),
          ]}
          value=""
        />
        <Submit variant="secondary" icon="search">
          {t({ pl: 'Pokaż', en: 'Show' })}
        </Submit>
      </Form>
    </search>
  )
}

type CodesProps = { items: readonly ListedCode[]; onWithdraw: (id: string) => void }

function Codes({ items, onWithdraw }: CodesProps) {
  const t = useText()
  if (!items.length) return <p className="soft">{t({ pl: 'Nie ma takich kodów.', en: 'No codes match.' })}</p>
  return (
    <DataTable
      caption={{ pl: 'Kody', en: 'Codes' }}
      columns={columns}
      rows={items}
      keyOf={({ id }) => id}
      actions={({ id, canWithdraw }) =>
        canWithdraw && <RowButton label={{ pl: 'Wycofaj', en: 'Withdraw' }} of={id} onClick={() => onWithdraw(id)} />
      }
    />
  )
}

const lives = [30, 90, 365, 730] as const
const counts = [1, 5, 10, deskLimits.codes.atOnce] as const
const Fields = z.object({
  use: z.string(),
  customer: z.optional(ProviderId),
  signature: z.optional(ProviderId),
  count: z.optional(z.string()),
  days: z.string(),
})
const RenewalFields = z.extend(Fields, { signature: ProviderId })

type FormProps = { onMade: (made: Reply<typeof createCodesAtDesk>) => void; onClose: () => void }

function CodeForm({ onMade, onClose }: FormProps) {
  const t = useText()
  const [use, setUse] = useState<VoucherProcess | 'renewal'>(codeUses(t.locale)[0]!.value)
  const [isUnknown, setIsUnknown] = useState(false)
  async function submit({ customer, signature, count, days }: z.infer<typeof Fields>) {
    setIsUnknown(false)
    const codes: NewCodes =
      use === 'renewal'
        ? { kind: 'renewal', signature: signature!, days: Number(days) }
        : { kind: 'voucher', process: use, customer: customer ?? null, count: Number(count), days: Number(days) }
    const made = await refreshAfterOldSignIn(call(createCodesAtDesk, { body: { codes } })).catch((error: unknown) => {
      if (!hasFailedWith(error, 'not-found')) throw error
      setIsUnknown(true)
      return undefined
    })
    if (!made) return
    onMade(made)
    onClose()
    await invalidate(listCodesAtDesk)
  }
  return (
    <FormDialog
      isStacked
      schema={use === 'renewal' ? RenewalFields : Fields}
      onSubmit={submit}
      summary="in-dialog"
      title={t({ pl: 'Nowe kody', en: 'New codes' })}
      onClose={onClose}
      submit={t({ pl: 'Utwórz', en: 'Create' })}
    >
      {isUnknown && (
        <Notice kind="error" role="alert">
          {use === 'renewal'
            ? t({ pl: 'Portal nie zna tego podpisu.', en: 'The portal doesn’t know this signature.' })
            : t({ pl: 'Portal nie zna tego klienta.', en: 'The portal doesn’t know this customer.' })}
        </Notice>
      )}
      <Select name="use" label={t(text.use)} value={use} onChange={setUse} options={codeUses(t.locale)} />
      {use === 'renewal' ? (
        <Field
          key="signature"
          name="signature"
          label={t({ pl: 'Identyfikator podpisu', en: 'Id of the signature' })}
          hint={t({
            pl: 'Kodu może użyć tylko właściciel podpisu.',
            en: 'Only the owner of the signature can use the code.',
          })}
          autoComplete="off"
          spellCheck={false}
        />
      ) : (
        <>
          <Field
            key="customer"
            name="customer"
            optional
            label={t({ pl: 'Identyfikator klienta', en: 'Id of the customer' })}
            hint={t({ pl: 'Bez niego kodu może użyć każdy.', en: 'Without it, anybody can use the code.' })}
            autoComplete="off"
            spellCheck={false}
          />
          <Select
            name="count"
            label={t({ pl: 'Liczba kodów', en: 'Number of codes' })}
            value="1"
            options={counts.map((count) => ({ value: String(count), label: String(count) }))}
          />
        </>
      )}
      <Select
        name="days"
        label={t({ pl: 'Ważność', en: 'Valid for' })}
        value="365"
        options={lives.map((days) => ({ value: String(days), label: t({ pl: `${days} dni`, en: `${days} days` }) }))}
      />
    </FormDialog>
  )
}
