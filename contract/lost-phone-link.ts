/** Where a page keeps the token of the link for a lost phone, and what comes before it in the fragment of the address. */
export const lostPhoneLink = { key: 'lost-phone-link', before: '#link=' }
