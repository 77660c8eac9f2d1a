/**
 * The numbers of the desk. `signIn`: for how long a sign-in at the OpenID provider may take. `logout`: how old a logout token may be.
 * `lookUps`: searches, readings and actions of one person. `found`: customers of one search. `linkAgain`: between two links for one customer.
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
}
