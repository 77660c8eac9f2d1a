import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { has, testFolder } from '../pki/testing/peer-programs.ts'
import { runInProcess } from './testing/sygnet-command.ts'

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
  for (const [words, offered] of [
    [['cust'], ['customers']],
    [['customers', 'sh'], ['show']],
    [['customers', 'show', '--u'], ['--unmasked']],
    [['customers', 'show', 'c-1', '--j'], ['--json']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['completion', '--h'], ['--help']],
    // Nothing, so that the shell offers files.
    [['customers', 'import', ''], ['']],
    [['there-is-no-such-command', ''], ['']],
  ] as const)
    expect([words, await bashOffers(...words)]).toEqual([words, offered])
})

test.skipIf(!has('zsh'))('OPS-18 zsh completes from the first press of Tab on (skipped without zsh)', async () => {
  const folder = testFolder()
  writeFileSync(join(folder, '_sygnet'), await printed('completion', 'zsh'))
  const script = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "fpath=($1 $fpath); autoload -U compinit; compinit -u -d $1/dump; print REA''DY"
zpty -r shell shown '*READY*'
zpty -w -n shell $'sygnet custom\\t'
zpty -r shell shown '*sygnet customers*' && print -r -- found`
  const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', script, 'zsh', folder], {
    encoding: 'utf8',
    timeout: 120_000,
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
  const err = 'SHELL is one of bash, zsh, fish.\n'
  expect(await runInProcess(['completion', 'tcsh'], {})).toEqual({ code: 2, out: '', err })
})

test('OPS-18 the manual page has every command, and no line of text is taken for a macro', async () => {
  const page = await printed('manual')
  const help = await printed('--help')
  const commands = [...help.matchAll(/^ {2}(sygnet [^\n]*?) {2,}/gm)].map(([, line]) => line!)
  expect(commands.length).toBeGreaterThan(30)
  for (const line of commands) expect(page).toContain(`.SS ${line.replaceAll('-', '\\-')}`)
  const macros = new Set(page.match(/^['.]\S*/gm))
  expect([...macros].toSorted()).toEqual(['.B', '.I', '.PP', '.SH', '.SS', '.TH', '.TP'])
  expect(page).not.toMatch(/^ /m)
})
