/** `10 min`, and in the last minute `42 s`: a time that nobody needs to watch by the second. */
export const waitText = (seconds: number) =>
  seconds >= 60 ? `${Math.ceil(seconds / 60)}\u00a0min` : `${Math.max(0, Math.round(seconds))}\u00a0s`
