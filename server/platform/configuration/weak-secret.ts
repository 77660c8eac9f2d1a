/** What people put where a secret should be, longest first, so that `changeit` is not taken for `change` and two letters. */
const poorWords = `
  password changeme changeit passwort haslo secret default example sample placeholder letmein qwerty postgres sygnet
  portal admin root test demo token apikey key change your this here todo dummy insert please put the my me it abc
  12345678 123456 1234 123 xxx 000`
  .trim()
  .split(/\s+/)
  .toSorted((a, b) => b.length - a.length)

/** Why a secret protects nothing, to end the sentence "KEY …"; undefined where nothing speaks against it (R82). */
export function weaknessOf(secret: string, least: number): string | undefined {
  if (secret.length < least) return `is too short for a secret: it needs ${least} characters or more`
  // What is left once every poor word is taken out is what a guesser would not have tried first.
  const rest = poorWords.reduce(
    (text, word) => text.replaceAll(word, ''),
    secret.toLowerCase().replace(/[^\p{L}\d]/gu, ''),
  )
  if (new Set(rest).size < 5) return 'is a default or an example, which anyone can guess: draw one at random'
  return undefined
}
