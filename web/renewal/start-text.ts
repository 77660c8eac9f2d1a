import type { Text } from '../../contract/enums.ts'

/** How the question about the start is answered; a chosen day is `immediately` with a day to the server. */
export type Start = 'continuity' | 'immediately' | 'chosen-day'

/** The answers, in step 1 and in the list of what was chosen. */
export const startText: Record<Start, Text> = {
  continuity: { pl: 'Bez przerwy', en: 'When the current one expires' },
  immediately: { pl: 'Od razu po wydaniu', en: 'As soon as it’s issued' },
  'chosen-day': { pl: 'Od wybranego dnia', en: 'On a day you choose' },
}
