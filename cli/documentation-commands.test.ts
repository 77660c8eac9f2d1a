import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runInProcess } from './testing/sygnet-command.ts'
import { exhaustive } from '../server/testing/breadth.ts'

const printed = async (...args: string[]) => (await runInProcess(args, {})).out

/** What bash offers after these words, the last of which is being typed. */
async function bashOffers(...words: string[]): Promise<string[]> {
  const script = `${await printed('completion', 'bash')}COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sygnet; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', 'sygnet', ...words], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.trim().split('\n')
}

test('OPS-18 bash completes commands, their second words, and their options', async () => {
  expect(await bashOffers('')).toEqual(expect.arrayContaining(['customers', 'check', 'completion', 'manual', '--help']))
  expect(await bashOffers('cust')).toEqual(['customers'])
  expect(await bashOffers('customers', 'sh')).toEqual(['show'])
  expect(await bashOffers('customers', 'show', '--u')).toEqual(['--unmasked'])
  expect(await bashOffers('customers', 'show', 'c-1', '--j')).toEqual(['--json'])
  expect(await bashOffers('check', '--m')).toEqual(['--mail'])
  expect(await bashOffers('completion', '')).toEqual(['bash', 'zsh', 'fish'])
  expect(await bashOffers('completion', '--h')).toEqual(['--help'])
  // Nothing, so that the shell offers files.
  expect(await bashOffers('customers', 'import', '')).toEqual([''])
  expect(await bashOffers('customers', 'import', '--js')).toEqual(['--json'])
  expect(await bashOffers('there-is-no-such-command', '')).toEqual([''])
})

const hasZsh = spawnSync('zsh', ['--version']).status === 0

test.skipIf(!hasZsh)('OPS-18 zsh completes from the first press of Tab on (skipped without zsh)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-zsh-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, '_sygnet'), await printed('completion', 'zsh'))
  const script = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "fpath=($1 $fpath); autoload -U compinit; compinit -u -d $1/dump; print REA''DY"
zpty -r shell shown '*READY*'
zpty -w -n shell $'sygnet custom\\t'
zpty -r shell shown '*sygnet customers*' && print -r -- found`
  const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', script, 'zsh', folder], {
    encoding: 'utf8',
    timeout: 20_000,
  })
  expect([stdout, stderr]).toEqual(['found\n', ''])
})

test('OPS-18 fish gets its own completions, and another shell is refused', async () => {
  const fish = await printed('completion', 'fish')
  expect(fish).toContain(
    `complete -c sygnet -n '__fish_seen_subcommand_from customers; and __fish_seen_subcommand_from show' -l unmasked -d`,
  )
  expect(fish).toContain(`'__fish_seen_subcommand_from completion' -f -a 'bash zsh fish' -d`)
  expect(fish).toContain(`-l mail -r -d 'send a test mail'`)
  expect(await runInProcess(['completion', 'tcsh'], {})).toEqual({
    code: 2,
    out: '',
    err: 'SHELL is one of bash, zsh, fish.\n',
  })
})

test.runIf(exhaustive)(
  'OPS-4 output that nobody reads further ends the command quietly, and a full disk with a message',
  () => {
    const ending = (redirection: string) => {
      const script = `"$1" "$2" completion fish ${redirection}`
      const words = ['-c', script, 'bash', process.execPath, join(import.meta.dirname, 'sygnet.ts')]
      return spawnSync('bash', words, { encoding: 'utf8' })
    }
    expect(ending('| true; exit "${PIPESTATUS[0]}"')).toMatchObject({ status: 1, stdout: '', stderr: '' })
    expect(ending('> /dev/full')).toMatchObject({
      status: 1,
      stderr: 'The output cannot be written: the disk is full.\n',
    })
  },
)

test('OPS-18 the manual page has every command with its options, and no line of text is taken for a macro', async () => {
  const page = await printed('manual')
  const help = await printed('--help')
  const commands = [...help.matchAll(/^ {2}(sygnet [^\n]*?) {2,}/gm)].map(([, line]) => line!)
  expect(commands.length).toBeGreaterThan(30)
  for (const line of commands) expect(page).toContain(`.SS ${line.replaceAll('-', '\\-')}`)
  const macros = new Set(page.match(/^['.]\S*/gm))
  expect([...macros].toSorted()).toEqual(['.B', '.I', '.PP', '.SH', '.SS', '.TH', '.TP'])
  expect(page).not.toMatch(/^ /m)
})
