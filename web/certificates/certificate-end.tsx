import type * as z from 'zod/mini'
import type { Text } from '../../contract/enums.ts'
import type { CertificateState } from '../../contract/signatures-and-seals.ts'
import { useText } from '../app/locale.tsx'
import { DateText, DateTimeText } from '../text/date-text.tsx'
import { daysText } from '../text/period-text.ts'
import { endsSoon, type validityOf } from '../text/validity.ts'
import { Row } from '../ui/description-list.tsx'

type Certificate = Pick<z.infer<typeof CertificateState>, 'validFrom' | 'validTo' | 'reason'>
type Validity = Pick<ReturnType<typeof validityOf>, 'days' | 'urgency' | 'left'>

type Props = { certificate: Certificate; validity: Validity }

/** Shows the end of a certificate in a row: the date, and the days left unless the badge has them; the badge has the start (UIX-10). */
export function EndLine({ certificate: { validTo, reason }, validity }: Props) {
  const t = useText()
  if (reason === 'not-yet-valid') return null
  return (
    <>
      {t({ pl: 'do\u00a0', en: 'until\u00a0' })}
      <DateText at={validTo} length="short" />
      {!reason && !endsSoon(validity) && (
        <span className="certificate-row__extra">
          {t({ pl: `, jeszcze ${daysText('pl', validity.days)}`, en: `, ${daysText('en', validity.days)} left` })}
        </span>
      )}
    </>
  )
}

/** Shows the days left of an active certificate in its details, unless the badge has them. */
export function DaysLeftRow({ validity }: { validity: Validity }) {
  const t = useText()
  return (
    !endsSoon(validity) && <Row name={t({ pl: 'Zostało', en: 'Time left' })}>{daysText(t.locale, validity.days)}</Row>
  )
}

type LifeBarProps = {
  certificate: Pick<Certificate, 'validFrom' | 'validTo'>
  validity: Validity
  /** „Ważny od ”, in the grammatical gender of the product. */
  from: Text
}

/** Shows how much of the validity is left, on the way from its start to its end. */
export function LifeBar({ certificate: { validFrom, validTo }, validity, from }: LifeBarProps) {
  const t = useText()
  const percent = Math.round(validity.left * 100)
  return (
    <div className="remaining remaining--time">
      <progress
        className={endsSoon(validity) ? 'meter meter--warning' : 'meter'}
        max={100}
        value={percent}
        aria-hidden="true"
      />
      <p className="unseen">
        {t({ pl: `Zostało ${percent}% okresu ważności.`, en: `${percent}% of the validity period is left.` })}
      </p>
      <div className="remaining__row">
        <span>
          {t(from)}
          <DateText at={validFrom} />
        </span>
        <span>
          {t({ pl: 'do ', en: 'until ' })}
          <DateTimeText at={validTo} />
        </span>
      </div>
    </div>
  )
}
