import type { Text } from '../enums.ts'

/** The agreement that a customer signs: its own title, and its name in step 3 and in the mails about it (REN-7). */
export const agreementName: Text = {
  pl: 'Umowa o\u00a0kwalifikowany podpis elektroniczny',
  en: 'Qualified electronic signature agreement',
}
