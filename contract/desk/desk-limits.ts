// The numbers of the desk. They are apart from `limits`, which is in files of the customers (DSK-1). Times in seconds.
export const deskLimits = {
  session: { idle: 1800, absolute: 28_800 },
  /** Time that a sign-in at the OpenID provider may take. */
  signIn: 600,
  /** Maximum age of a logout token. */
  logout: 300,
  /** Searches, readings and actions of one person. */
  lookUps: { limit: 120, window: 3600 },
  /** Customers of one search. */
  found: 20,
  reason: 200,
  /** Time between two links or notices for one customer. */
  linkAgain: 60,
  trail: {
    /** Entries on a page. */
    page: 50,
    /** Entries in a file. */
    exported: 50_000,
    /** Entries examined for a page. */
    examined: 20_000,
    /** Entries examined for a file. */
    examinedForFile: 1_000_000,
    /** Pairs of somebody and a customer. */
    pairs: 200,
    /** Exports of one person. */
    exports: { limit: 20, window: 3600 },
    /** Entries of a day that is verified, which takes a minute. */
    verified: 1_000_000,
    /** Days that one person verifies. */
    verifications: { limit: 400, window: 3600 },
    /** Findings that an answer has. */
    findings: 100,
    /** Days in one order of the screen. */
    days: 31,
  },
  /** Objects of one kind of a customer. */
  shown: 20,
  /** Steps of a case. */
  steps: 200,
  /** Time for which a proposal can be decided. */
  proposal: 86_400,
  listedProposals: 100,
  /** Maximum age of a sign-in at the provider for a new secret. */
  recentSignIn: 900,
  checks: { limit: 1, window: 60 },
  /** Messages that are shown at once. */
  messages: 200,
  /** Messages that one call resends. */
  resent: 500,
  /** Messages named on the page of a customer, of those that failed permanently and of those still tried. */
  undelivered: 10,
  cause: 500,
  codes: {
    /** Vouchers that a call makes. */
    atOnce: 20,
    /** Maximum number of days for which a voucher is valid. */
    daysMost: 730,
    /** Codes on a page. */
    page: 100,
    /** Calls of one person that make codes. */
    calls: { limit: 20, window: 86_400 },
  },
  /** Tasks on a page. */
  tasks: 20,
  /** Time for which a report of a lost phone is shown. */
  phoneLost: 30 * 86_400,
}
