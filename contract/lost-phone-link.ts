/** Key under which a page stores the token of the link for a lost phone, and the text before the token in the fragment of the address. */
export const lostPhoneLink = { key: 'lost-phone-link', before: '#link=' }
