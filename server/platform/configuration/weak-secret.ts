/** Common placeholders, longest first, so that `changeit` is not read as `change` and two letters. */
const weakWords = `
  password changeme changeit passwort haslo secret default example sample placeholder letmein qwerty postgres sygnet
  portal admin root test demo token apikey key change your this here todo dummy insert please put the my me it abc
  12345678 123456 1234 123 xxx 000`
  .trim()
  .split(/\s+/)
  .toSorted((a, b) => b.length - a.length)

/** Why a secret is weak, to complete the sentence "KEY …"; undefined if it is not (R82). */
export function weaknessOf(secret: string, least: number): string | undefined {
  if (secret.length < least) return `is too short for a secret: it needs ${least} characters or more`
  // Only what is left without the placeholders protects against guessing.
  const rest = weakWords.reduce(
    (text, placeholder) => text.replaceAll(placeholder, ''),
    secret.toLowerCase().replace(/[^\p{L}\d]/gu, ''),
  )
  if (new Set(rest).size < 5) return 'is a default or an example, which anyone can guess: draw one at random'
  return undefined
}
