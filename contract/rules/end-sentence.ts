/** Ends a sentence (UIX-6), which may end with a name that has its own full stop, such as „Biuro Zielińska S.A.”. */
export const endSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)
