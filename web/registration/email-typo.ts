/** The most common mail domains in Poland; each of these is correct. */
const known = [
  'gmail.com',
  'wp.pl',
  'o2.pl',
  'onet.pl',
  'op.pl',
  'poczta.onet.pl',
  'interia.pl',
  'interia.eu',
  'poczta.fm',
  'gazeta.pl',
  'tlen.pl',
  'vp.pl',
  'outlook.com',
  'hotmail.com',
  'live.com',
  'icloud.com',
  'me.com',
  'yahoo.com',
  'proton.me',
  'protonmail.com',
]

/** Returns the address that was probably meant; undefined if its domain is a known one, or similar to none of them. */
export function correctedEmail(typed: string): string | undefined {
  const [, local, domain] = /^\s*([^@\s]+)@([^@\s]+)\s*$/.exec(typed) ?? []
  const given = domain?.toLowerCase()
  if (!given || known.includes(given)) return undefined
  // Short domains are skipped, because one typo makes them look like many others.
  const meant = known.find((each) => each.length > 5 && isOneTypoAway(given, each))
  return meant && `${local}@${meant}`
}

/** Checks whether the texts differ by one typo: a letter too many, a missing or wrong one, or two that are swapped. */
function isOneTypoAway(given: string, meant: string): boolean {
  let start = 0
  while (start < given.length && given[start] === meant[start]) start++
  const [restGiven, restMeant] = [given.slice(start), meant.slice(start)]
  return (
    restGiven.slice(1) === restMeant ||
    restGiven === restMeant.slice(1) ||
    restGiven.slice(1) === restMeant.slice(1) ||
    (restGiven[0] === restMeant[1] && restGiven[1] === restMeant[0] && restGiven.slice(2) === restMeant.slice(2))
  )
}
