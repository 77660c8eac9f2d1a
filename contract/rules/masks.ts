/**
 * Hides a number but for its last three characters; of a short number it shows fewer, so that two thirds stay hidden. Every
 * number is masked in this way, so that two screens together show no more of it than one (DAT-7).
 */
export function maskNumber(text: string): string {
  const shown = Math.min(3, Math.floor(text.length / 3))
  return '•'.repeat(text.length - shown) + text.slice(text.length - shown)
}
