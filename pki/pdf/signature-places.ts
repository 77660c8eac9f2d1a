/** Nine places on a page, as a reader sees it, where a signature can be shown. */
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
