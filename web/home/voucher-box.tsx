import { useEffect, useRef, useState, type ReactNode } from 'react'
import {
  listVoucherCases,
  readVoucherLimit,
  redeemVoucher,
  VoucherForm,
  type VoucherCase,
} from '../../contract/vouchers.ts'
import { call, CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { forget, useRead } from '../reads.ts'
import { formatDateTime } from '../text/format.ts'
import { processText } from '../text/voucher-words.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { SupportLine } from '../ui/support-line.tsx'
import { RenewalCard } from './renewal-card.tsx'

/** What an entry has led to; the field stands there before and after. */
type Outcome = { opened: VoucherCase } | { renewalCode: string } | { blockedUntil: string }

/** HOM-2: redeems a voucher, and leads whoever has a renewal code on to the renewal. */
export function VoucherBox() {
  const t = useText()
  const limit = useRead(readVoucherLimit)
  const [outcome, setOutcome] = useState<Outcome>()
  const [again, setAgain] = useState(false)
  const enterAnother = () => {
    setAgain(true)
    setOutcome(undefined)
  }
  // Without an answer the field stands there all the same: the server decides about each entry.
  const known = limit.error && !limit.isFetching ? { blockedUntil: null } : limit.data
  return (
    <section className="card voucher" aria-labelledby="voucher">
      <h2 id="voucher" className="h-s" tabIndex={-1}>
        {t({ pl: 'Masz kod voucher?', en: 'Do you have a voucher code?' })}
      </h2>
      <Region
        query={{ ...limit, data: known, error: null }}
        skeleton={<Skeleton lines={3} />}
        label={t({ pl: 'Wczytujemy pole na kod', en: 'Loading the code field' })}
      >
        {({ blockedUntil }) =>
          outcome ? (
            <OutcomeOf outcome={outcome} onAnother={enterAnother} />
          ) : blockedUntil ? (
            <Blocked until={blockedUntil} />
          ) : (
            <CodeForm focused={again} onOutcome={setOutcome} />
          )
        }
      </Region>
    </section>
  )
}

/** `focused`: the button that led back to it is gone, so it takes the focus. */
function CodeForm({ focused, onOutcome }: { focused: boolean; onOutcome: (outcome: Outcome) => void }) {
  const t = useText()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (focused) place.current!.querySelector('input')!.focus()
  }, [focused])

  async function redeem({ code }: { code: string }) {
    try {
      const redeemed = await call(redeemVoucher, { body: { code } })
      // The list may have been read before.
      if (redeemed.kind === 'voucher') void forget(listVoucherCases)
      onOutcome(redeemed.kind === 'voucher' ? { opened: redeemed.case } : { renewalCode: code })
    } catch (error) {
      if (!(error instanceof CallFailed && error.code === 'too-many-attempts')) throw error
      onOutcome({ blockedUntil: new Date(Date.now() + (error.problem.retryAfter ?? 0) * 1000).toISOString() })
    }
  }

  return (
    <div ref={place} className="voucher__entry">
      <p className="soft small">
        {t({
          pl: 'Wpisz go, aby rozpocząć odnowienie lub odebrać usługę. Wielkość liter i\u00a0myślniki nie mają znaczenia.',
          en: 'Enter it to start a renewal or collect a service. Capitals and dashes make no difference.',
        })}
      </p>
      <Form
        schema={VoucherForm}
        onSubmit={redeem}
        failures={{ other: 'code' }}
        summary={false}
        className="voucher__form"
      >
        <Field
          name="code"
          label={t({ pl: 'Kod voucher', en: 'Voucher code' })}
          className="mono"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
        <Submit variant="secondary">{t({ pl: 'Użyj kodu', en: 'Use code' })}</Submit>
      </Form>
    </div>
  )
}

function OutcomeOf({ outcome, onAnother }: { outcome: Outcome; onAnother: () => void }) {
  const t = useText()
  if ('blockedUntil' in outcome)
    return (
      <Focused role="alert">
        <Blocked until={outcome.blockedUntil} />
      </Focused>
    )
  if ('renewalCode' in outcome)
    return (
      <Focused>
        <RenewalCard code={outcome.renewalCode} onAnother={onAnother} />
      </Focused>
    )
  const { number, process } = outcome.opened
  return (
    <Focused role="status">
      <Notice kind="ok" title={t({ pl: 'Sprawa jest otwarta', en: 'Your case is open' })}>
        <p>
          {t(processText[process])}
          {t({ pl: ': sprawa ', en: ': case ' })}
          <span className="mono">{number}</span>.{' '}
          {t({
            pl: 'Potwierdzenie wysłaliśmy e-mailem. O\u00a0dalszych krokach damy znać.',
            en: 'We have sent a confirmation by e-mail. We will let you know about the next steps.',
          })}
        </p>
      </Notice>
      <div className="btns">
        <ButtonLink to="/my-cases">{t({ pl: 'Zobacz sprawę', en: 'See the case' })}</ButtonLink>
        <Button variant="quiet" onClick={onAnother}>
          {t({ pl: 'Wpisz inny kod', en: 'Enter another code' })}
        </Button>
      </div>
    </Focused>
  )
}

/** VCH-2: from when on another code is looked at, and who helps now. */
function Blocked({ until }: { until: string }) {
  const t = useText()
  const locale = useLocale()
  return (
    <Notice
      kind="err"
      title={t({
        pl: 'Przekroczyłeś limit prób na wpisanie kodu voucher. Skontaktuj się z\u00a0nami.',
        en: 'You have reached the limit of attempts to enter a voucher code. Contact us.',
      })}
    >
      <p>
        {t({ pl: 'Kolejny kod możesz wpisać od ', en: 'You can enter another code from ' })}
        <time dateTime={until}>{formatDateTime(locale, until)}</time>. {t({ pl: 'Pomoc: ', en: 'Help: ' })}
        <SupportLine />
      </p>
    </Notice>
  )
}

/** Takes the focus, because the field that had it is gone. */
function Focused({ role, children }: { role?: 'alert' | 'status'; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current!.focus(), [])
  return (
    <div ref={place} role={role} tabIndex={-1} className="voucher__outcome">
      {children}
    </div>
  )
}
