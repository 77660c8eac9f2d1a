import { useRef, useState } from 'react'
import * as z from 'zod/mini'
import { Day } from '../../contract/day.ts'
import { verifyDeskAudit, type TrailFinding, type TrailVerification } from '../../contract/desk/desk-audit.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import type { Text } from '../../contract/enums.ts'
import { addDays } from '../../contract/rules/warsaw-time.ts'
import { useText } from '../app/locale.tsx'
import { PageHead } from '../app/page-head.tsx'
import { call, hasFailedWith } from '../calls/api.ts'
import { formatDateTime, formatNumber } from '../text/format.ts'
import { LookBadge, type StatusLook } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { DateField } from '../ui/date-field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { DataTable, type Column } from '../ui/table.tsx'
import './operations.css'
import { TrailTabs } from './trail-parts.tsx'

const { days: mostDays, verified: longest } = deskLimits.trail

const Days = z.strictObject({ from: Day, to: Day }).check(
  z.refine(({ from, to }) => from <= to, { error: 'date-order', path: ['to'] }),
  z.refine(({ from, to }) => to < addDays(from, mostDays), { error: 'date-range', path: ['to'] }),
)

const intact: StatusLook = { kind: 'ok', icon: 'check-circle', text: { pl: 'Bez zmian', en: 'Intact' } }
const empty: StatusLook = { kind: 'muted', icon: 'clock', text: { pl: 'Brak wpisów', en: 'No entries' } }
const damaged: StatusLook = { kind: 'error-strong', icon: 'warning', text: { pl: 'Naruszony', en: 'Damaged' } }

const findingText: Record<TrailFinding['what'], Text> = {
  changed: { pl: 'zmieniony, przeniesiony lub podrobiony', en: 'changed, moved here, or forged' },
  missing: { pl: 'brak', en: 'missing' },
  'out of order': { pl: 'nie następuje po poprzednim', en: 'does not follow the entry before it' },
  'cut off': { pl: 'odcięty koniec', en: 'cut off the end' },
  'unlike the head': { pl: 'inny niż w\u00a0podpisanym nagłówku', en: 'differs from the signed head' },
  'head replaced': { pl: 'wskazuje nowszy nagłówek niż w\u00a0węźle', en: 'names a newer head than the node has' },
  detached: { pl: 'miesiące odłączone bez polecenia', en: 'months were detached without the command' },
}

type Result = TrailVerification & { day: string }

const lookOf = ({ found, entries }: Result) => (found ? damaged : entries ? intact : empty)

const columns: Column<Result>[] = [
  { title: { pl: 'Dzień (UTC)', en: 'Day (UTC)' }, cell: ({ day }) => day },
  { title: { pl: 'Wpisy', en: 'Entries' }, cell: ({ entries }, t) => formatNumber(t.locale, entries) },
  { title: { pl: 'Łańcuchy', en: 'Chains' }, cell: ({ chains }, t) => formatNumber(t.locale, chains) },
  {
    title: { pl: 'Wynik', en: 'Result' },
    cell: (result, t) => (
      <>
        <LookBadge look={lookOf(result)} />
        {result.findings.map(({ chain, from, to, what }) => (
          <span key={`${chain} ${from} ${what}`} className="subtext">
            {chain} {from === to ? from : `${from}–${to}`}: {t(findingText[what])}
          </span>
        ))}
      </>
    ),
  },
]

/** Verifies the chain of the chosen days, one after another (DSK-14). */
export function VerificationScreen() {
  const t = useText()
  const { results, left, tooLong, verify, stop } = useVerification()
  return (
    <>
      <PageHead
        title={{ pl: 'Sprawdzenie łańcucha', en: 'Verification of the chain' }}
        lede={{
          pl: `Jak polecenie „sygnet audit verify --day”: najwyżej ${mostDays} dni, dzień po dniu.`,
          en: `As the command “sygnet audit verify --day” does: up to ${mostDays} days, one after another.`,
        }}
      />
      <TrailTabs />
      <Form className="trail__filters" schema={Days} summary={false} onSubmit={verify}>
        <DateField name="from" label={t({ pl: 'Od dnia', en: 'From' })} />
        <DateField name="to" label={t({ pl: 'Do dnia', en: 'To' })} />
        <Submit busyText={t({ pl: 'Sprawdzamy…', en: 'Verifying…' })}>{t({ pl: 'Sprawdź', en: 'Verify' })}</Submit>
        {left > 0 && <Button onClick={stop}>{t({ pl: 'Przerwij', en: 'Stop' })}</Button>}
      </Form>
      <div role="status" className="trail__status">
        {left > 0
          ? t({ pl: `Pozostało dni: ${left}`, en: `Days left: ${left}` })
          : results.length > 0 && <Summary results={results} isWhole={tooLong.length === 0} />}
      </div>
      {tooLong.length > 0 && (
        <Notice
          kind="warning"
          role="alert"
          title={t({ pl: `Nie sprawdzono: ${tooLong.join(', ')}`, en: `Not verified: ${tooLong.join(', ')}` })}
        >
          {t({
            pl: `Dzień ma ponad ${formatNumber('pl', longest)} wpisów. Poproś operatora o\u00a0polecenie „sygnet audit verify --day”.`,
            en: `The day has more than ${formatNumber('en', longest)} entries. Ask your operator to run “sygnet audit verify --day”.`,
          })}
        </Notice>
      )}
      {results.length > 0 && (
        <DataTable
          className="trail"
          caption={{ pl: 'Sprawdzone dni', en: 'Verified days' }}
          columns={columns}
          rows={results}
          keyOf={({ day }) => day}
        />
      )}
    </>
  )
}

/** Verifies days one after another. `left`: how many are still to be verified; `tooLong`: days with too many entries. */
function useVerification() {
  const [results, setResults] = useState<readonly Result[]>([])
  const [left, setLeft] = useState(0)
  const [tooLong, setTooLong] = useState<readonly string[]>([])
  const isStopped = useRef(false)

  async function verify({ from, to }: { from: string; to: string }) {
    isStopped.current = false
    setTooLong([])
    const days: string[] = []
    for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
    const done: Result[] = []
    setResults(done)
    try {
      for (const [i, day] of days.entries()) {
        setLeft(days.length - i)
        const result = await call(verifyDeskAudit, { body: { day } }).catch((error: unknown) => {
          if (!hasFailedWith(error, 'invalid-input')) throw error
          setTooLong((others) => [...others, day])
          return undefined
        })
        if (result) done.push({ day, ...result })
        setResults([...done])
        if (isStopped.current) break
      }
    } finally {
      setLeft(0)
    }
  }
  const stop = () => void (isStopped.current = true)
  return { results, left, tooLong, verify, stop }
}

/** Explains in plain words what was checked, and what was not. */
function Summary({ results, isWhole }: { results: readonly Result[]; isWhole: boolean }) {
  const t = useText()
  const entries = formatNumber(
    t.locale,
    results.reduce((sum, each) => sum + each.entries, 0),
  )
  const found = results.reduce((sum, each) => sum + each.found, 0)
  const head = results.at(-1)!.head
  const at = head && formatDateTime(t.locale, head.at)
  return (
    <Notice
      kind={found ? 'error' : head && isWhole ? 'ok' : 'warning'}
      title={
        found
          ? t({ pl: `Naruszenia: ${formatNumber(t.locale, found)}`, en: `Findings: ${formatNumber(t.locale, found)}` })
          : isWhole
            ? t({ pl: 'Nie znaleziono naruszeń', en: 'No damage found' })
            : t({
                pl: 'W\u00a0sprawdzonych dniach nie znaleziono naruszeń',
                en: 'No damage found on the days verified',
              })
      }
    >
      <p>
        {t({
          pl: `Dni: ${results.length}, wpisy: ${entries}. Sprawdzono treść każdego wpisu, kolejność bez luk i\u00a0powiązanie z\u00a0wpisem przed nim i\u00a0po nim.`,
          en: `Days: ${results.length}, entries: ${entries}. Checked: the content of each entry, the order without gaps, and the link to the entries before and after it.`,
        })}
      </p>
      <p>
        {head
          ? t({
              pl: `Porównano z\u00a0podpisanym nagłówkiem nr ${head.ordinal} z\u00a0${at}.`,
              en: `Compared with the signed head no. ${head.ordinal} of ${at}.`,
            })
          : t({
              pl: 'Ten węzeł nie ma podpisanego nagłówka, więc nie widać, czy odcięto koniec dziennika.',
              en: 'This node has no signed head, so it is not known whether the end of the trail was cut off.',
            })}{' '}
        {t({
          pl: 'Usunięcie całego dnia wykrywa sprawdzenie całego dziennika: „sygnet audit verify”.',
          en: 'The removal of a whole day is found by verifying the whole trail: “sygnet audit verify”.',
        })}
      </p>
    </Notice>
  )
}
