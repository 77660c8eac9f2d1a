/** Long texts that are the most expensive for Unicode algorithms. Each is cut to the size limit of a request. */
const worst: Record<string, (length: number) => string> = {
  // Canonical reordering of combining marks is quadratic: each of the second kind moves over all of the first.
  'marks out of order': (length) => `a${'\u0301'.repeat(length / 2)}${'\u0323'.repeat(length / 2)}`,
  'marks in turn': (length) => `a${'\u0301\u0323'.repeat(length / 2)}`,
  'marks of many classes': (length) =>
    `a${'\u0345\u0315\u0321\u0334\u05b0\u064b\u0e38\u0f71\u302a\u3099'.repeat(length / 10)}`,
  'marks of the supplementary planes': (length) => `a${'\u{1d165}\u{1d16d}\u{1d17b}'.repeat(length / 6)}`,
  'Hangul in pieces': (length) => '\u1112\u1161\u11ab'.repeat(length / 3),
  'leading Jamo alone': (length) => '\u1100'.repeat(length),
  'joined emoji': (length) => '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d'.repeat(length / 9),
  'regional indicators': (length) => '\u{1f1f5}'.repeat(length / 2),
  tags: (length) => `\u{1f3f4}${'\u{e0067}'.repeat(length / 2)}`,
  'what NFKC makes eighteen of': (length) => '\ufdfa'.repeat(length),
  ligatures: (length) => '\ufb03\u3300\u33ff'.repeat(length / 3),
  'letters whose case has another length': (length) => '\u00df\u0130\u0149\u01f0\u1e9e'.repeat(length / 5),
  'final sigma': (length) => '\u03a3'.repeat(length),
  'from right to left': (length) => '\u202e\u05d0\u0627'.repeat(length / 3),
  'nested isolates': (length) => '\u2066'.repeat(length / 2) + '\u2069'.repeat(length / 2),
  'full width': (length) => '\uff11\uff21\uff0e'.repeat(length / 3),
  'white space': (length) => '\u00a0\u2003\u3000 \t'.repeat(length / 5) + 'x',
  'a host of many labels': (length) => `a@${'xn--a.\u00e9.'.repeat(length / 9)}pl`,
  'a long host': (length) => `https://${'\u00e9\u0323\u0301'.repeat(length / 3)}.example`,
  digits: (length) => `+48${'5'.repeat(length)}`,
  plain: (length) => 'a'.repeat(length),
  'at signs': (length) => 'a@'.repeat(length / 2),
  dots: (length) => `a@${'a.'.repeat(length / 2)}`,
  dashes: (length) => '\u2010\u2212-'.repeat(length / 3),
  'halves of pairs': (length) => '\ud800'.repeat(length / 6),
}

/** The longest beginning of a text that takes at most `bytes` in JSON. */
const cut = (text: string, bytes: number) => {
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (Buffer.byteLength(JSON.stringify(text.slice(0, middle))) <= bytes) low = middle
    else high = middle - 1
  }
  return text.slice(0, low)
}

/** The worst known texts, of at most `bytes` in JSON, by name. */
export const hostileTexts = (bytes: number): [name: string, text: string][] =>
  Object.entries(worst).map(([name, make]) => [name, cut(make(bytes), bytes)])
