import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { has, testFolder } from '../pki/testing/peer-programs.ts'
import { blocksOf } from '../tools/checks/guide-blocks.ts'
import { sign, writeSums } from './sums.ts'

/** The commands of the guide that verify and unpack, with this folder in place of the system's. */
const blocks = (folder: string) =>
  blocksOf('docs/guides/operate.md', 'sh')
    .filter(({ lines }) => lines.some((line) => line.startsWith('minisign')))
    .map(({ section, lines }) => {
      const commands = lines.filter((line) => !/^(?:#|apt-get |useradd )/.test(line)).join('\n')
      return [section, commands.replaceAll('/opt/sygnet', folder).replaceAll('VERSION', '1.2.3')] as const
    })

test.skipIf(!has('minisign'))(
  'OPS-14 the guide unpacks nothing with a wrong signature or sum (skipped without minisign)',
  async () => {
    const downloads = testFolder()
    const inside = (name: string) => join(downloads, name)
    const [name, key] = ['sygnet-1.2.3-linux-x64', inside('key')]
    execFileSync('minisign', ['-G', '-W', '-s', key, '-p', inside('sygnet.pub')], { stdio: 'ignore' })
    mkdirSync(inside(name))
    writeFileSync(inside(`${name}/README.md`), 'text')
    execFileSync('tar', ['--create', '--gzip', `--file=${name}.tar.gz`, name], { cwd: downloads })
    const sums = await writeSums(downloads, [`${name}.tar.gz`], 'Sygnet 1.2.3')
    sign(sums, key, 'Sygnet 1.2.3')
    /** By section: whether the commands have unpacked the archive. A shell that is pasted into goes on after a failed command. */
    const unpacked = () =>
      blocks('').map(([section], index) => {
        const folder = testFolder()
        const [, commands] = blocks(folder)[index]!
        spawnSync('bash', { input: commands, cwd: downloads })
        return [section, existsSync(join(folder, name)), existsSync(join(folder, 'current'))]
      })
    expect(unpacked()).toEqual([
      ['Install', true, true],
      ['Upgrade', true, false],
    ])
    appendFileSync(inside(`${name}.tar.gz`), 'more')
    const nothing = [
      ['Install', false, false],
      ['Upgrade', false, false],
    ]
    expect(unpacked()).toEqual(nothing)
    // With sums of its own it has no signature.
    await writeSums(downloads, [`${name}.tar.gz`], 'Sygnet 1.2.3')
    expect(unpacked()).toEqual(nothing)
  },
)
