import type { CodeSent } from '../../contract/account.ts'
import type { Text } from '../../contract/enums.ts'

/** Before the number. Only a second message and those after it have a number, as in their text, so that the newest one can be found. */
export const codeSentText = ({ ordinal }: CodeSent): Text =>
  ordinal > 1
    ? {
        pl: `Wysłaliśmy SMS z\u00a0kodem nr\u00a0${ordinal} na numer `,
        en: `We’ve sent a text message with code no.\u00a0${ordinal} to `,
      }
    : { pl: 'Wysłaliśmy kod SMS na numer ', en: 'We’ve sent a text-message code to ' }
