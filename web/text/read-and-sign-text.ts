/** What leads to a document or the agreement of a renewal that waits for the customer’s signature. */
export const readAndSignText = { pl: 'Przeczytaj i\u00a0podpisz', en: 'Read and sign' }
