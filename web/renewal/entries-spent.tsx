import { isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { HelpLine } from '../app/support-line.tsx'
import type { ApiError } from '../calls/api.ts'
import { AnswerLink } from '../text/answer-link.tsx'
import { DateTimeText } from '../text/date-text.tsx'
import { Notice } from '../ui/notice.tsx'

/** Returns until when no code can be entered, after `too-many-attempts`. */
export const spentUntil = ({ problem: { retryAfter = 0 } }: ApiError) =>
  new Date(Date.now() + retryAfter * 1000).toISOString()

/** Shows that too many wrong codes were entered, when another code of any kind can be entered, and who helps now (VCH-2). */
export function TooManyCodesNotice({ until }: { until: string }) {
  const t = useText()
  return (
    <Notice
      kind="error"
      title={t(
        isOff('vouchers')
          ? {
              pl: 'Przekroczyłeś limit prób na wpisanie kodu. Skontaktuj się z\u00a0nami.',
              en: 'You’ve made too many attempts to enter a code. Contact us.',
            }
          : {
              pl: 'Przekroczyłeś limit prób na wpisanie kodu voucher. Skontaktuj się z\u00a0nami.',
              en: 'You’ve made too many attempts to enter a voucher code. Contact us.',
            },
      )}
    >
      <p>
        {t({ pl: 'Kolejny kod możesz wpisać od ', en: 'You can enter another code from ' })}
        <DateTimeText at={until} />. <AnswerLink to="voucher-refused" />
      </p>
      <HelpLine />
    </Notice>
  )
}
