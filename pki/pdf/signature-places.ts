/** Where on a page a signature is shown, as a reader sees the page: one of nine places. */
export const signaturePlaces = [
  'top-left',
  'top',
  'top-right',
  'left',
  'middle',
  'right',
  'bottom-left',
  'bottom',
  'bottom-right',
] as const
export type SignaturePlace = (typeof signaturePlaces)[number]
