/**
 * The numbers of the desk. `signIn`: for how long a sign-in at the OpenID provider may take. `logout`: how old a logout token may be.
 * `trail`: entries on a page, in a file, examined for a page or for a file, and of a day that is verified, which takes a minute; pairs of somebody and a customer; exports and verified days of
 * one person; findings that an answer has, and days in one order of the screen.
 * `lookUps`: searches, readings and actions of one person. `found`: customers of one search. `linkAgain`: between two links or notices for one customer.
 * `shown`: objects of one kind of a customer. `steps`: of a case.
 * `proposal`: for how long a proposal can be decided.
 * `recentSignIn`: how old a sign-in at the provider may be for a new secret. `messages`: shown at once; `resent`: by one call; `undelivered`: named on the page of a customer, of those given up and of those still tried.
 * `codes`: vouchers that a call makes, for how many days, and codes on a page; `calls`: that make codes, of one person.
 * `tasks`: on a page. `phoneLost`: for how long a report of a lost phone is shown.
 * They are apart from `limits`, which is in files of the customers (DSK-1). Times in seconds.
 */
export const deskLimits = {
  session: { idle: 1800, absolute: 28_800 },
  signIn: 600,
  logout: 300,
  lookUps: { limit: 120, window: 3600 },
  found: 20,
  reason: 200,
  linkAgain: 60,
  trail: {
    page: 50,
    exported: 50_000,
    examined: 20_000,
    examinedForFile: 1_000_000,
    pairs: 200,
    exports: { limit: 20, window: 3600 },
    verified: 1_000_000,
    verifications: { limit: 400, window: 3600 },
    findings: 100,
    days: 31,
  },
  shown: 20,
  steps: 200,
  proposal: 86_400,
  listedProposals: 100,
  recentSignIn: 900,
  checks: { limit: 1, window: 60 },
  messages: 200,
  resent: 500,
  undelivered: 10,
  cause: 500,
  codes: { atOnce: 20, daysMost: 730, page: 100, calls: { limit: 20, window: 86_400 } },
  tasks: 20,
  phoneLost: 30 * 86_400,
}
