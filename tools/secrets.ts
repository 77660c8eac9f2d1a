import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What gives a secret away by its form. None of them can be slow on a long line. */
const forms: Record<string, RegExp> = {
  'a private key': /^[+\s]*-----BEGIN (?:[A-Z]+ ){0,2}PRIVATE KEY-----\s*$/,
  'a key of AWS': /\bAKIA[0-9A-Z]{16}\b/,
  'a token of GitHub': /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{22})/,
  'a token of npm': /\bnpm_[A-Za-z0-9]{36}\b|_authToken\s*=\s*[^\s$]/,
  'a token of Slack': /\bxox[abprs]-[A-Za-z0-9-]{10}/,
  'a key of Google': /\bAIza[0-9A-Za-z_-]{35}\b/,
  'a key of Stripe': /\b[sr]k_live_[0-9A-Za-z]{20}/,
  'a key of our provider API': /\bsygnet_[A-Za-z0-9_-]{43}\b/,
  'a secret of webhooks': /\bwhsec_[A-Za-z0-9+/]{24}/,
  'a signed token': /\beyJ[A-Za-z0-9_-]{10,500}\.eyJ[A-Za-z0-9_-]{10,500}\.[A-Za-z0-9_-]{10}/,
  'an address with a password':
    /\b[a-z][a-z0-9+]{1,15}:\/\/[^\s:@/'"`$<{]{1,64}:(?!password@|PASSWORD@|secret@)[^\s:@/'"`$<{]{3,64}@[\w.-]/,
  'a secret that is set': /\b[A-Z_]*(?:MASTER_KEY|SECRET|TOKEN|PASSWORD)\s{0,3}=\s{0,3}["']?[A-Za-z0-9+/_-]{32}/,
}

/** What looks like a secret and is none, by the text itself: the reason stands beside it. */
const known: Record<string, string> = {
  'http://user:canary@m': 'a test that no sentence repeats it',
  'postgres://postgres:postgres@d': 'a test that it is refused',
  'postgres://postgres:postgres@1': 'a test of the demonstration, which may',
  'smtps://portal:12345@m': 'a test that it is refused',
  whsec_MfKQ9r8GKYqrTwjUPD8ILPZI: 'the example of Standard Webhooks',
  whsec_c29tZWJvZHkgZWxzZSdzIHNl: 'a test of a forged signature',
  'smtp://us%40er:p%2Fass@1': 'a test of signs that an address must escape',
}

export type Finding = { where: string; form: string }

/** The secrets in a text, by the number of their line. */
export function secretsIn(text: string, where: string): Finding[] {
  const findings: Finding[] = []
  for (const [index, line] of text.split('\n').entries())
    for (const [form, pattern] of Object.entries(forms)) {
      const found = pattern.exec(line)?.[0]
      if (found !== undefined && !Object.hasOwn(known, found)) findings.push({ where: `${where}:${index + 1}`, form })
    }
  return findings
}

const git = (root: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 30 })

/** In the files of the working tree that git knows or would take in. */
export function secretsInFiles(root: string): Finding[] {
  const paths = git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0').filter(Boolean)
  return paths.flatMap((path) => {
    let text
    try {
      text = readFileSync(join(root, path), 'latin1')
    } catch {
      // Removed, but not yet from git's list.
      return []
    }
    return secretsIn(text, path)
  })
}

/** In every line that a commit ever added, whatever became of it (R82): what was published once is known. */
export function secretsInHistory(root: string): Finding[] {
  if (git(root, 'rev-parse', '--is-shallow-repository').trim() === 'true')
    throw new Error('this clone has only the end of the history; fetch the rest with git fetch --unshallow')
  const log = git(root, 'log', '--all', '-p', '--unified=0', '--no-color', '--no-ext-diff', '--format=commit %h')
  const findings: Finding[] = []
  let where = ''
  for (const part of log.split(/^(?=commit [0-9a-f]{7,40}$)/m)) {
    const commit = part.slice(7, part.indexOf('\n'))
    for (const line of part.split('\n'))
      if (line.startsWith('+++ ')) where = `${commit} ${line.slice(6)}`
      else if (line.startsWith('+'))
        for (const { form } of secretsIn(line.slice(1), where)) findings.push({ where, form })
  }
  return findings
}

export const sentenceOf = ({ where, form }: Finding): string => `${where} holds ${form}`

if (import.meta.main) {
  const findings = secretsInFiles(join(import.meta.dirname, '..'))
  for (const finding of findings) console.error(sentenceOf(finding))
  if (findings.length) process.exitCode = 1
}
