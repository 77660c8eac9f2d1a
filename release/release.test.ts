import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../pki/testing/peer-programs.ts'
import { writeFiles } from '../tools/testing/projects.ts'
import { packFolder } from './archive-files.ts'
import { findDifferingFiles, hashFile, writeSums, releaseVersion } from './sums.ts'

const seconds = 1_800_000_000

/** Creates the same files twice, in different order, with different times and permissions. */
const sameTrees = () =>
  [
    { names: ['bin/node', 'b.txt', 'ä.txt'], modes: [0o755, 0o644], time: 1_000_000 },
    { names: ['ä.txt', 'b.txt', 'bin/node'], modes: [0o700, 0o664], time: 2_000_000 },
  ].map(({ names, modes: [ofPrograms, ofTexts], time }) => {
    const tree = testFolder()
    for (const name of names) {
      writeFiles(tree, { [name]: name })
      chmodSync(join(tree, name), name.startsWith('bin/') ? ofPrograms! : ofTexts!)
      utimesSync(join(tree, name), time, time)
    }
    return tree
  })

test('OPS-14 the archive has the same bytes for each build', async () => {
  const folder = testFolder()
  const files = await Promise.all(
    sameTrees().map(async (tree, i) => {
      const file = join(folder, `${i}.tar.gz`)
      await packFolder(tree, file, { prefix: 'sygnet-1.2.3', seconds })
      return file
    }),
  )
  expect(await hashFile(files[1]!)).toBe(await hashFile(files[0]!))
  const options = ['--list', '--verbose', '--numeric-owner', '--utc', '-f', files[0]!]
  const entries = execFileSync('tar', options, { encoding: 'utf8' }).trim().split('\n')
  expect(entries).toHaveLength(5)
  for (const entry of entries)
    expect(entry).toMatch(
      /^(?:[d-]rwxr-xr-x|-rw-r--r--) 0\/0 +\d 2027-01-15 08:00 sygnet-1\.2\.3\/(?:bin\/(?:node)?|.*txt)?$/,
    )
})

test('OPS-14 a version names one code: unreleased changes are refused, or a preview of its own version', () => {
  const released = '# Changelog\n\n## 1.2.3 – seals\n\n- A change.\n\n## 1.2.2 – documents\n\n- Another.\n'
  const changed = released.replace('## 1.2.3', '## Unreleased\n\n### Added\n- One more.\n\n## 1.2.3')
  const versionOf = (changelog: string, isPreview = false, version = '1.2.3') =>
    releaseVersion({ version, changelog, commit: '016a3b80aabbccdd' }, isPreview)
  expect(versionOf(released)).toBe('1.2.3')
  expect(versionOf(changed.replace('- One more.\n', ''))).toBe('1.2.3')
  expect(() => versionOf(changed)).toThrow('CHANGELOG.md has 1 unreleased lines')
  expect(versionOf(changed, true)).toBe('1.3.0-preview-016a3b80')
  expect(() => versionOf(released, false, '1.3.0')).toThrow(
    'in CHANGELOG.md is 1.2.3, and that of package.json is 1.3.0.',
  )
})

test('OPS-14 sha256sum accepts the sums of one commit, and no changed file gets one', async () => {
  const out = testFolder()
  const [arm, x64] = ['sygnet-1.2.0-linux-arm64.tar.gz', 'sygnet-1.2.0-linux-x64.tar.gz']
  for (const name of [x64, arm, 'SHA256SUMS.minisig']) writeFileSync(join(out, name), name)
  const check = () =>
    execFileSync('sha256sum', ['--strict', '--check', 'SHA256SUMS'], { cwd: out, encoding: 'utf8', stdio: 'pipe' })
  await writeSums(out, [x64], 'Sygnet 1.2.0 abc')
  expect(existsSync(join(out, 'SHA256SUMS.minisig'))).toBe(false)
  await writeSums(out, [arm], 'Sygnet 1.2.0 abc')
  expect(check()).toBe(`${arm}: OK\n${x64}: OK\n`)
  writeFileSync(join(out, arm), 'c')
  await expect(writeSums(out, [x64], 'Sygnet 1.2.0 abc')).rejects.toThrow(`${arm} was changed after it was made.`)
  await writeSums(out, [x64], 'Sygnet 1.2.0 abcd')
  expect(check()).toBe(`${x64}: OK\n`)

  // As --twice compares a second build.
  const again = testFolder()
  for (const name of [x64, arm]) writeFileSync(join(again, name), name)
  expect(await findDifferingFiles([x64, arm], out, again)).toEqual([arm])
})
