import type { CodeSent } from '../../contract/account.ts'
import type { Text } from '../../contract/enums.ts'

export const codeLabel: Record<CodeSent['channel'], Text> = {
  sms: { pl: 'Kod SMS, 6\u00a0cyfr', en: 'Text-message code, 6\u00a0digits' },
  email: { pl: 'Kod z\u00a0e-maila, 6\u00a0cyfr', en: 'E-mail code, 6\u00a0digits' },
}

/** Before the number or address. Only a second text message and those after it have a number, as in their text, so that the newest one can be found. */
export const codeSentText = ({ channel, ordinal }: CodeSent): Text =>
  channel === 'email'
    ? { pl: 'Wysłaliśmy e-mail z\u00a0kodem na adres ', en: 'We’ve e-mailed a code to ' }
    : ordinal > 1
      ? {
          pl: `Wysłaliśmy SMS z\u00a0kodem nr\u00a0${ordinal} na numer `,
          en: `We’ve sent a text message with code no.\u00a0${ordinal} to `,
        }
      : { pl: 'Wysłaliśmy kod SMS na numer ', en: 'We’ve sent a text-message code to ' }
