/** Radix Select puts this sheet into the page when it opens. Its hash is in the policy of every page that may lead to one. */
export const selectSheet =
  '[data-radix-select-viewport]{scrollbar-width:none;-ms-overflow-style:none;-webkit-overflow-scrolling:touch;}[data-radix-select-viewport]::-webkit-scrollbar{display:none}'
