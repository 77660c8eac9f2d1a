import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lintSource } from '@secretlint/core'
import { creator as recommended } from '@secretlint/secretlint-rule-preset-recommend'
import type { SecretLintCoreConfig, SecretLintRuleCreator } from '@secretlint/types'

/** Keys that the portal generates, of 32 random bytes: client keys, webhook secrets, master keys. No scanner knows them. */
const portalKeys = /(?:\bsygnet_|\bwhsec_|MASTER_KEY\s{0,3}[=:]\s{0,3}["']?)[\w+/-]{43}/g
const messages = { found: { en: () => 'found a key of the portal' } }

const keysOfThePortal: SecretLintRuleCreator = {
  messages,
  meta: { id: 'keys-of-the-portal', type: 'scanner', recommended: false, supportedContentTypes: ['text'] },
  create: (context) => ({
    file({ content }) {
      const message = context.createTranslator(messages)('found')
      for (const { index, 0: found } of content.matchAll(portalKeys))
        context.report({ message, range: [index, index + found.length] })
    },
  }),
}

const config: SecretLintCoreConfig = {
  rules: [
    {
      id: '@secretlint/secretlint-rule-preset-recommend',
      rule: recommended,
      rules: [
        // An address that a test of R104 expects to be refused.
        { id: '@secretlint/secretlint-rule-basicauth', options: { allows: ['http://user:secret@127.0.0.1'] } },
      ],
    },
    { id: keysOfThePortal.meta.id, rule: keysOfThePortal },
  ],
}

/** Finds the secrets in a text, masked, each with its line. */
async function findSecrets(content: string, filePath: string) {
  const result = await lintSource({
    source: { filePath, content, contentType: 'text' },
    options: { config, maskSecrets: true, noPhysicFilePath: true },
  })
  return result.messages.map(({ loc, message }) => ({ line: loc.start.line, message }))
}

const git = (root: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'latin1', maxBuffer: 2 ** 30 })

/** Finds the secrets in the working tree's files that git tracks or would add. */
export async function findSecretsInFiles(root: string): Promise<string[]> {
  const paths = git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0')
  const searches = paths
    .filter((path) => path !== '' && existsSync(join(root, path)))
    .map(async (path) => {
      const found = await findSecrets(readFileSync(join(root, path), 'latin1'), path)
      return found.map(({ line, message }) => `${path}:${line} ${message}`)
    })
  return (await Promise.all(searches)).flat()
}

/** Finds the secrets in every line that a commit ever added (R82): a published secret stays known after its removal. */
export async function findSecretsInHistory(root: string): Promise<string[]> {
  if (git(root, 'rev-parse', '--is-shallow-repository').trim() === 'true')
    throw new Error('This clone is shallow. Fetch the rest of the history with git fetch --unshallow.')
  const log = git(root, 'log', '--all', '-p', '--unified=0', '--no-color', '--no-ext-diff', '--format=commit %h')
  const searches = log.split(/^(?=commit [0-9a-f]{7,40}$)/m).map(async (text) => {
    const [commit, ...lines] = text.split('\n')
    const added = lines.filter((line) => line.startsWith('+') && !line.startsWith('+++ '))
    const found = await findSecrets(added.map((line) => line.slice(1)).join('\n'), 'history')
    return found.map(({ message }) => `${commit} ${message}`)
  })
  return (await Promise.all(searches)).flat()
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..')
  const found = await findSecretsInFiles(root)
  if (process.argv.includes('--history')) found.push(...(await findSecretsInHistory(root)))
  for (const secret of found) console.error(secret)
  if (found.length > 0) process.exitCode = 1
}
