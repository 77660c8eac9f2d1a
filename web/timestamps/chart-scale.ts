/** The top of a scale for values up to `most`: 1, 2, 4 or 5 times a power of ten, so that its half is a round number too. */
export function niceTop(most: number) {
  if (most <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(most))
  return [1, 2, 4, 5, 10].map((step) => step * power).find((top) => top >= most) ?? most
}
